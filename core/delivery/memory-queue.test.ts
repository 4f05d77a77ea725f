import { describe, expect, test } from 'vitest'
import { NO_CONTEXT, PermanentError, RetryableError } from '#core/component'
import { metrics, payloadFor, settle, traces } from '#core/testing'
import { rig } from './rig.test-support.ts'

const NO_RETRY = { retry_on_failure: { enabled: false } }
const EVEN = { retry_on_failure: { randomization_factor: 0 } }

describe('the queue in memory', () => {
  test('answers the sender at once and counts what waits', async () => {
    const { offer, sink, context } = await rig({ sending_queue: { num_consumers: 1 } })
    sink.hold()
    await offer(3)
    await offer(4)
    const size = () => context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })
    expect(size()).toBe(2)
    expect(context.meter.value('otelcol_exporter_queue_capacity', { data_type: 'traces' })).toBe(1000)
    expect(context.ledger.total('queued')).toBe(7)
    sink.release()
    await sink.received(7)
    await settle()
    expect(size()).toBe(0)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('sent')).toBe(7)
  })

  test('sends as many requests at a time as it has consumers', async () => {
    const { offer, sink } = await rig({ sending_queue: { num_consumers: 3 } })
    sink.hold()
    for (let i = 0; i < 10; i++) await offer(1)
    await settle()
    expect(sink.waiting).toBe(3)
    sink.release()
    await sink.received(10)
    expect(sink.peak).toBe(3)
  })

  test.each([
    ['requests', 2, [5, 5], 1],
    ['items', 10, [6, 4], 1],
  ])('measured in %s refuses beyond queue_size, what is under way included', async (sizer, queue_size, taken, more) => {
    const { offer, sink, context } = await rig({ sending_queue: { sizer, queue_size, num_consumers: 1 } })
    sink.hold()
    for (const items of taken) await offer(items)
    await settle()
    const error = await offer(more).catch(caught => caught)
    expect(error).toBeInstanceOf(RetryableError)
    expect(error.message).toBe('sending queue is full')
    expect(context.meter.value('otelcol_exporter_enqueue_failed_spans')).toBe(more)
    expect(context.logger.lines.at(-1)).toEqual({
      level: 'error',
      message: 'Exporting failed. Rejecting data.',
      fields: { error, rejected_items: more },
    })
    expect(context.ledger.total('queued')).toBe(10)
  })

  test('measured in bytes counts the protobuf size', async () => {
    const payload = traces(3)
    const { delivery, context, sink } = await rig({ sending_queue: { sizer: 'bytes', queue_size: payload.bytes * 2 } })
    sink.hold()
    await delivery.consume(payload, NO_CONTEXT)
    expect(context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })).toBe(payload.bytes)
    await delivery.consume(payload, NO_CONTEXT)
    await expect(delivery.consume(payload, NO_CONTEXT)).rejects.toThrow('sending queue is full')
  })

  test('tells the sender of a request that will never fit so', async () => {
    const { offer } = await rig({ sending_queue: { sizer: 'items', queue_size: 10 } })
    await expect(offer(11)).rejects.toThrow('element size too large')
    await expect(offer(11)).rejects.toBeInstanceOf(PermanentError)
  })

  test('lets senders wait for room with block_on_overflow', async () => {
    const { offer, sink, context } = await rig({
      sending_queue: { queue_size: 1, block_on_overflow: true, num_consumers: 1 },
    })
    sink.hold()
    await offer(1)
    const sender = new AbortController()
    const second = offer(1)
    const third = offer(1, { ...NO_CONTEXT, signal: sender.signal })
    sender.abort()
    await expect(third).rejects.toThrow('the sender has gone')
    sink.release()
    await second
    await sink.received(2)
    await settle()
    expect(sink.items).toBe(2)
    expect(context.meter.value('otelcol_exporter_enqueue_failed_spans')).toBe(1)
    expect(context.ledger.total('queued')).toBe(0)
  })

  test('goes on with a request although its sender has gone', async () => {
    const { offer, sink, advance } = await rig(EVEN)
    sink.refuse()
    const sender = new AbortController()
    await offer(1, { ...NO_CONTEXT, signal: sender.signal })
    sender.abort()
    await settle()
    sink.accept()
    await advance(5000)
    expect(sink.items).toBe(1)
  })

  test('takes empty requests and drops them', async () => {
    const { offer, sink, context } = await rig()
    await offer(0)
    await settle()
    expect(sink.calls).toBe(0)
    expect(context.ledger.entries).toEqual([])
  })

  test('sends profiles, whose items are not counted', async () => {
    const { delivery, sink } = await rig({ sending_queue: { batch: {} } }, { signals: ['profiles'] })
    await delivery.consume(payloadFor('profiles'), NO_CONTEXT)
    await delivery.shutdown!()
    expect(sink.payloads).toHaveLength(1)
  })

  test('is one for each signal', async () => {
    const written = { sending_queue: { queue_size: 1, num_consumers: 1 } }
    const { delivery, sink, context } = await rig(written, { signals: ['traces', 'metrics'] })
    sink.hold()
    await delivery.consume(traces(1), NO_CONTEXT)
    await delivery.consume(metrics(1), NO_CONTEXT)
    expect(context.meter.value('otelcol_exporter_queue_size', { data_type: 'metrics' })).toBe(1)
    expect(context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' })).toBe(1)
  })

  test('keeps metadata, peer, authentication and trace context of a request', async () => {
    const { offer, attempts } = await rig()
    const auth = { attribute: () => 'me', names: ['subject'] }
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const metadata = new Map([['tenant', ['a']]])
    await offer(1, { metadata, auth, clientAddress: '192.0.2.1:5', traceparent })
    await settle()
    const [{ metadata: m, auth: a, clientAddress, traceparent: t }] = attempts as [(typeof attempts)[0]]
    expect({ m, a, clientAddress, t }).toEqual({ m: metadata, a: auth, clientAddress: '192.0.2.1:5', t: traceparent })
  })

  test('drops what the destination will never take, and says why', async () => {
    const { offer, sink, context } = await rig(NO_RETRY)
    sink.refuse(new PermanentError('malformed'))
    await offer(2)
    await settle()
    sink.refuse()
    await offer(3)
    await settle()
    expect(context.ledger.total('dropped', 'permanent_error')).toBe(2)
    expect(context.ledger.total('dropped', 'retry_disabled')).toBe(3)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.logger.messages('error')).toEqual([
      'Exporting failed. Dropping data. Try enabling retry_on_failure config option to retry on retryable errors.',
      'Exporting failed. Dropping data. Try enabling retry_on_failure config option to retry on retryable errors.',
    ])
  })

  test('records sizes when they come in', async () => {
    const { offer, context } = await rig()
    await offer(12)
    expect(context.meter.recorded('otelcol_exporter_enqueue_size')).toEqual([12])
    expect(context.meter.recorded('otelcol_exporter_enqueue_size_bytes')).toEqual([traces(12).bytes])
  })
})

