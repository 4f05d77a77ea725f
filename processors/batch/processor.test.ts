import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConsumeContext, NO_CONTEXT, PartialError, PermanentError, RetryableError } from '#core/component'
import { configure, decodePayload, logs, metrics, Sink, settle, testContext, traces } from '#core/testing'
import { batchConfig } from './config.ts'
import { BatchProcessor } from './processor.ts'

function rig(written: unknown = {}) {
  const context = testContext({ id: 'batch', kind: 'processor', signals: ['traces'] })
  const sink = new Sink()
  const processor = new BatchProcessor(configure(batchConfig, written), sink, context)
  return {
    processor,
    sink,
    context,
    sizes: () => sink.payloads.map(payload => payload.items),
    offer: (items: number, from: ConsumeContext = NO_CONTEXT) => processor.consume(traces(items), from),
    advance: (ms: number) => context.fakeClock.advance(ms),
    triggers: () => ({
      size: context.meter.value('otelcol_processor_batch_batch_size_trigger_send'),
      timeout: context.meter.value('otelcol_processor_batch_timeout_trigger_send'),
    }),
  }
}

const tenant = (...values: string[]): ConsumeContext => ({ metadata: new Map([['tenant', values]]) })

describe('a batch', () => {
  test('is sent once it holds send_batch_size items, whole', async () => {
    const { offer, sizes, triggers, context } = rig({ send_batch_size: 10 })
    await offer(9)
    expect(sizes()).toEqual([])
    await offer(5)
    await settle()
    expect(sizes()).toEqual([14])
    expect(triggers()).toEqual({ size: 1, timeout: 0 })
    expect(context.meter.recorded('otelcol_processor_batch_batch_send_size')).toEqual([14])
    expect(context.fakeClock.pending).toBe(0)
  })

  test('is sent once its first item has waited for the timeout', async () => {
    const { offer, advance, sizes, triggers } = rig({ send_batch_size: 10 })
    await offer(3)
    await advance(150)
    await offer(3)
    await advance(49)
    expect(sizes()).toEqual([])
    await advance(1)
    expect(sizes()).toEqual([6])
    expect(triggers()).toEqual({ size: 0, timeout: 1 })
    await offer(1)
    await advance(199)
    expect(sizes()).toEqual([6])
    await advance(1)
    expect(sizes()).toEqual([6, 1])
  })

  test('is cut at send_batch_max_size; what is left below send_batch_size waits', async () => {
    const { offer, advance, sizes, triggers } = rig({ send_batch_size: 10, send_batch_max_size: 10 })
    await offer(35)
    await settle()
    expect(sizes()).toEqual([10, 10, 10])
    await offer(4)
    await advance(199)
    expect(sizes()).toHaveLength(3)
    await advance(1)
    expect(sizes()).toEqual([10, 10, 10, 9])
    expect(triggers()).toEqual({ size: 3, timeout: 1 })
  })

  test('may be larger than send_batch_size when the maximum allows', async () => {
    const { offer, advance, sizes } = rig({ send_batch_size: 10, send_batch_max_size: 20 })
    await offer(9)
    await offer(26)
    await settle()
    expect(sizes()).toEqual([20, 15])
    await offer(45)
    await settle()
    expect(sizes()).toEqual([20, 15, 20, 20])
    await advance(200)
    expect(sizes()).toEqual([20, 15, 20, 20, 5])
  })

  test.each([{ timeout: '0s' }, { send_batch_size: 0 }])('with %j every request is sent at once', async written => {
    const { offer, sizes, context } = rig(written)
    await offer(3)
    await offer(4)
    await settle()
    expect(sizes()).toEqual([3, 4])
    expect(context.fakeClock.pending).toBe(0)
  })

  test('sent at once is cut at the maximum all the same', async () => {
    const { offer, sizes } = rig({ timeout: '0s', send_batch_size: 5, send_batch_max_size: 5 })
    await offer(12)
    await settle()
    expect(sizes()).toEqual([5, 5, 2])
  })

  test('counts data points and log records', async () => {
    const { processor, sizes } = rig({ send_batch_size: 4 })
    await processor.consume(metrics(4), NO_CONTEXT)
    await settle()
    const other = rig({ send_batch_size: 4 })
    await other.processor.consume(logs(2), NO_CONTEXT)
    await other.processor.consume(logs(2), NO_CONTEXT)
    await settle()
    expect([...sizes(), ...other.sizes()]).toEqual([4, 4])
  })

  test('drops empty requests', async () => {
    const { offer, advance, sink } = rig({ timeout: '0s' })
    await offer(0)
    await advance(1000)
    expect(sink.calls).toBe(0)
  })

  test('goes out with no metadata, and without its senders', async () => {
    const { offer, sink } = rig({ send_batch_size: 1 })
    const auth = { attribute: () => 'me', names: ['subject'] }
    await offer(1, { ...tenant('a'), auth, clientAddress: '192.0.2.1:5' })
    await settle()
    expect(sink.contexts).toEqual([{ metadata: new Map() }])
  })
})

