import { describe, expect, test } from 'vitest'
import { NO_CONTEXT, PartialError, PermanentError, RetryableError } from '#core/component'
import { metrics, payloadFor, settle, traces } from '#core/testing'
import { rig } from './rig.test-support.ts'

const NO_RETRY = { retry_on_failure: { enabled: false } }
const NO_QUEUE = { sending_queue: { enabled: false } }
const EVEN = { retry_on_failure: { randomization_factor: 0 } }

describe('without a queue', () => {
  test('the sender waits for the destination', async () => {
    const { offer, sink, context } = await rig(NO_QUEUE)
    sink.hold()
    let done = false
    const sending = offer(3).then(() => {
      done = true
    })
    await settle()
    expect(done).toBe(false)
    sink.release()
    await sending
    expect(context.ledger.entries).toEqual([{ what: 'sent', signal: 'traces', items: 3 }])
    expect(context.meter.value('otelcol_exporter_sent_spans')).toBe(3)
  })

  test('a permanent error goes back to the sender at once, meaning and status kept', async () => {
    const { offer, sink, context } = await rig(NO_QUEUE)
    sink.refuse(new PermanentError('no such tenant', { code: 7 }))
    const error = await offer(3).catch(caught => caught)
    expect(error).toBeInstanceOf(PermanentError)
    expect(error).toMatchObject({ message: 'not retryable error: no such tenant', code: 7 })
    expect(sink.calls).toBe(1)
    expect(context.ledger.entries).toEqual([])
    expect(context.meter.value('otelcol_exporter_send_failed_spans')).toBe(3)
    expect(context.logger.lines).toEqual([
      {
        level: 'error',
        message: 'Exporting failed. Rejecting data. Try enabling sending_queue to survive temporary failures.',
        fields: { error, rejected_items: 3 },
      },
    ])
  })

  test('an error without retry goes back as it is, with the wait the destination asked for', async () => {
    const { offer, sink, context } = await rig({ ...NO_QUEUE, ...NO_RETRY })
    const busy = new RetryableError('busy', { after: 2000 })
    sink.refuse(busy)
    await expect(offer(1)).rejects.toBe(busy)
    expect(context.logger.messages()).toEqual([
      'Exporting failed. Rejecting data. Try enabling retry_on_failure config option to retry on retryable errors. Try enabling sending_queue to survive temporary failures.',
    ])
  })

  test('items the destination rejects are dropped, and the sender is told that all is well', async () => {
    const { offer, sink, context } = await rig(NO_QUEUE)
    sink.refuse(new PartialError(2, 'names too long'))
    await offer(5)
    expect(sink.calls).toBe(1)
    expect(context.ledger.total('sent')).toBe(3)
    expect(context.ledger.total('dropped', 'rejected')).toBe(2)
    expect(context.meter.value('otelcol_exporter_sent_spans')).toBe(3)
    expect(context.meter.value('otelcol_exporter_send_failed_spans')).toBe(2)
    expect(context.logger.lines).toEqual([
      {
        level: 'warn',
        message: 'Partial success response',
        fields: { message: 'names too long', dropped_spans: 2 },
      },
    ])
  })

  test('a sender that goes away ends the wait between attempts, not an attempt', async () => {
    const { delivery, sink, context } = await rig({ ...NO_QUEUE, ...EVEN })
    sink.refuse()
    const sender = new AbortController()
    const sending = delivery.consume(traces(1), { ...NO_CONTEXT, signal: sender.signal })
    const outcome = expect(sending).rejects.toThrow('request is cancelled or timed out: sink refuses')
    await settle()
    sender.abort()
    await outcome
    expect(context.fakeClock.pending).toBe(0)
  })

  test('shutdown waits for the senders', async () => {
    const { delivery, offer, sink } = await rig(NO_QUEUE)
    sink.hold()
    const sending = offer(1)
    await settle()
    let down = false
    const shutdown = delivery.shutdown!().then(() => {
      down = true
    })
    await settle()
    expect(down).toBe(false)
    sink.release()
    await Promise.all([sending, shutdown])
    await expect(offer(1)).rejects.toThrow('sending queue is stopped')
  })
})

