import type {
  BuildInfo,
  Clock,
  Consumers,
  InstanceId,
  LedgerReport,
  OwnTelemetryOptions,
  Status,
} from '#core/component'
import { formatOrigin, type Warning } from '#core/config'
import { type Change, type Ending, Graph, type GraphServices, type Plan } from '#core/pipeline'
import { carriersOf } from './carriers.ts'
import type { CollectorHost, Shown } from './host.ts'
import type { Loaded } from './loaded.ts'
import { overviewOf } from './overview.ts'
import type { Statuses } from './statuses.ts'
import type { LedgerBook } from './telemetry/ledger-book.ts'
import type { OwnTelemetry } from './telemetry/own-telemetry.ts'

/** What all engines of one collector share. */
export interface EngineParts {
  readonly build: BuildInfo
  readonly clock: Clock
  readonly statuses: Statuses
  readonly host: CollectorHost
  /** Feature gates that are on. */
  readonly gates: ReadonlySet<string>
  /** Milliseconds since the Unix epoch. */
  readonly startTime: number
  /** A component reported FatalError. */
  fatal(error: Error): void
}

/** Own telemetry and the graph that runs under it: lives until shutdown, or until `service::telemetry` changes. */
export class Engine {
  readonly telemetry: OwnTelemetry
  readonly ledger: LedgerBook
  readonly #graph: Graph
  readonly #parts: EngineParts
  #loaded: Loaded

  /**
   * Creates all components.
   * @param ledger goes on with the entries of an earlier engine
   * @throws {Error} when one cannot be created
   */
  constructor(loaded: Loaded, telemetry: OwnTelemetry, parts: EngineParts, ledger = telemetry.ledger) {
    this.#loaded = loaded
    this.#parts = parts
    this.telemetry = telemetry
    this.ledger = ledger
    for (const warning of loaded.plan.configuration.warnings) this.#warn(warning)
    this.#graph = Graph.build(loaded.plan, services(telemetry, ledger, parts))
  }

  /** What runs now. */
  get loaded(): Loaded {
    return this.#loaded
  }

  /** What the host shows while this engine runs. */
  get shown(): Shown {
    const { telemetry, ledger } = this
    const { gates, startTime } = this.#parts
    return {
      ledger,
      logger: fields => telemetry.logger(fields),
      metricsText: () => telemetry.metricsText(),
      subscribe: (next, options) => this.#subscribe(next, options),
      overview: () => overviewOf(this.#loaded.plan, gates, startTime),
    }
  }

  #subscribe(next: Consumers, { metricsInterval, pipelines = [] }: OwnTelemetryOptions = {}): () => Promise<void> {
    let plan: Plan | undefined
    let carriers: ReadonlySet<string> = new Set()
    return this.telemetry.subscribe(next, {
      ...(metricsInterval === undefined ? {} : { metricsInterval }),
      // A reload may put other components into the pipelines.
      carries: component => {
        if (plan !== this.#loaded.plan) carriers = carriersOf(this.#loaded.plan, pipelines)
        plan = this.#loaded.plan
        return carriers.has(component)
      },
    })
  }

  /** Descriptions of the components, in start order. */
  get components(): readonly string[] {
    return this.#graph.components
  }

  /** See `Graph.blame`. */
  blame(error: unknown): boolean {
    return this.#graph.blame(error)
  }

  /** @throws {Error} when something does not start; everything is closed again then, but for the log */
  async start(): Promise<void> {
    try {
      await this.telemetry.start()
    } catch (error) {
      await this.#graph.shutdown()
      throw error
    }
    await this.#graph.start()
  }

  /** Takes over another configuration with the same `service::telemetry`. See `Graph.reload`. */
  async reload(loaded: Loaded, patience: number): Promise<Change> {
    for (const warning of loaded.plan.configuration.warnings) this.#warn(warning)
    const change = await this.#graph.reload(loaded.plan, patience)
    this.#loaded = loaded
    return change
  }

  /** Stops the graph; the log stays open. What had to be given up is logged with what was still waiting there. */
  async stop(patience: Promise<void>): Promise<Ending> {
    const ending = await this.#graph.shutdown(patience)
    if (ending.givenUp.length > 0) {
      const queued = waiting(this.ledger.report())
      const fields = { components: ending.givenUp, queued }
      this.telemetry.logger().warn('Shutdown deadline passed, giving up what has not finished', fields)
    }
    return ending
  }

  #warn({ level, message, fields, path, origin, quiet }: Warning): void {
    if (quiet === true) return
    this.telemetry.logger()[level](message, {
      ...fields,
      ...(path === undefined ? {} : { path }),
      ...(origin === undefined ? {} : { origin: formatOrigin(origin) }),
    })
  }
}

/** Items that are still queued, by pipeline and exporter. */
function waiting({ pipelines, exporters }: LedgerReport): Record<string, number> {
  const accounts = [...Object.entries(pipelines), ...Object.entries(exporters)]
  return Object.fromEntries(accounts.filter(([, { queued }]) => queued > 0).map(([id, { queued }]) => [id, queued]))
}

function services(telemetry: OwnTelemetry, ledger: LedgerBook, parts: EngineParts): GraphServices {
  const { build, clock, statuses, host } = parts
  return {
    build,
    clock,
    host,
    ledger,
    logger: fields => telemetry.logger(fields),
    meter: labels => telemetry.meter(labels),
    tracer: name => telemetry.tracer(name),
    report(instance: InstanceId, status: Status, error?: Error) {
      const changed = statuses.report(instance, status, error)
      if (changed && status === 'FatalError')
        parts.fatal(error ?? new Error(`${instance.kind} "${instance.id}" failed`))
    },
    statusOf: instance => statuses.statusOf(instance),
    running: (instance, component, offered) => host.running(instance, component, offered),
    stopping: (instance, component) => host.stopping(instance, component),
    moved: (from, to) => statuses.move(from, to),
    gone: instance => statuses.forget(instance),
  }
}
