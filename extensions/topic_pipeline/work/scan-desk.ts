import type { Clock } from '#core/component'
import type { ScanService } from '../scanning/scan-service.ts'
import type { TopicStore } from '../store/store.ts'

export interface ScanDeskDeps {
  readonly store: TopicStore
  readonly service: ScanService
  readonly clock: Clock
}

/** Scans on demand. */
export class ScanDesk {
  readonly #deps: ScanDeskDeps
  #running = false

  constructor(deps: ScanDeskDeps) {
    this.#deps = deps
  }

  /** Starts scans of all enabled categories and does not wait for them. */
  async scanAll(): Promise<{ readonly triggered: boolean; readonly message: string }> {
    const { store, service, clock } = this.#deps
    if (this.#running || (await store.scans.running(clock.now())) > 0) return RUNNING
    const categories = (await store.categories.list()).filter(({ enabled }) => enabled)
    if (categories.length === 0) return { triggered: false, message: 'No category is enabled' }
    // Somebody else may have asked meanwhile.
    if (this.#running) return RUNNING
    this.#running = true
    void service.scan(categories.flatMap(category => service.targetsOf(category))).finally(() => {
      this.#running = false
    })
    return { triggered: true, message: 'Scan started' }
  }
}

const RUNNING = { triggered: false, message: 'A scan is already running' }
