import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_CONTEXT, PartialError, PermanentError, RetryableError } from '#core/component'
import type { Payload } from '#core/data'
import { decodePayload, settle, traces } from '#core/testing'
import { rig } from './rig.test-support.ts'

/** What happens to a delivery, in some order. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('offer' as const), items: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 3000 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'hold' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'release' as const }) },
)

/** What the destination answers, attempt by attempt; then it takes everything. */
const fault = fc.constantFrom('none', 'none', 'retryable', 'throttled', 'permanent', 'partial', 'thrown')

const queue = fc.record({
  sizer: fc.constantFrom('requests', 'items', 'bytes'),
  queue_size: fc.integer({ min: 1, max: 4000 }),
  num_consumers: fc.integer({ min: 1, max: 4 }),
  block_on_overflow: fc.boolean(),
  wait_for_result: fc.boolean(),
  batch: fc.option(
    fc.record({
      flush_timeout: fc.constantFrom('50ms', '200ms', '5s'),
      min_size: fc.integer({ min: 0, max: 20 }),
      max_size: fc.constantFrom(0, 20, 25),
      sizer: fc.constant('items'),
    }),
    { nil: { enabled: false } },
  ),
})

test('whatever the destination does, every item is sent, dropped with a reason, or refused to its sender, once', async () => {
  await fc.assert(
    fc.asyncProperty(
      queue,
      fc.array(step, { minLength: 1, maxLength: 40 }),
      fc.array(fault, { maxLength: 60 }),
      async (sending_queue, steps, faults) => {
        const retry_on_failure = { initial_interval: '100ms', max_interval: '1s', max_elapsed_time: '4s' }
        const { delivery, sink, context, advance } = await rig({ timeout: '0s', sending_queue, retry_on_failure })
        let turn = 0
        sink.refuseWhen(() => errorFor(faults[turn++] ?? 'none'))
        let offered = 0
        let accepted = 0
        let refused = 0
        for (const each of steps) {
          if (each.kind === 'offer') {
            const name = `r${offered}`
            offered += each.items
            delivery.consume(traces(each.items, { resource: { name } }), NO_CONTEXT).then(
              () => {
                accepted += each.items
              },
              () => {
                refused += each.items
              },
            )
          }
          if (each.kind === 'pass') await advance(each.ms)
          if (each.kind === 'hold') sink.hold()
          if (each.kind === 'release') sink.release()
          const size = context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })
          expect(size).toBeLessThanOrEqual(sending_queue.queue_size)
          expect(sink.waiting).toBeLessThanOrEqual(sending_queue.num_consumers)
        }
        const shutdown = delivery.shutdown!()
        await advance(20_000)
        sink.release()
        await shutdown
        await settle()
        const sent = context.ledger.total('sent')
        const dropped = context.ledger.total('dropped')
        expect(accepted + refused).toBe(offered)
        expect(context.ledger.total('queued')).toBe(0)
        expect(sent + dropped).toBe(accepted)
        expect(context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })).toBe(0)
        expect(context.fakeClock.pending).toBe(0)
        if (!sending_queue.wait_for_result)
          expect(new Set(keysOf(sink.payloads)).size).toBe(keysOf(sink.payloads).length)
      },
    ),
    { numRuns: 150 },
  )
})

function errorFor(kind: string): Error | undefined {
  switch (kind) {
    case 'retryable':
      return new RetryableError('away')
    case 'throttled':
      return new RetryableError('slow down', { after: 700 })
    case 'permanent':
      return new PermanentError('malformed')
    case 'partial':
      return new PartialError(1, 'one is too old')
    case 'thrown':
      return new TypeError('fetch failed')
    default:
      return undefined
  }
}

interface Decoded {
  resourceSpans: {
    resource: { attributes: { value: { stringValue: string } }[] }
    scopeSpans: { spans: { name: string }[] }[]
  }[]
}

/** Which item of which request each span is. */
function keysOf(payloads: readonly Payload[]): string[] {
  return payloads.flatMap(payload =>
    (decodePayload(payload) as unknown as Decoded).resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans.map(span => `${resource.attributes[0]!.value.stringValue}/${span.name}`)),
    ),
  )
}

test('one consumer without batching keeps the order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 30 }), async sizes => {
      const { offer, sink } = await rig({ sending_queue: { num_consumers: 1 } })
      for (const size of sizes) await offer(size)
      await settle()
      expect(sink.payloads.map(payload => payload.items)).toEqual(sizes)
    }),
    { numRuns: 50 },
  )
})
