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
} from '#core/component'
import type { Offered } from '#core/pipeline'
import { Contributions } from './contributions.ts'
import type { Statuses, StatusListener } from './statuses.ts'
import type { OwnTelemetry } from './telemetry/own-telemetry.ts'

/** What a host shows of the engine that runs. */
export interface Shown extends Pick<OwnTelemetry, 'logger' | 'ledger' | 'metricsText'> {
  subscribe(next: Consumers, options?: OwnTelemetryOptions): () => Promise<void>
  overview(): Overview
}

/** The part of a collector that its components see. One a collector, over all reloads. */
export class CollectorHost implements Host {
  readonly build: BuildInfo
  readonly #statuses: Statuses
  readonly #shown: () => Shown
  readonly #contributions = new Contributions()
  readonly #extensions = new Map<string, Component>()

  /** @param shown answers with what is in use now: a reload may replace it */
  constructor(build: BuildInfo, statuses: Statuses, shown: () => Shown) {
    this.build = build
    this.#statuses = statuses
    this.#shown = shown
  }

  /** A component has started. */
  running(instance: InstanceId, component: Component, offered: Offered = component): void {
    if (instance.kind === 'extension') this.#extensions.set(instance.id, component)
    this.#contributions.add(component, offered)
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
  readiness(): readonly ReadinessPart[] {
    return this.#contributions.readiness()
  }
  onContributionsChanged(changed: () => void): () => void {
    return this.#contributions.watch(() => this.#contain(changed))
  }
  onStatus(listener: StatusListener): () => void {
    return this.#statuses.subscribe((instance, event) => this.#contain(() => listener(instance, event)))
  }
  metricsText(): Promise<{ readonly contentType: string; readonly body: string }> {
    return this.#shown().metricsText()
  }
  ledger(): LedgerReport {
    return this.#shown().ledger.report()
  }
  subscribeOwnTelemetry(next: Consumers, options?: OwnTelemetryOptions): () => Promise<void> {
    return this.#shown().subscribe(next, options)
  }
  overview(): Overview {
    return this.#shown().overview()
  }

  /** A watcher that throws must not keep the component it watches from starting or stopping. */
  #contain(watcher: () => void): void {
    try {
      watcher()
    } catch (error) {
      this.#shown().logger().error('A component failed to take in what it watches', { error })
    }
  }
}
