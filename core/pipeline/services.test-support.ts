import { trace } from '@opentelemetry/api'
import { type Clock, type Component, type InstanceId, mayFollow, type Status, systemClock } from '#core/component'
import { RecordingLogger, RecordingMeter, TEST_BUILD, TestHost } from '#core/testing'
import { LedgerBook } from '../service/telemetry/ledger-book.ts'
import type { Offered } from './offered.ts'
import type { GraphServices } from './services.ts'

/** What a graph needs, remembering everything it is told. */
export class TestServices implements GraphServices {
  readonly build = TEST_BUILD
  readonly clock: Clock
  readonly log = new RecordingLogger()
  readonly recorded = new RecordingMeter()
  readonly ledger = new LedgerBook()
  readonly host = new TestHost()
  /** `<kind> <id> <status>` in order. */
  readonly statuses: string[] = []
  readonly #states = new Map<InstanceId, Status>()
  readonly #offered = new Map<Component, Offered>()

  constructor(clock: Clock = systemClock) {
    this.clock = clock
  }

  logger(fields = {}): RecordingLogger {
    return this.log.with(fields)
  }
  meter(labels = {}): GraphServices['meter'] extends (...args: never) => infer M ? M : never {
    return { bind: (declarations, more) => this.recorded.bind(declarations, { ...labels, ...more }) }
  }
  tracer(name: string): ReturnType<GraphServices['tracer']> {
    return trace.getTracer(name)
  }
  report(instance: InstanceId, status: Status): void {
    if (!mayFollow(this.#states.get(instance), status)) return
    this.#states.set(instance, status)
    this.statuses.push(`${instance.kind} ${instance.id} ${status}`)
  }
  statusOf(instance: InstanceId): Status | undefined {
    return this.#states.get(instance)
  }
  running(instance: InstanceId, component: Component, offered: Offered): void {
    if (instance.kind === 'extension') this.host.extensions.set(instance.id, component)
    this.#offered.set(component, offered)
    this.host.add(offered)
  }
  stopping(instance: InstanceId, component: Component): void {
    if (instance.kind === 'extension') this.host.extensions.delete(instance.id)
    this.host.remove(this.#offered.get(component) ?? component)
  }
  moved(from: InstanceId, to: InstanceId): void {
    const status = this.#states.get(from)
    if (status !== undefined) this.#states.set(to, status)
    this.#states.delete(from)
    this.statuses.push(`${to.kind} ${to.id} serves ${to.pipelines}`)
  }
  gone(instance: InstanceId): void {
    if ((this.#states.get(instance) ?? 'Stopped') !== 'Stopped')
      this.statuses.push(`${instance.kind} ${instance.id} gone`)
    this.#states.delete(instance)
  }
}
