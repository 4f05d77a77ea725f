import { type Component, type ConsumeContext, type Consumer, type Host, NO_CONTEXT } from '#core/component'
import { t } from '#core/config'
import type { Payload, Signal } from '#core/data'
import { configure, Sink, type TestContext, TestHost, testContext, traces } from '#core/testing'
import type { SendContext } from './attempt.ts'
import { createDelivery } from './delivery.ts'
import { type DeliveryConfig, type DeliveryDefaults, deliveryFields } from './options.ts'

/** A configuration as an exporter receives it. */
export function deliveryConfig(written: unknown = {}, defaults: DeliveryDefaults = {}): DeliveryConfig {
  return configure(t.section(deliveryFields(defaults)), written)
}

/** A started delivery in front of a sink, on a clock that stands still. */
export interface Rig {
  readonly delivery: Component & Consumer
  readonly context: TestContext
  readonly sink: Sink
  /** What each attempt was given. */
  readonly attempts: SendContext[]
  /** Hands over `items` spans. */
  offer(items: number, context?: ConsumeContext): Promise<void>
  advance(ms: number): Promise<void>
}

export interface RigOptions {
  readonly defaults?: DeliveryDefaults
  readonly signals?: readonly Signal[]
  readonly host?: Host
  readonly level?: 'detailed'
  /** That of another rig, as two instances of one exporter share it. */
  readonly ledger?: TestContext['ledger']
  readonly tracer?: TestContext['tracer']
  readonly sink?: Sink
}

export async function rig(written: unknown = {}, options: RigOptions = {}): Promise<Rig> {
  const made = testContext({ id: 'test', kind: 'exporter', signals: options.signals ?? ['traces'] })
  const { level, ledger = made.ledger, tracer = made.tracer, sink = new Sink() } = options
  Object.assign(made, { ledger, tracer })
  if (level !== undefined) Object.assign(made.meter, { level })
  const attempts: SendContext[] = []
  const delivery = createDelivery({
    config: deliveryConfig(written, options.defaults),
    context: made,
    send: (payload: Payload, context: SendContext) => {
      attempts.push(context)
      return sink.consume(payload, { metadata: context.metadata })
    },
  })
  await delivery.start?.(options.host ?? new TestHost())
  return {
    delivery,
    context: made,
    sink,
    attempts,
    offer: (items, context = NO_CONTEXT) => delivery.consume(traces(items), context),
    advance: ms => made.fakeClock.advance(ms),
  }
}
