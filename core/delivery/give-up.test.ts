import { expect, test } from 'vitest'
import { NO_CONTEXT, PartialError, PermanentError } from '#core/component'
import { Sink, TestHost, testContext, traces } from '#core/testing'
import { createDelivery } from './delivery.ts'
import type { GiveUp } from './outcome.ts'
import { deliveryConfig } from './rig.test-support.ts'

/** A started delivery whose exporter keeps what is given up. */
async function keeping(written: object, answer: PartialError | undefined | Error = undefined) {
  const context = testContext({ id: 'test', kind: 'exporter', signals: ['traces'] })
  const sink = new Sink()
  const kept: string[] = []
  const giveUp: GiveUp = async (payload, { reason }) => {
    kept.push(`${payload.items} ${reason}`)
    if (answer instanceof Error && !(answer instanceof PartialError)) throw answer
    return answer
  }
  const send = (payload: Parameters<Sink['consume']>[0]) => sink.consume(payload, NO_CONTEXT)
  const delivery = createDelivery({ config: deliveryConfig(written), context, send, giveUp })
  await delivery.start?.(new TestHost())
  const advance = (ms: number) => context.fakeClock.advance(ms)
  return { delivery, context, sink, kept, advance, offer: (n: number) => delivery.consume(traces(n), NO_CONTEXT) }
}

const SHORT = { retry_on_failure: { initial_interval: '1s', max_interval: '1s', max_elapsed_time: '3s' } }

test('an exporter is asked about each request that is given up, once', async () => {
  const { delivery, context, sink, kept, offer, advance } = await keeping(SHORT)
  sink.refuse()
  await offer(3)
  await advance(10_000)
  expect(kept).toEqual(['3 retries_exhausted'])
  sink.refuse(new PermanentError('no'))
  await offer(2)
  await advance(1)
  expect(kept).toEqual(['3 retries_exhausted', '2 permanent_error'])
  expect(context.ledger.total('dropped', 'retries_exhausted')).toBe(3)
  sink.accept()
  await offer(1)
  await delivery.shutdown!()
  expect(kept.length).toBe(2)
})

test('what arrived of a request that is given up counts as sent', async () => {
  const { context, sink, offer, advance } = await keeping(SHORT, new PartialError(1, 'the rest arrived'))
  sink.refuse()
  await offer(3)
  await advance(10_000)
  expect(context.ledger.total('sent')).toBe(2)
  expect(context.ledger.total('dropped', 'rejected')).toBe(1)
  expect(context.ledger.total('queued')).toBe(0)
})

test('an exporter that fails to keep a request changes nothing about its end', async () => {
  const { context, sink, offer, advance } = await keeping(SHORT, new Error('disk full'))
  sink.refuse()
  await offer(3)
  await advance(10_000)
  expect(context.ledger.total('dropped', 'retries_exhausted')).toBe(3)
})

test('at a shutdown everything that cannot be sent is asked about', async () => {
  const { delivery, sink, kept, offer, advance } = await keeping({ sending_queue: { num_consumers: 1 } })
  sink.refuse()
  await offer(1)
  await offer(2)
  const shutdown = delivery.shutdown!()
  await advance(11_000)
  await shutdown
  expect(kept.sort()).toEqual(['1 shutdown', '2 shutdown'])
})

test.each([{ sending_queue: { enabled: false } }, { sending_queue: { wait_for_result: true } }])(
  'nobody is asked where the sender hears of the failure (%j)',
  async written => {
    const { sink, kept, offer } = await keeping({ ...written, retry_on_failure: { enabled: false } })
    sink.refuse()
    await expect(offer(1)).rejects.toThrow('sink refuses')
    expect(kept).toEqual([])
  },
)
