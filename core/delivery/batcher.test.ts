import { describe, expect, test } from 'vitest'
import { type ConsumeContext, PartialError } from '#core/component'
import { decodePayload, settle, traces } from '#core/testing'
import { rig } from './rig.test-support.ts'

const tenant = (...values: string[]): ConsumeContext => ({ metadata: new Map([['tenant', values]]) })
const batch = (written: object, more: object = {}) => ({ sending_queue: { batch: written, ...more } })

describe('batches in the queue', () => {
  test('go out when they are large enough', async () => {
    const { offer, sink, context } = await rig(batch({ min_size: 10 }))
    await offer(4)
    await offer(5)
    await settle()
    expect(sink.calls).toBe(0)
    await offer(3)
    await settle()
    expect(sink.payloads.map(payload => payload.items)).toEqual([12])
    expect(context.meter.recorded('otelcol_exporter_queue_batch_send_size')).toEqual([12])
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('sent')).toBe(12)
    expect(context.fakeClock.pending).toBe(0)
  })

  test('go out when they are old enough', async () => {
    const { offer, sink, advance } = await rig(batch({ min_size: 10 }))
    await offer(4)
    await advance(100)
    await offer(1)
    await advance(99)
    expect(sink.calls).toBe(0)
    await advance(1)
    expect(sink.payloads.map(payload => payload.items)).toEqual([5])
  })

  test('go out at once when min_size is 0', async () => {
    const { offer, sink } = await rig(batch({ min_size: 0 }))
    await offer(1)
    await settle()
    expect(sink.items).toBe(1)
  })

  test('are cut at max_size, and what is left waits for more', async () => {
    const { offer, sink, advance } = await rig(batch({ min_size: 10, max_size: 10 }))
    await offer(4)
    await offer(19)
    await settle()
    expect(sink.payloads.map(payload => payload.items)).toEqual([10, 10])
    await advance(199)
    expect(sink.calls).toBe(2)
    await advance(1)
    expect(sink.payloads.map(payload => payload.items)).toEqual([10, 10, 3])
  })

  test('may be measured in bytes', async () => {
    const bytes = traces(5).bytes
    const { offer, sink } = await rig(batch({ min_size: bytes, max_size: bytes, sizer: 'bytes' }))
    await offer(5)
    await offer(10)
    await settle()
    expect(sink.payloads.length).toBeGreaterThan(1)
    for (const payload of sink.payloads) expect(payload.bytes).toBeLessThanOrEqual(bytes)
  })

  test('hold the items in the order in which they came', async () => {
    const { delivery, sink, advance } = await rig(batch({ min_size: 7, max_size: 7 }))
    for (const name of ['a', 'b', 'c']) {
      await delivery.consume(traces(5, { resource: { name } }), tenant())
    }
    await advance(200)
    const names = sink.payloads.flatMap(payload => {
      const { resourceSpans } = decodePayload(payload) as { resourceSpans: ResourceSpans[] }
      return resourceSpans.flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map(span => `${resource.attributes[0]!.value.stringValue}/${span.name}`),
        ),
      )
    })
    expect(names).toEqual(['a', 'b', 'c'].flatMap(name => [0, 1, 2, 3, 4].map(n => `${name}/span ${n}`)))
  })

  test('keep apart what the partition keys keep apart, an empty value from none', async () => {
    const { offer, sink, attempts, advance, context } = await rig(
      batch({ min_size: 100, partition: { metadata_keys: ['Tenant'] } }),
    )
    await offer(1, tenant('a'))
    await offer(2, tenant('b'))
    await offer(4, tenant('a'))
    await offer(8, tenant(''))
    await offer(16, { metadata: new Map([['other', ['x']]]) })
    await offer(32, tenant('a', 'b'))
    await advance(200)
    expect(sink.payloads.map(payload => payload.items)).toEqual([5, 2, 8, 16, 32])
    expect(attempts.map(attempt => [...attempt.metadata])).toEqual([
      [['tenant', ['a']]],
      [['tenant', ['b']]],
      [['tenant', ['']]],
      [],
      [['tenant', ['a', 'b']]],
    ])
    expect(context.fakeClock.pending).toBe(0)
  })

  test('without partition keys carry no metadata', async () => {
    const { offer, attempts } = await rig(batch({ min_size: 1 }))
    await offer(1, tenant('a'))
    await settle()
    expect(attempts[0]!.metadata.size).toBe(0)
  })

  test('count against the queue until they are sent', async () => {
    const { offer, sink, advance } = await rig(batch({ min_size: 10 }, { sizer: 'items', queue_size: 10 }))
    await offer(9)
    await settle()
    await expect(offer(2)).rejects.toThrow('sending queue is full')
    await advance(200)
    expect(sink.items).toBe(9)
    await offer(10)
  })

  test('are sent num_consumers at a time; the queue is read no further ahead than that', async () => {
    const { offer, sink } = await rig(batch({ min_size: 1 }, { num_consumers: 2 }))
    sink.hold()
    for (let i = 0; i < 20; i++) await offer(1)
    await settle()
    expect(sink.waiting).toBe(2)
    sink.release()
    await sink.received(20)
    expect(sink.peak).toBe(2)
  })

  test('count rejected items once', async () => {
    const { offer, sink, context } = await rig(batch({ min_size: 10 }))
    sink.refuse(new PartialError(3, 'too old'))
    await offer(5)
    await offer(5)
    await settle()
    expect(context.ledger.total('sent')).toBe(7)
    expect(context.ledger.total('dropped', 'rejected')).toBe(3)
    expect(context.ledger.total('queued')).toBe(0)
  })

  test('answer every sender with wait_for_result, and count each request whole', async () => {
    const { offer, sink, context } = await rig(batch({ min_size: 10, max_size: 10 }, { wait_for_result: true }))
    sink.refuse(new PartialError(2, 'too old'))
    await Promise.all([offer(5), offer(15)])
    expect(sink.calls).toBe(2)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('sent') + context.ledger.total('dropped', 'rejected')).toBe(20)
  })
})

interface ResourceSpans {
  resource: { attributes: { value: { stringValue: string } }[] }
  scopeSpans: { spans: { name: string }[] }[]
}
