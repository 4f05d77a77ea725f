import { describe, expect, test } from 'vitest'
import { type Consumer, NO_CONTEXT, PartialError, PermanentError, RetryableError } from '#core/component'
import { openDraft } from '#core/data'
import { aSpan, configure, payloadOf, Sink, settle, testContext, tracesOf } from '#core/testing'
import { agentGatewayProcessor } from '../index.ts'
import { namesUnder } from '../names.ts'
import { gatewaySpans, placesOf, rig, type TestSpan } from '../rig.test-support.ts'
import { agentGatewayInstruments } from '../telemetry.ts'
import { Stitcher } from './stitcher.ts'

/** All spans in one request, through one window. */
async function stitched(spans: readonly TestSpan[], written: object = {}): Promise<string[]> {
  const { processor, sink, context } = rig('traces', written)
  const done = processor.consume(gatewaySpans(spans), NO_CONTEXT)
  await context.fakeClock.advance(2000)
  await done
  return placesOf(sink)
}

describe('spans of a trace', () => {
  test('wait for each other, whichever comes first', async () => {
    const { processor, sink, context } = rig('traces')
    const first = processor.consume(gatewaySpans([{ id: 2, parent: 1 }]), NO_CONTEXT)
    await context.fakeClock.advance(1999)
    const second = processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    await settle()
    expect(sink.items).toBe(0)
    await context.fakeClock.advance(1)
    await Promise.all([first, second])
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1'])
    expect(context.meter.snapshot()).not.toHaveProperty('otelcol_processor_agent_gateway_reparented_spans')
  })

  test('leave with those whose window is about to be over, so that requests are not taken apart too often', async () => {
    const { processor, sink, context } = rig('traces')
    const sent: Promise<void>[] = []
    for (const trace of [1, 2, 3]) {
      sent.push(processor.consume(gatewaySpans([{ trace, id: trace }]), NO_CONTEXT))
      await context.fakeClock.advance(trace === 1 ? 125 : 1)
    }
    await context.fakeClock.advance(1872)
    expect(sink.items).toBe(0)
    await context.fakeClock.advance(1)
    expect(placesOf(sink)).toEqual(['1 1<-0', '2 2<-0'])
    await context.fakeClock.advance(126)
    await Promise.all(sent)
    expect(sink.items).toBe(3)
  })

  test('that miss a parent go together below the shortest span around them', async () => {
    const spans = [
      { id: 1, start: 0, end: 100 },
      { id: 2, parent: 1, start: 10, end: 90 },
      { id: 3, parent: 99, start: 20, end: 30 },
      { id: 4, parent: 99, start: 60, end: 70 },
      { id: 5, parent: 1, start: 15, end: 40 },
    ]
    expect(await stitched(spans)).toEqual(['1 1<-0', '1 2<-1', '1 3<-2', '1 4<-2', '1 5<-1'])
  })

  test('go below the root when nothing is around them, and say what stood there', async () => {
    const { processor, sink, context } = rig('traces')
    const spans = [
      { id: 1, start: 0, end: 10 },
      { id: 2, parent: 99, start: 5, end: 20 },
    ]
    const done = processor.consume(gatewaySpans(spans), NO_CONTEXT)
    await context.fakeClock.advance(2000)
    await done
    const [, orphan] = [...openDraft(sink.payloads[0]!).spans()]
    expect(Object.fromEntries(orphan!.attributes)).toEqual({
      'millrace.stitch.reason': 'missing_parent',
      'millrace.stitch.parent_span_id': '1111111100000063',
    })
    expect(context.meter.value('otelcol_processor_agent_gateway_reparented_spans', { reason: 'missing_parent' })).toBe(
      1,
    )
  })

  test('without any root get the widest of them as root', async () => {
    const spans = [
      { id: 2, parent: 98, start: 10, end: 20 },
      { id: 1, parent: 99, start: 0, end: 100 },
    ]
    expect(await stitched(spans)).toEqual(['1 1<-0', '1 2<-1'])
  })

  test('lose a second root and rings', async () => {
    const spans = [
      { id: 1, start: 0, end: 100 },
      { id: 2, start: 10, end: 20 },
      { id: 3, parent: 4, start: 30, end: 60 },
      { id: 4, parent: 3, start: 40, end: 50 },
    ]
    expect(await stitched(spans)).toEqual(['1 1<-0', '1 2<-1', '1 3<-1', '1 4<-3'])
  })

  test('of server kind keep a parent in the calling service, unless it is said to be local or told otherwise', async () => {
    const server = { id: 1, parent: 99, kind: 2, start: 0, end: 100 }
    const call = { id: 2, parent: 98, start: 1, end: 2 }
    expect(await stitched([server, call])).toEqual(['1 1<-?99', '1 2<-1'])
    expect(await stitched([{ ...server, flags: 0x301 }, call])).toEqual(['1 1<-?99', '1 2<-1'])
    expect(await stitched([{ ...server, flags: 0x101 }, call])).toEqual(['1 1<-0', '1 2<-1'])
    expect(await stitched([server, call], { stitch: { keep_remote_parents: false } })).toEqual(['1 1<-0', '1 2<-1'])
  })

  test.each([
    ['that is not the gateway', {}],
    ['that is not listed', { stitch: { services: ['gateway'] } }],
  ])('of a service %s stay as they are', async (_, written) => {
    const { processor, sink, context } = rig('traces', written)
    const foreign = [
      { id: 1, parent: 77, name: 'GET /', start: 0, end: 100 },
      { id: 2, parent: 78, name: 'GET /', start: 1, end: 2 },
      { trace: 2, id: 4, parent: 79, name: 'GET /' },
    ]
    const own = [{ id: 3, parent: 99, start: 10, end: 20 }]
    const done = [
      processor.consume(gatewaySpans(foreign, 'http', 'caller'), NO_CONTEXT),
      processor.consume(gatewaySpans(own), NO_CONTEXT),
    ]
    await context.fakeClock.advance(2000)
    await Promise.all(done)
    expect(placesOf(sink)).toEqual(['1 1<-?77', '1 2<-?78', '1 3<-1', '2 4<-?79'])
  })

  test('that come late go below what has left', async () => {
    const { processor, sink, context } = rig('traces')
    const send = async (spans: readonly TestSpan[]) => {
      const done = processor.consume(gatewaySpans(spans), NO_CONTEXT)
      await context.fakeClock.advance(2000)
      await done
    }
    await send([{ id: 1 }, { id: 2, parent: 1 }])
    await send([{ id: 3, parent: 2 }, { id: 4, parent: 99 }, { id: 5 }])
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1', '1 3<-2', '1 4<-1', '1 5<-1'])
    expect(context.meter.value('otelcol_processor_agent_gateway_late_spans')).toBe(3)
  })

  test('without a valid id pass as they are', async () => {
    expect(await stitched([{ id: 1 }, { id: 2, parent: 1 }])).toHaveLength(2)
    const { processor, sink, context } = rig('traces')
    const broken = payloadOf(
      'traces',
      tracesOf([aSpan({ traceId: Buffer.alloc(0) }), aSpan({ spanId: Buffer.alloc(3) })]),
    )
    const done = processor.consume(broken, NO_CONTEXT)
    await context.fakeClock.advance(2000)
    await done
    expect(sink.payloads[0]!.flat()).toEqual(broken.flat())
  })
})

