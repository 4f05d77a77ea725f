import { availableParallelism } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { type BuildInfo, type Clock, type Distribution, type Host, systemClock } from '#core/component'
import { type Change, type Ending, NotRestored, type Plan } from '#core/pipeline'
import type { CollectorState } from './collector-state.ts'
import { ComponentModules } from './components/component-modules.ts'
import { Engine, type EngineParts } from './engine.ts'
import { CollectorHost } from './host.ts'
import { type Loaded, load, type Sources } from './loaded.ts'
import { Statuses } from './statuses.ts'
import type { LogEntry } from './telemetry/log-line.ts'
import type { OwnTelemetry } from './telemetry/own-telemetry.ts'
import type { TelemetryConfig } from './telemetry/schema.ts'
import { createTelemetry, type TelemetryOptions } from './telemetry/telemetry.ts'

export interface CollectorOptions extends Sources {
  readonly distribution: Distribution
  readonly clock?: Clock
  /** Where `stdout` and `stderr` of the log's output paths go; default: the process's own. */
  readonly streams?: TelemetryOptions['streams']
  /** Receives each line of the log, beside its outputs. */
  readonly log?: (entry: LogEntry) => void
  /** Makes own telemetry instead of `createTelemetry`, for programs that have their own logs and metrics. */
  readonly telemetry?: (config: TelemetryConfig, build: BuildInfo, options: TelemetryOptions) => OwnTelemetry
  /** Milliseconds that a reload waits for components that it stops; longer drains go on beside the new graph. */
  readonly reloadPatience?: number
}

const RELOAD_PATIENCE = 5_000
/** The longest that timers of Node can wait, in milliseconds. */
const MAX_INTERVAL = 2 ** 31 - 1

/**
 * A collector: reads its configuration, starts, changes while it runs, and stops. Touches nothing of the process it
 * lives in, so there can be several.
 */
export class Collector {
  readonly #options: CollectorOptions
  /** Where the configuration that runs comes from. */
  #sources: Sources
  readonly #parts: EngineParts
  readonly #modules = new ComponentModules()
  #files: ReadonlySet<string> = new Set()
  readonly #fatal = Promise.withResolvers<Error>()
  /** Resolves when a shutdown's deadline has passed. */
  readonly #deadline = Promise.withResolvers<void>()
  #state: CollectorState = 'Starting'
  #engine: Engine | undefined
  /** The start or reload under way, if any; never rejects. */
  #work: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined
  /** Timers of components do not keep a process alive, so that a forgotten one cannot; a collector that runs does. */
  #alive: NodeJS.Timeout | undefined
  /** The fatal error that ended it, if one did. */
  #killer: Error | undefined

