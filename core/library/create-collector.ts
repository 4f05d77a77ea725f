import type { Clock, InstanceId, LedgerReport, Overview, StatusEvent } from '#core/component'
import { systemClock } from '#core/component'
import type { Environment } from '#core/config'
import { Collector, type CollectorState, type LogEntry } from '#core/service'
import manifest from '../../package.json' with { type: 'json' }
import type { Components, ConfigOf } from './config-of.ts'
import { distributionOf } from './distribution-of.ts'
import { flush } from './flush.ts'
import { type ConfigSource, sourcesOf } from './sources-of.ts'

/** What a program says of the collector that it embeds. */
export interface CreateCollectorOptions<C extends Components = Components> {
  /** The components that the configuration may name; nothing else is loaded. */
  readonly components: C
  /** YAML text, a path or URI, or an object with the same keys, typed by the components. */
  readonly config: string | URL | ConfigOf<C>
  /** Receives the collector's log instead of standard error. What it throws is ignored. */
  readonly log?: (entry: LogEntry) => void
  /** What `${env:NAME}` reads. Default: the environment of the process. */
  readonly env?: Environment
  /** How the collector calls itself in its log, own telemetry and user agent. Default `millrace`. */
  readonly name?: string
  readonly version?: string
  readonly clock?: Clock
}

/** A component as it is. */
export interface ComponentStatus extends InstanceId, StatusEvent {}

/** What a reload has done with the components, each named by kind and id. */
export interface ReloadResult {
  readonly kept: readonly string[]
  readonly started: readonly string[]
  readonly stopped: readonly string[]
}

/** A collector inside a program: `await using collector = await createCollector({ … }).start()`. */
export interface EmbeddedCollector<C extends Components = Components> extends AsyncDisposable {
  readonly state: CollectorState
  /**
   * Starts every component of the configuration; resolves with the collector itself. Once only. From then on it keeps the
   * process alive until `shutdown`.
   * @throws {ConfigError} with every fault of the configuration
   * @throws {Error} when a component cannot be created or started; all is closed again then
   */
  start(): Promise<this>
  /**
   * Goes over to another configuration, or reads the present one again. Components whose configuration is the same go on
   * untouched. When it fails, the previous configuration keeps running.
   * @throws {ConfigError} when the configuration has faults
   */
  reload(config?: string | URL | ConfigOf<C>): Promise<ReloadResult>
  /**
   * Resolves once everything that was received has been sent, dropped or refused.
   * @param deadline milliseconds, default 30,000
   * @throws {Error} naming what still waits then
   */
  flush(deadline?: number): Promise<void>
  /**
   * Stops receiving, lets what was accepted go on, closes everything. May be called at any time and more than once.
   * @param deadline milliseconds after which what is left is given up; without it there is no end to waiting
   */
  shutdown(deadline?: number): Promise<void>
  /** How each running component is. */
  status(): readonly ComponentStatus[]
  /** Calls `listener` with the present status of each component and with every change. Returns how to stop it. */
  onStatus(listener: (status: ComponentStatus) => void): () => void
  /** What was received and what became of it, by pipeline and exporter. */
  ledger(): LedgerReport
  /** The collector's own metrics in the Prometheus text format. */
  metricsText(): Promise<string>
  /** What runs and how it is wired. */
  overview(): Overview
  /** Resolves when a component fails so badly that the collector stops. */
  readonly fatal: Promise<Error>
}

/**
 * A collector as a part of a program. It touches nothing of the process: no signals, no exit code, no globals; there may
 * be any number of them.
 * @throws {Error} when two components have the same kind and name
 */
export function createCollector<const C extends Components>(
  options: { readonly components: C; readonly config: string | URL | NoInfer<ConfigOf<C>> } & Omit<
    CreateCollectorOptions,
    'components' | 'config'
  >,
): EmbeddedCollector<C> {
  return new Embedded(options as CreateCollectorOptions<C>)
}

const FLUSH_DEADLINE = 30_000

/** A function of the program that throws must not stop the component that logs. */
function contained(log: (entry: LogEntry) => void): (entry: LogEntry) => void {
  return entry => {
    try {
      log(entry)
    } catch {
      // There is no log that could tell it.
    }
  }
}

class Embedded<C extends Components> implements EmbeddedCollector<C> {
  readonly #options: CreateCollectorOptions<C>
  readonly #collector: Collector

  constructor(options: CreateCollectorOptions<C>) {
    const { components, config, log, clock, name = 'millrace', version = manifest.version } = options
    this.#options = options
    this.#collector = new Collector({
      ...this.#sources(config),
      distribution: distributionOf(components, name, version),
      ...(clock === undefined ? {} : { clock }),
      ...(log === undefined ? {} : { log: contained(log) }),
    })
  }

  get state(): CollectorState {
    return this.#collector.state
  }

  get fatal(): Promise<Error> {
    return this.#collector.fatal
  }

  async start(): Promise<this> {
    await this.#collector.start()
    return this
  }

  reload(config?: ConfigSource): Promise<ReloadResult> {
    return this.#collector.reload(config === undefined ? undefined : this.#sources(config))
  }

  flush(deadline = FLUSH_DEADLINE): Promise<void> {
    return flush(() => this.ledger(), this.#options.clock ?? systemClock, deadline)
  }

  shutdown(deadline?: number): Promise<void> {
    return this.#collector.shutdown(deadline)
  }

  status(): readonly ComponentStatus[] {
    const all: ComponentStatus[] = []
    this.onStatus(status => all.push(status))()
    return all
  }

  onStatus(listener: (status: ComponentStatus) => void): () => void {
    return this.#collector.host.onStatus((instance, event) => listener({ ...instance, ...event }))
  }

  ledger(): LedgerReport {
    return this.#collector.host.ledger()
  }

  async metricsText(): Promise<string> {
    return (await this.#collector.host.metricsText()).body
  }

  overview(): Overview {
    return this.#collector.host.overview()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown()
  }

  #sources(config: ConfigSource) {
    return sourcesOf(config, this.#options.env, this.#options.log !== undefined)
  }
}
