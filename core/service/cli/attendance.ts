import { type Logger, systemClock } from '#core/component'
import type { Collector } from '../collector.ts'
import { EventLoopWatchdog } from '../watchdog/event-loop-watchdog.ts'
import { FileWatch } from './file-watch.ts'

/** What watches a collector from outside while it runs: for changed files, and for an event loop that stands still. */
export class Attendance implements Disposable {
  readonly #collector: Collector
  readonly #logger: () => Logger | undefined
  readonly #watches: Disposable[] = []
  #watchdog: EventLoopWatchdog | undefined

  constructor(collector: Collector, logger: () => Logger | undefined) {
    this.#collector = collector
    this.#logger = logger
  }

  /** Reloads from now on whenever a file of the configuration, or of a component, changes. */
  watchFiles(): void {
    const collector = this.#collector
    const reload = async () => {
      this.#logger()?.info('Files changed, reading the configuration again')
      await collector.reload()
      this.watchLoop()
    }
    this.#watches.push(new FileWatch(() => collector.files, reload, systemClock))
    this.#logger()?.info('Watching files', { files: [...collector.files] })
  }

  /** Reports from now on what blocks the event loop, if there are components from files or packages; once is enough. */
  watchLoop(): void {
    if (this.#watchdog !== undefined || !hasGuests(this.#collector)) return
    this.#watchdog = new EventLoopWatchdog(({ ms, stack }) => {
      const error = new Error(`it blocked the event loop for ${(ms / 1000).toFixed(1)} s`)
      error.stack = [`Error: ${error.message}`, ...stack].join('\n')
      if (this.#collector.blame(error)) return
      this.#logger()?.warn('The event loop was blocked', { ms, stacktrace: stack.join('\n') })
    })
    this.#watches.push(this.#watchdog)
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches.splice(0)) watch[Symbol.dispose]()
  }
}

function hasGuests({ plan }: Collector): boolean {
  const nodes = [...(plan?.components ?? []), ...(plan?.extensions ?? [])]
  return nodes.some(({ configured }) => configured.definition.source !== undefined)
}
