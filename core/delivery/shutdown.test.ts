import { describe, expect, test } from 'vitest'
import { PermanentError, RetryableError } from '#core/component'
import { settle } from '#core/testing'
import { rig } from './rig.test-support.ts'

describe('shutdown', () => {
  test('sends everything that was accepted, though a fifth of the attempts fail', async () => {
    const { delivery, offer, sink, context, advance } = await rig()
    sink.hold()
    for (let i = 0; i < 500; i++) await offer(2)
    sink.failEvery(5)
    const shutdown = delivery.shutdown!()
    sink.release()
    await advance(10_000)
    await shutdown
    expect(sink.items).toBe(1000)
    expect(context.ledger.total('sent')).toBe(1000)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('dropped')).toBe(0)
    expect(context.fakeClock.pending).toBe(0)
  })

  test('does not wait out the pause between two attempts', async () => {
    const { delivery, offer, sink, advance } = await rig({ retry_on_failure: { initial_interval: '30s' } })
    sink.refuse()
    await offer(1)
    await advance(1000)
    sink.accept()
    await delivery.shutdown!()
    expect(sink.items).toBe(1)
  })

  test('waits as long as the destination asks, within its deadline', async () => {
    const { delivery, offer, sink, advance } = await rig()
    sink.refuse(new RetryableError('slow down', { after: 8000 }))
    await offer(1)
    await advance(1000)
    sink.accept()
    const shutdown = delivery.shutdown!()
    await advance(6999)
    expect(sink.calls).toBe(1)
    await advance(1)
    await shutdown
    expect(sink.items).toBe(1)
  })

  test('tries at once what may not be tried within its deadline: the alternative is to drop it', async () => {
    const { delivery, offer, sink } = await rig()
    sink.refuse(new RetryableError('slow down', { after: 60_000 }))
    await offer(1)
    await settle()
    sink.accept()
    await delivery.shutdown!()
    expect(sink.items).toBe(1)
  })

  test('drops what is left at its deadline, and says how much', async () => {
    const { delivery, offer, sink, context, advance } = await rig({ sending_queue: { num_consumers: 2 } })
    sink.refuse()
    for (let i = 0; i < 100; i++) await offer(3)
    const shutdown = delivery.shutdown!()
    await advance(9_000)
    expect(sink.calls).toBeGreaterThan(10)
    await advance(1_000)
    await shutdown
    expect(context.ledger.total('dropped', 'shutdown')).toBe(300)
    expect(context.ledger.total('queued')).toBe(0)
    const lines = context.logger.lines.filter(line => line.level === 'error')
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'Shutdown ended before everything was sent. Dropping data.',
        fields: { dropped_items: 300 },
      },
    ])
  })

  test('aborts attempts that outlast its deadline', async () => {
    const { delivery, offer, sink, attempts, context, advance } = await rig({
      timeout: '0s',
      sending_queue: { drain_timeout: '3s' },
    })
    sink.hold()
    await offer(1)
    await settle()
    const shutdown = delivery.shutdown!()
    const { signal } = attempts[0]!
    await advance(2999)
    expect(signal.aborted).toBe(false)
    await advance(1)
    await shutdown
    expect(signal.reason).toMatchObject({ message: 'The deadline of the shutdown has passed' })
    expect(context.ledger.total('dropped', 'shutdown')).toBe(1)
  })

  test('with a drain_timeout of 0 sends nothing more', async () => {
    const { delivery, offer, sink, context } = await rig({ sending_queue: { drain_timeout: '0s', num_consumers: 1 } })
    sink.hold()
    await offer(1)
    await offer(1)
    await delivery.shutdown!()
    expect(sink.calls).toBe(1)
    expect(context.ledger.total('dropped', 'shutdown')).toBe(2)
  })

  test('without retry makes one attempt', async () => {
    const { delivery, offer, sink, context } = await rig({ retry_on_failure: { enabled: false } })
    sink.hold()
    await offer(1)
    const shutdown = delivery.shutdown!()
    sink.refuse()
    sink.release()
    await shutdown
    expect(sink.calls).toBe(1)
    expect(context.ledger.total('dropped', 'retry_disabled')).toBe(1)
  })

  test('drops what the destination will never take', async () => {
    const { delivery, offer, sink, context } = await rig()
    sink.refuse(new PermanentError('malformed'))
    await offer(1)
    await delivery.shutdown!()
    expect(context.ledger.total('dropped', 'permanent_error')).toBe(1)
  })

  test('sends a batch that is not full', async () => {
    const { delivery, offer, sink } = await rig({ sending_queue: { batch: { flush_timeout: '1h' } } })
    await offer(3)
    await offer(4)
    await delivery.shutdown!()
    expect(sink.payloads.map(payload => payload.items)).toEqual([7])
  })

  test('refuses senders that wait for room, and all that come', async () => {
    const { delivery, offer, sink } = await rig({ sending_queue: { queue_size: 1, block_on_overflow: true } })
    sink.hold()
    await offer(1)
    const waiting = offer(1)
    const shutdown = delivery.shutdown!()
    await expect(waiting).rejects.toThrow('sending queue is stopped')
    await expect(offer(1)).rejects.toThrow('sending queue is stopped')
    sink.release()
    await shutdown
  })

  test('happens once', async () => {
    const { delivery } = await rig()
    expect(delivery.shutdown!()).toBe(delivery.shutdown!())
    await delivery.shutdown!()
  })
})