describe('with wait_for_result', () => {
  const WAIT = { num_consumers: 1, wait_for_result: true }

  test('the sender hears what came of its request', async () => {
    const { offer, sink, context } = await rig({ sending_queue: WAIT, ...NO_RETRY })
    const busy = new RetryableError('busy')
    sink.refuseWhen(payload => (payload.items === 2 ? busy : undefined))
    const [one, two] = await Promise.allSettled([offer(1), offer(2)])
    expect(one.status).toBe('fulfilled')
    expect(two).toMatchObject({ status: 'rejected', reason: busy })
    expect(context.ledger.entries).toEqual([{ what: 'sent', signal: 'traces', items: 1 }])
    expect(context.meter.value('otelcol_exporter_enqueue_failed_spans')).toBe(0)
    expect(context.logger.messages()).toEqual([
      'Exporting failed. Rejecting data. Try enabling retry_on_failure config option to retry on retryable errors.',
    ])
  })

  test('a full queue is told at once', async () => {
    const { offer, sink, context } = await rig({ sending_queue: { ...WAIT, queue_size: 1 } })
    sink.hold()
    const first = offer(1)
    await expect(offer(1)).rejects.toThrow('sending queue is full')
    expect(context.meter.value('otelcol_exporter_enqueue_failed_spans')).toBe(1)
    sink.release()
    await first
  })

  test('a request that was sent in part only counts as refused as a whole', async () => {
    const { offer, sink, context } = await rig({
      sending_queue: { ...WAIT, batch: { min_size: 10, max_size: 10 } },
      ...NO_RETRY,
    })
    sink.failEvery(2)
    await expect(offer(20)).rejects.toThrow('sink refuses every 2th request')
    expect(context.ledger.entries).toEqual([])
  })
})