describe('metadata_keys', () => {
  test('keep combinations apart, an empty value from none, and go along', async () => {
    const { offer, advance, sink, sizes, context } = rig({ metadata_keys: ['Tenant'] })
    const cardinality = () => context.meter.value('otelcol_processor_batch_metadata_cardinality')
    expect(cardinality()).toBe(0)
    await offer(1, tenant('a'))
    await offer(2, tenant('b'))
    await offer(4, tenant('a'))
    await offer(8, tenant(''))
    await offer(16)
    await advance(200)
    expect(sizes()).toEqual([5, 2, 8, 16])
    expect(sink.contexts.map(({ metadata }) => [...metadata])).toEqual([
      [['tenant', ['a']]],
      [['tenant', ['b']]],
      [['tenant', ['']]],
      [],
    ])
    expect(cardinality()).toBe(4)
  })

  test('beyond the limit of combinations are refused for good', async () => {
    const { offer, advance, sizes } = rig({ metadata_keys: ['tenant'], metadata_cardinality_limit: 2 })
    await offer(1, tenant('a'))
    await offer(1, tenant('b'))
    const error = await offer(1, tenant('c')).catch(caught => caught)
    expect(error).toBeInstanceOf(PermanentError)
    expect(error.message).toBe('too many batcher metadata-value combinations')
    await offer(1, tenant('a'))
    await advance(200)
    expect(sizes()).toEqual([2, 1])
  })

  test('have no limit when it is 0', async () => {
    const { offer, advance, sizes } = rig({ metadata_keys: ['tenant'], metadata_cardinality_limit: 0 })
    for (let i = 0; i < 1500; i++) await offer(1, tenant(String(i)))
    await advance(200)
    expect(sizes()).toHaveLength(1500)
  })
})

describe('the sender', () => {
  test('is answered at once; what waits is in the ledger', async () => {
    const { offer, advance, context } = rig()
    await offer(3)
    expect(context.ledger.total('queued')).toBe(3)
    await advance(200)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('dropped')).toBe(0)
  })

  test('does not hear of an error downstream: the batch is dropped, with a reason', async () => {
    const { offer, advance, sink, context, triggers } = rig()
    const error = new RetryableError('sending queue is full')
    sink.refuse(error)
    await offer(3)
    await advance(200)
    sink.refuse(new PermanentError('malformed'))
    await offer(2)
    await advance(200)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('dropped', 'send_failed')).toBe(3)
    expect(context.ledger.total('dropped', 'permanent_error')).toBe(2)
    expect(context.logger.lines[0]).toEqual({
      level: 'warn',
      message: 'Sender failed',
      fields: { error, dropped_items: 3 },
    })
    expect(triggers()).toEqual({ size: 0, timeout: 0 })
  })

  test('loses only what was rejected of a batch that was taken in part', async () => {
    const { offer, advance, sink, context } = rig()
    sink.refuse(new PartialError(2, 'too old'))
    await offer(3)
    await advance(200)
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.ledger.total('dropped', 'rejected')).toBe(2)
  })

  test('waits when one batch is on its way and the next is full', async () => {
    const { offer, sink, sizes } = rig({ send_batch_size: 10 })
    sink.hold()
    await offer(10)
    await settle()
    await offer(6)
    await offer(6)
    let entered = false
    const waiting = offer(3).then(() => {
      entered = true
    })
    const sender = new AbortController()
    const gone = offer(1, { ...NO_CONTEXT, signal: sender.signal })
    await settle()
    expect(entered).toBe(false)
    sender.abort()
    await expect(gone).rejects.toThrow('Stopped waiting for room in the batch: the sender has gone')
    sink.release()
    await waiting
    await settle()
    expect(sizes()).toEqual([10, 12])
    expect(sink.peak).toBe(1)
  })
})