describe('retry', () => {
  test('waits longer each time and says so, until the destination takes it', async () => {
    const { offer, sink, context, advance } = await rig(EVEN)
    sink.refuse()
    await offer(4)
    await settle()
    expect(sink.calls).toBe(1)
    await advance(4999)
    expect(sink.calls).toBe(1)
    await advance(1)
    expect(sink.calls).toBe(2)
    await advance(7500)
    expect(sink.calls).toBe(3)
    expect(context.meter.value('otelcol_exporter_in_flight_requests', { data_type: 'traces' })).toBe(1)
    sink.accept()
    await advance(11_250)
    expect(sink.items).toBe(4)
    expect(context.logger.lines.map(line => [line.level, line.message, line.fields.interval])).toEqual([
      ['info', 'Exporting failed. Will retry the request after interval.', '5s'],
      ['info', 'Exporting failed. Will retry the request after interval.', '7.5s'],
      ['info', 'Exporting failed. Will retry the request after interval.', '11.25s'],
    ])
    expect(context.meter.value('otelcol_exporter_in_flight_requests', { data_type: 'traces' })).toBe(0)
    expect(context.meter.value('otelcol_exporter_sent_spans')).toBe(4)
    expect(context.meter.value('otelcol_exporter_send_failed_spans')).toBe(0)
  })

  test('waits as long as the destination asks, when that is longer', async () => {
    const { offer, sink, advance } = await rig(EVEN)
    sink.refuse(new RetryableError('slow down', { after: 8000 }))
    await offer(1)
    await advance(7999)
    expect(sink.calls).toBe(1)
    sink.refuse(new RetryableError('slow down', { after: 10 }))
    await advance(1)
    expect(sink.calls).toBe(2)
    await advance(7499)
    expect(sink.calls).toBe(2)
    await advance(1)
    expect(sink.calls).toBe(3)
  })

  test('gives up when the next attempt would pass max_elapsed_time', async () => {
    const { offer, sink, context, advance } = await rig({
      retry_on_failure: { randomization_factor: 0, max_elapsed_time: '30s' },
    })
    sink.refuse()
    await offer(4)
    await advance(60_000)
    expect(sink.calls).toBe(4)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('dropped', 'retries_exhausted')).toBe(4)
    const last = context.logger.lines.at(-1)!
    expect(last).toMatchObject({ level: 'error', message: 'Exporting failed. Dropping data.' })
    expect(last.fields).toMatchObject({ dropped_items: 4, error: { message: 'no more retries left: sink refuses' } })
  })

  test('gives up at once when the destination asks for a longer wait than there is time', async () => {
    const { offer, sink, context } = await rig({ retry_on_failure: { max_elapsed_time: '30s' } })
    sink.refuse(new RetryableError('come back tomorrow', { after: 86_400_000 }))
    await offer(1)
    await settle()
    expect(context.ledger.total('dropped', 'retries_exhausted')).toBe(1)
  })

  test('never gives up when max_elapsed_time is 0', async () => {
    const { offer, sink, advance } = await rig({
      retry_on_failure: { randomization_factor: 0, max_elapsed_time: '0s' },
    })
    sink.refuse()
    await offer(1)
    await advance(24 * 3_600_000)
    sink.accept()
    await advance(30_000)
    expect(sink.items).toBe(1)
  })

  test('treats what is not a refusal as retryable', async () => {
    const { offer, sink, advance } = await rig(EVEN)
    sink.refuse(new TypeError('fetch failed'))
    await offer(1)
    await settle()
    sink.accept()
    await advance(5000)
    expect(sink.items).toBe(1)
  })

  test('resends nothing of a request that was taken in part', async () => {
    const { offer, sink, advance, context } = await rig(EVEN)
    sink.refuse(new PartialError(1, 'too old'))
    await offer(3)
    await advance(60_000)
    expect(sink.calls).toBe(1)
    expect(context.ledger.total('sent')).toBe(2)
    expect(context.ledger.total('dropped', 'rejected')).toBe(1)
  })
})

describe('the timeout of an attempt', () => {
  test('aborts it and tries again', async () => {
    const { offer, sink, attempts, advance, context } = await rig({ ...EVEN, timeout: '2s' })
    sink.hold()
    await offer(1)
    await settle()
    const { signal } = attempts[0]!
    await advance(1999)
    expect(signal.aborted).toBe(false)
    await advance(1)
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toMatchObject({ message: 'Sending did not finish within 2s', code: 4 })
    await advance(5000)
    expect(sink.calls).toBe(2)
    expect(context.logger.lines[0]).toMatchObject({ fields: { error: signal.reason } })
  })

  test('does not exist when it is 0', async () => {
    const { offer, sink, attempts, advance } = await rig({ timeout: '0s' })
    sink.hold()
    await offer(1)
    await advance(3_600_000)
    expect(attempts[0]!.signal.aborted).toBe(false)
  })

  test('shows on a signal asked for after it has passed', async () => {
    const { offer, sink, attempts, advance } = await rig({ timeout: '2s' })
    sink.hold()
    await offer(1)
    await advance(2000)
    expect(attempts[0]!.signal.aborted).toBe(true)
  })

  test('leaves no timer behind when the sender is done in time', async () => {
    const { offer, context } = await rig()
    await offer(1)
    await settle()
    expect(context.fakeClock.pending).toBe(0)
  })
})

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

test('at level detailed, failures are told apart', async () => {
  const { offer, sink, context } = await rig(NO_RETRY, { level: 'detailed' })
  const failures: [Error, string, string][] = [
    [new RetryableError('a', { code: 14 }), 'Unavailable', 'false'],
    [new RetryableError('b', { code: 4 }), 'Deadline_Exceeded', 'false'],
    [new PermanentError('c', { code: 3 }), 'InvalidArgument', 'true'],
    [new PermanentError('d'), '_OTHER', 'true'],
  ]
  for (const [error, type, permanent] of failures) {
    sink.refuse(error)
    await offer(1)
    await settle()
    const labels = { 'error.type': type, 'error.permanent': permanent }
    expect(context.meter.value('otelcol_exporter_send_failed_spans', labels)).toBe(1)
  }
})
