import type { Clock, Logger, Timer } from '#core/component'
import type { TopicStore } from '../store/store.ts'
import type { ScanService, Target } from './scan-service.ts'
import { nextScan } from './scan-times.ts'

/** Milliseconds after which it looks again at the latest: another process may have changed the categories. */
const LOOK_AGAIN = 60_000

export interface ScheduleDeps {
  readonly store: TopicStore
  readonly service: ScanService
  readonly clock: Clock
  readonly logger: Logger
  readonly timeZone: string
}

/** Scans each enabled category when it is due. */
export class ScanSchedule {
  readonly #deps: ScheduleDeps
  /** Targets that are being scanned, `category source`. */
  readonly #busy = new Set<string>()
  #timer: Timer | undefined
  #looking: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: ScheduleDeps) {
    this.#deps = deps
  }

  /** Looks what is due, now and from now on. */
  look(): void {
    this.#timer?.cancel()
    if (this.#closed) return
    const { clock, logger } = this.#deps
    this.#looking = this.#looking
      .then(() => (this.#closed ? LOOK_AGAIN : this.#start()))
      .catch(error => {
        logger.warn('Cannot read what is to be scanned', { error })
        return LOOK_AGAIN
      })
      .then(wait => {
        this.#timer?.cancel()
        if (!this.#closed) this.#timer = clock.after(wait, () => this.look())
      })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#timer?.cancel()
    await this.#looking
  }

  /** Starts what is due. @returns milliseconds until the next is */
  async #start(): Promise<number> {
    const { store, service, clock, timeZone } = this.#deps
    const now = clock.now()
    const [categories, runs] = await Promise.all([store.categories.list(), store.scans.lastRuns(now)])
    const last = new Map(runs.map(run => [keyOf(run.categoryId, run.source), run.startedAt]))
    let wait = LOOK_AGAIN
    const due: Target[] = []
    for (const target of categories.filter(({ enabled }) => enabled).flatMap(each => service.targetsOf(each))) {
      const key = keyOf(target.category.id, target.scanner.type)
      if (this.#busy.has(key)) continue
      const at = nextScan(target.category, target.scanner, last.get(key), timeZone)
      if (at === undefined) continue
      if (at <= now) due.push(target)
      else wait = Math.min(wait, at - now)
    }
    for (const target of due) void this.#scan(target)
    return wait
  }

  async #scan(target: Target): Promise<void> {
    const key = keyOf(target.category.id, target.scanner.type)
    this.#busy.add(key)
    await this.#deps.service.scan([target])
    this.#busy.delete(key)
    this.look()
  }
}

function keyOf(categoryId: number, source: string): string {
  return `${categoryId} ${source}`
}
