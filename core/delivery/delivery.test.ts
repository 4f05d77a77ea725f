import { describe, expect, test } from 'vitest'
import { NO_CONTEXT, PartialError, PermanentError, RetryableError } from '#core/component'
import { settle, traces } from '#core/testing'
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

  test('waits 24 days at most, however long the destination asks for', async () => {
    const { offer, sink, advance } = await rig({ retry_on_failure: { max_elapsed_time: '0s' } })
    sink.refuse(new RetryableError('come back in a hundred years', { after: 100 * 365 * 86_400_000 }))
    await offer(1)
    await settle()
    sink.accept()
    await advance(2 ** 31 - 2)
    expect(sink.calls).toBe(1)
    await advance(1)
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

test('a signal that is not wired is refused', async () => {
  const { delivery } = await rig({}, { signals: ['logs'] })
  await expect(delivery.consume(traces(1), NO_CONTEXT)).rejects.toThrow('Exporter test is not wired for traces')
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