describe('traces become one', () => {
  const run = (trace: number, id: number, key: object, more: object = {}) =>
    ({ trace, id, attributes: key, ...more }) as TestSpan

  test('by a run key, the larger one giving its id, also when one comes late', async () => {
    const { processor, sink, context } = rig('traces')
    const key = { 'openclaw.run.id': 'r1' }
    const spans = [
      run(1, 1, key),
      { trace: 1, id: 2, parent: 1 },
      run(2, 3, { 'openclaw.runId': 'r1' }, { start: 2, end: 5 }),
    ]
    const done = processor.consume(gatewaySpans(spans), NO_CONTEXT)
    await context.fakeClock.advance(2000)
    await done
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1', '1 3<-1'])
    const late = processor.consume(gatewaySpans([run(3, 4, key), { trace: 3, id: 5, parent: 4 }]), NO_CONTEXT)
    await context.fakeClock.advance(2000)
    await late
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1', '1 3<-1', '1 4<-1', '1 5<-4'])
    expect(context.meter.value('otelcol_processor_agent_gateway_joined_traces', { by: 'run' })).toBe(1)
  })

  test('by a session key when they overlap in time, since a session has many turns', async () => {
    const key = { 'openclaw.session.key': 's1' }
    const spans = [
      run(1, 1, key, { start: 0, end: 10 }),
      run(2, 2, key, { start: 5, end: 8 }),
      run(3, 3, key, { start: 20, end: 30 }),
    ]
    expect(await stitched(spans)).toEqual(['1 1<-0', '1 2<-1', '3 3<-0'])
  })

  test('not by a session key when they are different runs', async () => {
    const spans = [
      run(1, 1, { 'openclaw.session.key': 's1', 'openclaw.run.id': 'a' }),
      run(2, 2, { 'openclaw.session.key': 's1', 'openclaw.run.id': 'b' }),
    ]
    expect(await stitched(spans)).toEqual(['1 1<-0', '2 2<-0'])
  })

  test('not when two services have the same run', async () => {
    const { processor, sink, context } = rig('traces')
    const key = { 'openclaw.run.id': 'r1' }
    const done = [
      processor.consume(gatewaySpans([run(1, 1, key)], 'openclaw', 'one'), NO_CONTEXT),
      processor.consume(gatewaySpans([run(2, 2, key)], 'openclaw', 'two'), NO_CONTEXT),
    ]
    await context.fakeClock.advance(2000)
    await Promise.all(done)
    expect(placesOf(sink)).toEqual(['1 1<-0', '2 2<-0'])
  })

  test('soon, however many have one session or run, and not by keys that are no ids', async () => {
    const many = (attributes: (n: number) => object, count: number) =>
      Array.from({ length: count }, (_, n) => ({ trace: n + 1, id: n + 1, attributes: { ...attributes(n) } }))
    const roots = async (spans: readonly TestSpan[]) =>
      (await stitched(spans)).filter(place => place.endsWith('<-0')).length
    const start = performance.now()
    expect(await roots(many(() => ({ 'openclaw.run.id': 'r' }), 4000))).toBe(1)
    expect(await roots(many(() => ({ 'openclaw.session.key': 's' }), 400))).toBe(1)
    expect(await roots(many(() => ({ 'openclaw.session.key': 's' }), 4000))).toBe(4000)
    expect(await roots(many(() => ({ 'openclaw.run.id': 'r'.repeat(257) }), 2))).toBe(2)
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  test('by time when there is one possibility only', async () => {
    const message = { trace: 2, id: 2, name: 'openclaw.message.processed', start: 0, end: 100 }
    const inside = { trace: 1, id: 1, parent: 99, name: 'openclaw.run', start: 10, end: 90 }
    expect(await stitched([message, inside])).toEqual(['2 1<-2', '2 2<-0'])
    const rival = { trace: 3, id: 3, name: 'openclaw.message.processed', start: 5, end: 95 }
    expect(await stitched([message, inside, rival])).toEqual(['1 1<-0', '2 2<-0', '3 3<-0'])
    const other = { trace: 3, id: 3, parent: 98, name: 'openclaw.run', start: 20, end: 80 }
    expect(await stitched([message, inside, other])).toEqual(['1 1<-0', '2 2<-0', '3 3<-0'])
  })

  test('by other attributes under another prefix', async () => {
    const spans = [
      run(1, 1, { 'agent.run.id': 'r1' }, { name: 'agent.a' }),
      run(2, 2, { 'agent.run.id': 'r1' }, { name: 'agent.b', start: 1, end: 2 }),
    ]
    expect(await stitched(spans, { prefix: 'agent' })).toEqual(['1 1<-0', '1 2<-1'])
    const own = [run(1, 1, { turn: 'x' }), run(2, 2, { turn: 'x' }, { start: 1, end: 2 })]
    expect(await stitched(own, { stitch: { run_keys: ['turn'] } })).toEqual(['1 1<-0', '1 2<-1'])
  })
})

describe('a sender', () => {
  test('is told what came of its own spans only', async () => {
    const { processor, sink, context } = rig('traces')
    sink.refuseWhen(payload => (payload.items === 2 ? new PermanentError('bad') : undefined))
    const bad = processor.consume(
      gatewaySpans([
        { id: 2, parent: 1 },
        { id: 3, parent: 1 },
      ]),
      NO_CONTEXT,
    )
    const good = processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)
    const outcomes = Promise.allSettled([bad, good])
    await context.fakeClock.advance(2000)
    expect((await outcomes).map(outcome => outcome.status)).toEqual(['rejected', 'fulfilled'])
    await expect(bad).rejects.toThrow('bad')
    expect(context.ledger.entries).toEqual([])
  })

  test('that tries again after a refusal finds its place again', async () => {
    const { processor, sink, context } = rig('traces')
    const send = async () => {
      const done = processor.consume(gatewaySpans([{ id: 1 }, { id: 2, parent: 1 }, { id: 3, parent: 2 }]), NO_CONTEXT)
      const outcome = Promise.allSettled([done])
      await context.fakeClock.advance(2000)
      return (await outcome)[0]!.status
    }
    sink.refuse()
    expect(await send()).toBe('rejected')
    sink.accept()
    expect(await send()).toBe('fulfilled')
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1', '1 3<-2'])
  })

  test('of a request that leaves in parts is answered once, and the ledger knows what was taken', async () => {
    const { processor, sink, context } = rig('traces')
    const early = processor.consume(gatewaySpans([{ trace: 1, id: 1 }]), NO_CONTEXT)
    await context.fakeClock.advance(1000)
    const mixed = processor.consume(
      gatewaySpans([
        { trace: 1, id: 2, parent: 1 },
        { trace: 2, id: 3 },
      ]),
      NO_CONTEXT,
    )
    const outcome = Promise.allSettled([mixed])
    await context.fakeClock.advance(1000)
    await early
    expect(placesOf(sink)).toEqual(['1 1<-0', '1 2<-1'])
    sink.refuse(new RetryableError('full'))
    await context.fakeClock.advance(1000)
    expect((await outcome)[0]!.status).toBe('rejected')
    expect(context.ledger.entries).toEqual([{ what: 'created', signal: 'traces', items: 1 }])
  })

  test('learns of a partial success', async () => {
    const { processor, sink, context } = rig('traces')
    sink.refuse(new PartialError(1, 'one is bad'))
    const done = Promise.allSettled([processor.consume(gatewaySpans([{ id: 1 }, { id: 2, parent: 1 }]), NO_CONTEXT)])
    await context.fakeClock.advance(2000)
    expect((await done)[0]).toMatchObject({ reason: { rejected: 1 } })
  })

  test('is answered by a shutdown, which lets everything leave, and refused after it', async () => {
    const { processor, sink, context } = rig('traces')
    const done = processor.consume(gatewaySpans([{ id: 2, parent: 9 }]), NO_CONTEXT)
    await processor.shutdown!()
    await done
    expect(placesOf(sink)).toEqual(['1 2<-0'])
    expect(context.fakeClock.pending).toBe(0)
    await expect(processor.consume(gatewaySpans([{ id: 1 }]), NO_CONTEXT)).rejects.toThrow(RetryableError)
  })
})

test.each([
  ['spans', { max_spans: 20 }],
  ['traces', { max_traces: 10 }],
  ['bytes', { max_bytes: 4000 }],
])('when too many %s wait, those that have waited longest leave early, and are counted', async (_, limit) => {
  const { processor, sink, context } = rig('traces', { stitch: limit })
  const done = Array.from({ length: 50 }, (_, n) =>
    processor.consume(
      gatewaySpans([
        { trace: n + 1, id: n + 1 },
        { trace: n + 1, id: n + 100, parent: 500 },
      ]),
      NO_CONTEXT,
    ),
  )
  await settle()
  const left = sink.items
  expect(left).toBeGreaterThan(50)
  expect(context.meter.value('otelcol_processor_agent_gateway_early_spans')).toBe(left)
  expect(context.meter.value('otelcol_processor_agent_gateway_waiting_spans')).toBe(100 - left)
  await context.fakeClock.advance(2000)
  await Promise.all(done)
  expect(sink.items).toBe(100)
  expect(placesOf(sink).filter(place => place.includes('?'))).toEqual([])
})

test('spans leave as they are when an edit fails, and the log says so', async () => {
  const context = testContext({ id: 'agent_gateway', signals: ['traces'] })
  const sink = new Sink<'traces'>()
  const config = configure(agentGatewayProcessor.config)
  const stitcher = new Stitcher({
    config: config.stitch!,
    doubles: 'drop',
    names: namesUnder('openclaw'),
    next: sink as Consumer,
    context,
    instruments: context.meter.bind(agentGatewayInstruments),
    arrive: () => {},
    leave() {
      throw new Error('a bug')
    },
  })
  const done = stitcher.consume(gatewaySpans([{ id: 1, parent: 9 }]), NO_CONTEXT)
  await context.fakeClock.advance(2000)
  await done
  expect(placesOf(sink)).toEqual(['1 1<-0'])
  expect(context.logger.messages('error')).toEqual(['Could not edit spans. Handing the spans on as they are.'])
})
