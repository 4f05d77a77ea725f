import type {
  BuildInfo,
  Component,
  Consumers,
  Host,
  InstanceId,
  LedgerReport,
  ReadinessPart,
  Route,
} from '#core/component'
import type { CollectorState } from './collector-state.ts'
import { Contributions } from './contributions.ts'
import { pipelinesReadiness } from './readiness.ts'
import type { StatusBoard, StatusListener } from './status-board.ts'
import type { OwnTelemetry } from './telemetry/own-telemetry.ts'

/** The part of a collector that its components see. One a collector, over all reloads. */
export class CollectorHost implements Host {
  readonly build: BuildInfo
  readonly #board: StatusBoard
  readonly #telemetry: () => OwnTelemetry
  readonly #contributions = new Contributions()
  readonly #extensions = new Map<string, Component>()
  readonly #own: ReadinessPart

  /** @param telemetry answers with the one in use now: a reload may replace it */
  constructor(build: BuildInfo, board: StatusBoard, telemetry: () => OwnTelemetry, state: () => CollectorState) {
    this.build = build
    this.#board = board
    this.#telemetry = telemetry
    this.#own = pipelinesReadiness(board, state)
  }

  /** A component has started. */
  running(instance: InstanceId, component: Component): void {
    if (instance.kind === 'extension') this.#extensions.set(instance.id, component)
    this.#contributions.add(component)
  }

  /** A component is about to stop. */
  stopping(instance: InstanceId, component: Component): void {
    if (this.#extensions.get(instance.id) === component) this.#extensions.delete(instance.id)
    this.#contributions.remove(component)
  }

  extension(id: string): Component | undefined {
    return this.#extensions.get(id)
  }
  get extensions(): ReadonlyMap<string, Component> {
    return this.#extensions
  }
  routes(): readonly Route[] {
    return this.#contributions.routes()
  }
  /** The part `pipelines` comes first: it says whether the collector itself is up. */
  readiness(): readonly ReadinessPart[] {
    return [this.#own, ...this.#contributions.readiness()]
  }
  onContributionsChanged(changed: () => void): () => void {
    return this.#contributions.watch(changed)
  }
  onStatus(listener: StatusListener): () => void {
    return this.#board.subscribe(listener)
  }
  metricsText(): Promise<{ readonly contentType: string; readonly body: string }> {
    return this.#telemetry().metricsText()
  }
  ledger(): LedgerReport {
    return this.#telemetry().ledger.report()
  }
  subscribeOwnTelemetry(next: Consumers, options?: { readonly metricsInterval?: number }): () => void {
    return this.#telemetry().subscribe(next, options)
  }
}