describe('with wait_for_result', () => {
  test('the sender is answered when its items have been taken, and they are not queued', async () => {
    const { offer, advance, sink, context } = rig({ wait_for_result: true })
    let answered = false
    const sending = offer(3).then(() => {
      answered = true
    })
    await settle()
    expect(answered).toBe(false)
    await advance(200)
    await sending
    expect(sink.items).toBe(3)
    expect(context.ledger.entries).toEqual([])
  })

  test('every sender of a batch hears of its failure', async () => {
    const { offer, advance, sink, context } = rig({ wait_for_result: true })
    const error = new RetryableError('busy')
    sink.refuse(error)
    const outcomes = Promise.allSettled([offer(1), offer(2)])
    await advance(200)
    expect(await outcomes).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ])
    expect(context.ledger.entries).toEqual([])
  })

  test('what was sent of a request that failed later counts as a second copy: its sender will come again', async () => {
    const { offer, sink, context } = rig({ wait_for_result: true, send_batch_size: 10, send_batch_max_size: 10 })
    sink.failEvery(2)
    await expect(offer(20)).rejects.toThrow('sink refuses')
    expect(context.ledger.entries).toEqual([{ what: 'created', signal: 'traces', items: 10 }])
  })
})

describe('shutdown', () => {
  test('sends what waits, in every combination of metadata', async () => {
    const { processor, offer, sizes, context, triggers } = rig({ metadata_keys: ['tenant'] })
    await offer(1, tenant('a'))
    await offer(2, tenant('b'))
    await processor.shutdown()
    expect(sizes()).toEqual([1, 2])
    expect(triggers()).toEqual({ size: 0, timeout: 2 })
    expect(context.ledger.total('queued')).toBe(0)
    expect(context.fakeClock.pending).toBe(0)
    expect(context.meter.value('otelcol_processor_batch_metadata_cardinality')).toBe(0)
  })

  test('waits for the batch on its way, and takes in who was waiting', async () => {
    const { processor, offer, sink, sizes } = rig({ send_batch_size: 10 })
    sink.hold()
    await offer(10)
    await settle()
    await offer(10)
    const late = offer(4)
    const shutdown = processor.shutdown()
    await expect(offer(1)).rejects.toThrow('batch processor is shut down')
    sink.release()
    await Promise.all([shutdown, late])
    expect(sizes()).toEqual([10, 10, 4])
  })
})

test('whatever comes when, every item is sent once and in order, no batch is too large', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('offer' as const), items: fc.integer({ min: 1, max: 30 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 300 }) }) },
    { weight: 1, arbitrary: fc.constantFrom({ kind: 'hold' as const }, { kind: 'release' as const }) },
  )
  const config = fc
    .record({
      timeout: fc.constantFrom('0s', '200ms'),
      send_batch_size: fc.integer({ min: 0, max: 20 }),
      above: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
      wait_for_result: fc.boolean(),
    })
    .map(({ above, ...rest }) => ({
      ...rest,
      send_batch_max_size: above === undefined ? 0 : rest.send_batch_size + above,
    }))
  await fc.assert(
    fc.asyncProperty(config, fc.array(step, { maxLength: 30 }), async (written, steps) => {
      const { processor, sink, context, advance } = rig(written)
      const names: string[] = []
      const answers: Promise<void>[] = []
      for (const each of steps) {
        if (each.kind === 'offer') {
          const name = `r${names.length}`
          for (let n = 0; n < each.items; n++) names.push(`${name}/span ${n}`)
          answers.push(processor.consume(traces(each.items, { resource: { name } }), NO_CONTEXT))
        }
        if (each.kind === 'pass') await advance(each.ms)
        if (each.kind === 'hold') sink.hold()
        if (each.kind === 'release') sink.release()
      }
      const shutdown = processor.shutdown()
      sink.release()
      await Promise.all([shutdown, ...answers])
      expect(sink.payloads.flatMap(payload => namesIn(decodePayload(payload)))).toEqual(names)
      const max = written.send_batch_max_size
      if (max > 0) for (const payload of sink.payloads) expect(payload.items).toBeLessThanOrEqual(max)
      expect(sink.peak).toBeLessThanOrEqual(1)
      expect(context.ledger.total('queued')).toBe(0)
      expect(context.ledger.total('dropped')).toBe(0)
      expect(context.fakeClock.pending).toBe(0)
    }),
    { numRuns: 150 },
  )
})

interface Decoded {
  resourceSpans: {
    resource: { attributes: { value: { stringValue: string } }[] }
    scopeSpans: { spans: { name: string }[] }[]
  }[]
}

function namesIn(request: unknown): string[] {
  return (request as Decoded).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map(span => `${resource.attributes[0]!.value.stringValue}/${span.name}`)),
  )
}
