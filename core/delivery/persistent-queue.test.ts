import { describe, expect, test } from 'vitest'
import { type ConsumeContext, NO_CONTEXT, RetryableError } from '#core/component'
import { Chunk, Payload } from '#core/data'
import { Sink, settle, TestHost, traces } from '#core/testing'
import { Disk, rigOn } from './disk.test-support.ts'
import { rig } from './rig.test-support.ts'
import { encodeEntry, storedKey } from './stored-entry.ts'

describe('a queue in storage', () => {
  test('answers once a request is flushed, all that came meanwhile in one go', async () => {
    const disk = new Disk()
    const { offer, sink, context } = await rigOn(disk)
    sink.hold()
    disk.hold()
    let answered = 0
    const offers = [1, 2, 3].map(items =>
      offer(items).then(() => {
        answered++
      }),
    )
    await settle()
    const later = offer(4)
    await settle()
    expect(answered).toBe(0)
    expect(sink.calls).toBe(0)
    expect(disk.batches.map(batch => batch.length)).toEqual([3])
    disk.release()
    await Promise.all([...offers, later])
    expect(disk.batches.map(batch => batch.length)).toEqual([3, 1])
    expect(context.ledger.total('queued')).toBe(10)
    expect(sink.calls).toBe(1)
  })

  test('forgets what was sent', async () => {
    const disk = new Disk()
    const { offer, sink, context } = await rigOn(disk)
    await offer(3)
    await sink.received(3)
    await settle()
    expect(await disk.allKeys()).toEqual([])
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('sent')).toBe(3)
    expect(context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })).toBe(0)
  })

  test('finds again what waited and what was under way, in order, with its context', async () => {
    const disk = new Disk()
    const first = await rigOn(disk)
    first.sink.hold()
    const metadata = new Map([['tenant', ['a']]])
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const auth = { attribute: () => 'me', names: ['subject'] }
    for (const items of [3, 1, 2])
      await first.offer(items, { metadata, traceparent, auth, clientAddress: '192.0.2.1:5' })
    await settle()
    expect(first.sink.waiting).toBe(1)
    // No shutdown: the process is gone.
    const second = await rigOn(disk)
    await second.sink.received(6)
    expect(second.sink.payloads.map(payload => payload.items)).toEqual([3, 1, 2])
    expect(second.sink.payloads[0]!.flat().equals(traces(3).flat())).toBe(true)
    const { metadata: m, traceparent: t, auth: a, clientAddress } = second.attempts[0]!
    expect({ m, t, a, clientAddress }).toEqual({
      m: metadata,
      t: traceparent,
      a: undefined,
      clientAddress: '192.0.2.1:5',
    })
    expect(second.context.logger.lines[0]).toEqual({
      level: 'info',
      message: 'Found requests in storage. Sending them.',
      fields: { requests: 3, items: 6 },
    })
    await settle()
    expect(second.context.ledger.total('created')).toBe(6)
    expect(second.context.ledger.total('queued')).toBe(0)
    expect(second.context.ledger.total('sent')).toBe(6)
    expect(await disk.allKeys()).toEqual([])
  })

  test('goes on counting after a restart, so that order holds', async () => {
    const disk = new Disk()
    const first = await rigOn(disk)
    first.sink.hold()
    for (const items of [3, 1]) await first.offer(items)
    const second = await rigOn(disk)
    second.sink.hold()
    await second.offer(2)
    second.sink.release()
    await second.sink.received(6)
    expect(second.sink.payloads.map(payload => payload.items)).toEqual([3, 1, 2])
  })

  test('overwrites nothing of an earlier run', async () => {
    const disk = new Disk()
    for (let run = 0; run < 3; run++) {
      const sink = new Sink()
      sink.hold()
      const { offer } = await rigOn(disk, {}, { sink })
      await offer(1)
    }
    const { sink } = await rigOn(disk)
    await sink.received(3)
    await settle()
    expect(sink.calls).toBe(3)
  })

  test('keeps what it cannot send at shutdown: one attempt for what is under way, none for the rest', async () => {
    const disk = new Disk()
    const { delivery, offer, sink, context } = await rigOn(disk)
    sink.refuse()
    for (const items of [3, 1, 2]) await offer(items)
    await settle()
    await delivery.shutdown!()
    expect(sink.calls).toBe(1)
    expect(context.ledger.total('queued')).toBe(6)
    expect(context.ledger.total('dropped')).toBe(0)
    expect(context.logger.messages('error')).toEqual([])
    expect(context.fakeClock.pending).toBe(0)
    const second = await rigOn(disk)
    await second.sink.received(6)
  })

  test('is in the ledger once when it is opened again in the same process', async () => {
    const disk = new Disk()
    const first = await rigOn(disk)
    first.sink.refuse()
    await first.offer(5)
    await first.delivery.shutdown!()
    const second = await rigOn(disk, {}, { ledger: first.context.ledger })
    await second.sink.received(5)
    await settle()
    expect(first.context.ledger.total('created')).toBe(0)
    expect(first.context.ledger.total('queued')).toBe(0)
    expect(first.context.ledger.total('sent')).toBe(5)
  })

  test('keeps a batch that is not full, and its timer does not outlive it', async () => {
    const disk = new Disk()
    const { delivery, offer, sink, context } = await rigOn(disk, { batch: { flush_timeout: '1h' } })
    await offer(3)
    await settle()
    await delivery.shutdown!()
    expect(sink.calls).toBe(0)
    expect(context.fakeClock.pending).toBe(0)
    expect(await rigOn(disk).then(({ sink }) => sink.received(3))).toBeUndefined()
  })

  test('is read no further ahead than batches can be sent', async () => {
    const disk = new Disk()
    for (let i = 0; i < 20; i++) await disk.set(storedKey(i, traces(1)), encodeEntry(traces(1), NO_CONTEXT))
    const sink = new Sink()
    sink.hold()
    await rigOn(disk, { batch: { min_size: 1 }, num_consumers: 2 }, { sink })
    await settle()
    expect(sink.waiting).toBe(2)
    expect(disk.reads).toBe(4)
    sink.release()
    await sink.received(20)
    expect(disk.reads).toBe(20)
  })

  test('accepts what was being written when the shutdown came', async () => {
    const disk = new Disk()
    const { delivery, offer, context } = await rigOn(disk)
    disk.hold()
    const offering = offer(2)
    await settle()
    const shutdown = delivery.shutdown!()
    disk.release()
    await Promise.all([offering, shutdown])
    expect(context.ledger.total('queued')).toBe(2)
    await rigOn(disk).then(({ sink }) => sink.received(2))
  })

  test.each([
    ['requests', 2, [1, 1]],
    ['items', 10, [6, 4]],
  ])('measured in %s holds queue_size, over a restart too', async (sizer, queue_size, taken) => {
    const disk = new Disk()
    const first = await rigOn(disk, { sizer, queue_size })
    first.sink.hold()
    for (const items of taken) await first.offer(items)
    await expect(first.offer(1)).rejects.toThrow('sending queue is full')
    const second = await rigOn(disk, { sizer, queue_size })
    second.sink.hold()
    expect(second.context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })).toBe(queue_size)
    await expect(second.offer(1)).rejects.toThrow('sending queue is full')
  })

  test('holds more than fits in memory beside it', async () => {
    const disk = new Disk()
    const { delivery, sink } = await rigOn(disk)
    sink.hold()
    const large = (byte: number) => new Payload('traces', [new Chunk([Buffer.alloc(10_000_000, byte)], 1)])
    for (let i = 0; i < 6; i++) await delivery.consume(large(i), NO_CONTEXT)
    sink.release()
    await sink.received(6)
    expect(sink.payloads.map(payload => payload.flat()[5])).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('a store that fails', () => {
  test('refuses requests, which the sender may send again, and gives their room back', async () => {
    const disk = new Disk()
    const { offer, context, sink } = await rigOn(disk, { queue_size: 1 })
    disk.failure = new Error('No space left on device')
    const error = await offer(3).catch(caught => caught)
    expect(error).toBeInstanceOf(RetryableError)
    expect(error.message).toBe('Could not store the request: No space left on device')
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.meter.value('otelcol_exporter_enqueue_failed_spans')).toBe(3)
    disk.failure = undefined
    await offer(2)
    await sink.received(2)
  })

  test('is asked again to forget what was sent', async () => {
    const disk = new Disk()
    const { offer, sink, context } = await rigOn(disk)
    sink.hold()
    await offer(1)
    await settle()
    disk.failure = new Error('No space left on device')
    sink.release()
    await settle()
    expect(context.logger.messages('error')).toEqual(['Could not remove sent requests from storage'])
    disk.failure = undefined
    await offer(2)
    await settle()
    expect(sink.items).toBe(3)
    expect(await disk.allKeys()).toEqual([])
  })

  test('is not there', async () => {
    const host = new TestHost()
    await expect(rig({ sending_queue: { storage: 'file_storage' } }, { host })).rejects.toThrow(
      'no storage client extension found: file_storage',
    )
  })
})

describe('damaged requests', () => {
  test('are set aside with the reason, and the others sent', async () => {
    const disk = new Disk()
    const first = await rigOn(disk)
    first.sink.hold()
    for (const items of [3, 1, 2]) await first.offer(items)
    const [, second] = await disk.allKeys()
    const value = (await disk.get(second!))!
    value[value.length - 1]! ^= 1
    await disk.set(second!, value)
    await disk.set('q/nonsense', Buffer.from('x'))
    const { sink, context } = await rigOn(disk)
    await sink.received(5)
    await settle()
    expect(sink.payloads.map(payload => payload.items)).toEqual([3, 2])
    expect(context.ledger.total('dropped', 'damaged')).toBe(1)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })).toBe(0)
    expect(await disk.allKeys()).toEqual([
      `damaged/${second}`,
      `damaged/${second}/reason`,
      'damaged/q/nonsense',
      'damaged/q/nonsense/reason',
    ])
    expect(String(await disk.get(`damaged/${second}/reason`))).toMatch(
      /^its checksum is [0-9a-f]{8}, stored was [0-9a-f]{8}$/,
    )
    expect((await disk.get(`damaged/${second}`))!.equals(value)).toBe(true)
    expect(context.logger.lines.filter(line => line.level === 'error').map(line => line.fields.dropped_items)).toEqual([
      0, 1,
    ])
  })

  test('fill storage up to a limit only', async () => {
    const disk = new Disk()
    for (let i = 0; i < 150; i++) await disk.set(storedKey(i, traces(1)), Buffer.from('x'))
    const { context } = await rigOn(disk)
    await settle()
    await settle()
    expect(context.ledger.total('dropped', 'damaged')).toBe(150)
    expect(await disk.allKeys()).toHaveLength(200)
  })
})

test('a request that is sent in several batches stays until the last of them is sent', async () => {
  const disk = new Disk()
  const { offer, sink, delivery, context } = await rigOn(disk, { batch: { min_size: 10, max_size: 10 } })
  const none: ConsumeContext = NO_CONTEXT
  sink.failEvery(2)
  await offer(20, none)
  await settle()
  expect(sink.items).toBe(10)
  expect(await disk.allKeys()).toHaveLength(1)
  await delivery.shutdown!()
  expect(sink.items).toBe(10)
  expect(context.ledger.total('sent')).toBe(10)
  const second = await rigOn(disk)
  await second.sink.received(20)
})
