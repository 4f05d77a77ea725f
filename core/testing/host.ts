import type {
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
import { TEST_BUILD } from './context.ts'

type Listener = (instance: InstanceId, event: StatusEvent) => void

/** A host for one component under test: extensions, contributions, statuses and the ledger are what the test says. */
export class TestHost implements Host {
  readonly build = TEST_BUILD
  readonly extensions: Map<string, Component>
  metrics = '# HELP up Whether it runs\n# TYPE up gauge\nup 1\n'
  report: LedgerReport = { pipelines: {}, exporters: {} }
  /** What {@link overview} tells. */
  shown: Overview = { startTime: 0, pipelines: [], extensions: [], featureGates: [] }
  readonly #components = new Set<Component>()
  readonly #watchers = new Set<() => void>()
  readonly #listeners = new Set<Listener>()
  readonly #states = new Map<string, { readonly instance: InstanceId; readonly event: StatusEvent }>()

  constructor(extensions: Readonly<Record<string, object>> = {}) {
    this.extensions = new Map(Object.entries(extensions))
  }

  extension(id: string): Component | undefined {
    return this.extensions.get(id)
  }

  /** Makes a component's routes and readiness parts known, as starting it does. */
  add(component: Component): void {
    this.#components.add(component)
    for (const changed of this.#watchers) changed()
  }

  /** Takes them away again. */
  remove(component: Component): void {
    this.#components.delete(component)
    for (const changed of this.#watchers) changed()
  }

  /** A status event of some component. */
  emit(instance: InstanceId, event: Omit<StatusEvent, 'time'> & { readonly time?: number }): void {
    const stamped = { time: 0, ...event }
    this.#states.set(`${instance.kind}:${instance.id}:${instance.pipelines}`, { instance, event: stamped })
    for (const listener of this.#listeners) listener(instance, stamped)
  }

  routes(): readonly Route[] {
    return [...this.#components].flatMap(component => component.routes ?? [])
  }

  readiness(): readonly ReadinessPart[] {
    return [...this.#components].flatMap(component => component.readiness ?? [])
  }

  onContributionsChanged(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  onStatus(listener: Listener): () => void {
    this.#listeners.add(listener)
    for (const { instance, event } of this.#states.values()) listener(instance, event)
    return () => this.#listeners.delete(listener)
  }

  /** The consumers subscribed to the collector's own telemetry. */
  readonly subscribers = new Set<Consumers>()

  /** What the latest subscriber asked for. */
  subscription: OwnTelemetryOptions | undefined

  subscribeOwnTelemetry(next: Consumers, options?: OwnTelemetryOptions): () => Promise<void> {
    this.subscription = options
    this.subscribers.add(next)
    return async () => void this.subscribers.delete(next)
  }

  /** How many still listen to statuses, contributions and own telemetry: 0 after a clean shutdown. */
  get watchers(): number {
    return this.#watchers.size + this.#listeners.size + this.subscribers.size
  }

  async metricsText(): Promise<{ contentType: string; body: string }> {
    return { contentType: 'text/plain; version=0.0.4; charset=utf-8', body: this.metrics }
  }

  ledger(): LedgerReport {
    return this.report
  }

  overview(): Overview {
    return this.shown
  }
}