  constructor(options: CollectorOptions) {
    const { distribution, clock = systemClock } = options
    const { command, description, version } = distribution
    const build = { command, description, version }
    const statuses = new Statuses(clock)
    const host = new CollectorHost(build, statuses, () => this.#running.shown)
    this.#options = options
    this.#sources = options
    const gates = options.gates ?? new Set<string>()
    this.#parts = { build, clock, statuses, host, gates, startTime: clock.now(), fatal: error => this.#die(error) }
  }

  get state(): CollectorState {
    return this.#state
  }

  /** What its components see of it: status events, ledger, metrics, contributed routes. */
  get host(): Host {
    return this.#parts.host
  }

  /** What runs, or is about to; `undefined` before the configuration was read. */
  get plan(): Plan | undefined {
    return this.#engine?.loaded.plan
  }

  /**
   * Absolute paths of the files that the configuration and its components came from; after a reload that failed, also of
   * those that it tried.
   */
  get files(): ReadonlySet<string> {
    return this.#files
  }

  /**
   * Takes an error that nobody caught. When it comes from the code of a component that was loaded from a file or package,
   * that component is reported, and everything goes on.
   * @returns whether it does
   */
  blame(error: unknown): boolean {
    return this.#engine?.blame(error) ?? false
  }

  /** Resolves when a component fails so badly that the collector stops; it has begun to shut down then. */
  get fatal(): Promise<Error> {
    return this.#fatal.promise
  }

  /**
   * Reads the configuration, creates and starts everything. Once only.
   * @throws {ConfigError} with every fault of the configuration
   * @throws {Error} in the Collector's words when a component cannot be created or started; all is closed again then
   */
  async start(): Promise<void> {
    if (this.#state !== 'Starting' || this.#engine !== undefined) throw new Error('a collector starts only once')
    return this.#exclusively(() => this.#start())
  }

  /**
   * Reads the configuration again and changes what is different. When that is not possible, the previous configuration
   * keeps running and the reason is logged.
   * @param sources where to read it instead, now and at further reloads
   * @throws {ConfigError} when the new configuration has faults
   * @throws {Error} when something does not start
   */
  reload(sources?: Sources): Promise<Change> {
    return this.#exclusively(() => this.#reload(sources ?? this.#sources))
  }

  /**
   * Stops receivers first, lets what was accepted go on, then stops everything else. Further calls wait for the same end
   * and may bring their own deadline.
   * @param deadline milliseconds; what has not finished by then is given up and logged. Without it there is no end to waiting
   * @throws {AggregateError} when components failed to shut down; the collector is closed all the same
   */
  shutdown(deadline?: number): Promise<void> {
    if (deadline !== undefined) this.#parts.clock.after(deadline, this.#deadline.resolve)
    this.#closing ??= this.#shutdown()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown()
  }

  async #start(): Promise<void> {
    this.#alive = setInterval(() => {}, MAX_INTERVAL)
    try {
      const loaded = await this.#load(this.#sources)
      this.#assertState('Starting')
      this.#engine = this.#create(loaded)
      const { version } = this.#parts.build
      const logger = this.#engine.telemetry.logger()
      logger.info(`Starting ${this.#parts.build.command}...`, { Version: version, NumCPU: availableParallelism() })
      await this.#engine.start()
      this.#assertState('Starting')
      this.#state = 'Running'
      logger.info('Everything is ready. Begin running and processing data.')
    } catch (error) {
      if (this.#state === 'Starting') {
        await this.#engine?.telemetry.shutdown()
        this.#closed()
      }
      throw this.#killer ?? error
    }
  }

  async #reload(sources: Sources): Promise<Change> {
    this.#assertState('Running')
    try {
      const loaded = await this.#load(sources)
      this.#assertState('Running')
      const same = isDeepStrictEqual(loaded.telemetry, this.#running.loaded.telemetry)
      const patience = this.#options.reloadPatience ?? RELOAD_PATIENCE
      const change = same ? await this.#running.reload(loaded, patience) : await this.#replace(loaded, patience)
      this.#sources = sources
      const { kept, started, stopped } = change
      this.#running.telemetry.logger().info('Config updated', { kept: kept.length, started, stopped })
      return change
    } catch (error) {
      if (this.#state === 'Running') this.#reloadFailed(error)
      throw error
    }
  }

  async #load(sources: Sources): Promise<Loaded> {
    const files = new Set<string>()
    try {
      const loaded = await load(this.#options.distribution, sources, { modules: this.#modules, files })
      this.#files = files
      return loaded
    } catch (error) {
      this.#files = new Set([...this.#files, ...files])
      throw error
    }
  }

  #reloadFailed(error: unknown): void {
    if (error instanceof NotRestored) this.#die(error)
    else this.#running.telemetry.logger().error('Config not updated, the previous one keeps running', { error })
  }

  /** A change of `service::telemetry` reaches into every component, so everything is restarted. */
  async #replace(loaded: Loaded, patience: number): Promise<Change> {
    const before = this.#running
    const next = this.#create(loaded)
    before.telemetry.logger().warn('Config updated, restart service')
    const over = Promise.withResolvers<void>()
    const timer = this.#parts.clock.after(patience, over.resolve)
    await before.stop(Promise.race([over.promise, this.#deadline.promise]))
    timer.cancel()
    await before.telemetry.shutdown()
    try {
      await this.#switchTo(next)
    } catch (cause) {
      await next.telemetry.shutdown()
      this.#assertState('Running')
      try {
        await this.#switchTo(this.#create(before.loaded))
      } catch (error) {
        throw new NotRestored(`cannot bring back the previous configuration: ${sentence(error)}`, { cause })
      }
      throw cause
    }
    return { kept: [], stopped: before.components, started: next.components }
  }

  async #switchTo(engine: Engine): Promise<void> {
    this.#assertState('Running')
    this.#engine = engine
    await engine.start()
  }

  #create(loaded: Loaded): Engine {
    const { streams, log, telemetry = createTelemetry } = this.#options
    const { build, clock } = this.#parts
    const own = telemetry(loaded.telemetry, build, {
      clock,
      ...(streams === undefined ? {} : { streams }),
      ...(log === undefined ? {} : { log }),
    })
    try {
      return new Engine(loaded, own, this.#parts, this.#engine?.ledger)
    } catch (cause) {
      void own.shutdown()
      throw new Error(`failed to build pipelines: ${sentence(cause)}`, { cause })
    }
  }

  async #shutdown(): Promise<void> {
    if (this.#state === 'Closed') return
    this.#state = 'Closing'
    const over = this.#deadline.promise
    const errors: Error[] = []
    const stop = async (engine: Engine | undefined): Promise<Ending | undefined> => {
      engine?.telemetry.logger().info('Starting shutdown...')
      const ending = await engine?.stop(over)
      errors.push(...(ending?.errors ?? []))
      return ending
    }
    const first = this.#engine
    await stop(first)
    await Promise.race([this.#work, over])
    if (this.#engine !== first) await stop(this.#engine)
    const own = this.#engine?.telemetry
    own?.logger().info('Shutdown complete.', { ledger: own.ledger.report() })
    await Promise.race([this.#engine?.telemetry.shutdown(), over])
    this.#closed()
    if (errors.length > 0) {
      throw new AggregateError(errors, `failed to shutdown pipelines: ${errors.map(sentence).join('; ')}`)
    }
  }

  #closed(): void {
    this.#state = 'Closed'
    clearInterval(this.#alive)
  }

  #die(error: Error): void {
    if (this.#killer !== undefined) return
    this.#killer = error
    this.#engine?.telemetry.logger().error('Asynchronous error received, terminating process', { error })
    this.#fatal.resolve(error)
    this.shutdown().catch(() => {})
  }

  /** Starts and reloads happen one after the other. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.then(
      () => {},
      () => {},
    )
    return done
  }

  #assertState(wanted: CollectorState): void {
    if (this.#state !== wanted) throw new Error(`the collector is ${this.#state}, not ${wanted}`)
  }

  get #running(): Engine {
    if (this.#engine === undefined) throw new Error(`the collector is ${this.#state}: it has nothing to show yet`)
    return this.#engine
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
