import type {
  BuildInfo,
  Component,
  Consumers,
  Host,
  InstanceId,
  LedgerReport,
  Overview,
  OwnTelemetryOptions,
  ReadinessPart,
  Route,
  StatusEvent,
} from '#core/component'

/** The host as one component sees it. Notes which extensions it asks for, since it must restart when they change. */
export class ComponentHost implements Host {
  readonly #host: Host
  readonly #asked: Set<string>

  constructor(host: Host, asked: Set<string>) {
    this.#host = host
    this.#asked = asked
  }

  extension(id: string): Component | undefined {
    this.#asked.add(id)
    return this.#host.extension(id)
  }
  get extensions(): ReadonlyMap<string, Component> {
    this.#asked.add('*')
    return this.#host.extensions
  }
  get build(): BuildInfo {
    return this.#host.build
  }
  routes(): readonly Route[] {
    return this.#host.routes()
  }
  readiness(): readonly ReadinessPart[] {
    return this.#host.readiness()
  }
  onContributionsChanged(changed: () => void): () => void {
    return this.#host.onContributionsChanged(changed)
  }
  onStatus(listener: (instance: InstanceId, event: StatusEvent) => void): () => void {
    return this.#host.onStatus(listener)
  }
  metricsText(): Promise<{ readonly contentType: string; readonly body: string }> {
    return this.#host.metricsText()
  }
  ledger(): LedgerReport {
    return this.#host.ledger()
  }
  subscribeOwnTelemetry(next: Consumers, options?: OwnTelemetryOptions): () => Promise<void> {
    return this.#host.subscribeOwnTelemetry(next, options)
  }
  overview(): Overview {
    return this.#host.overview()
  }
}
