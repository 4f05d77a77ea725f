import { describe, expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { openDraft } from '#core/data'
import { aPoint, metricsOf, payloadOf } from '#core/testing'
import { gatewaySpans, placesOf, rig, type TestSpan } from '../rig.test-support.ts'

/** What the tracing plugin sends of a turn with one tool call, on the gateway's own trace id. */
const PLUGIN: readonly TestSpan[] = [
  { id: 1, name: 'openclaw.request', kind: 2, start: 0, end: 100 },
  { id: 2, parent: 1, name: 'openclaw.agent.turn', start: 5, end: 95, attributes: { 'openclaw.tokens.input': 7 } },
  { id: 3, parent: 2, name: 'chat m', kind: 3, start: 10, end: 40 },
  { id: 4, parent: 2, name: 'tool.exec', start: 41, end: 60, attributes: { 'gen_ai.tool.name': 'exec' } },
  { id: 5, parent: 2, name: 'chat m', kind: 3, start: 61, end: 90 },
]

/** What the built-in export sends of the same. Parents 2 and 4 are ids that the plugin took over, 99 never comes. */
const BUILT_IN: readonly TestSpan[] = [
  { id: 13, parent: 2, name: 'openclaw.model.call', start: 11, end: 39 },
  {
    id: 14,
    parent: 2,
    name: 'openclaw.tool.execution',
    start: 41,
    end: 59,
    attributes: { 'openclaw.toolName': 'exec' },
  },
  { trace: 2, id: 20, name: 'openclaw.exec', start: 42, end: 58 },
  { id: 15, parent: 2, name: 'openclaw.model.call', start: 62, end: 90 },
  { id: 16, parent: 2, name: 'openclaw.context.assembled', start: 10, end: 10 },
  { id: 12, parent: 99, name: 'openclaw.run', start: 6, end: 94 },
  { trace: 3, id: 17, name: 'openclaw.harness.run', start: 5, end: 95 },
  { id: 18, parent: 99, name: 'openclaw.model.usage', start: 4, end: 96 },
  { trace: 4, id: 19, name: 'openclaw.message.processed', start: 0, end: 100 },
]

async function both(doubles: string) {
  const made = rig('traces', { doubles })
  const done = [
    made.processor.consume(gatewaySpans(BUILT_IN), NO_CONTEXT),
    made.processor.consume(gatewaySpans(PLUGIN, 'millrace-tracing'), NO_CONTEXT),
  ]
  await made.context.fakeClock.advance(2000)
  await Promise.all(done)
  return made
}

describe('spans of the built-in export and of the plugin', () => {
  test('are one tree in which each work is told once', async () => {
    const { sink, context } = await both('drop')
    expect(placesOf(sink)).toEqual(['1 16<-2', '1 1<-0', '1 20<-4', '1 2<-1', '1 3<-2', '1 4<-2', '1 5<-2'])
    expect(context.meter.value('otelcol_processor_agent_gateway_double_spans')).toBe(7)
    expect(context.ledger.total('dropped', 'double')).toBe(7)
  })

  test('are marked on request, in one tree', async () => {
    const { sink } = await both('mark')
    const places = placesOf(sink)
    expect(places).toHaveLength(14)
    expect(places.filter(place => place.startsWith('1 ') && !place.includes('?'))).toHaveLength(14)
    expect(places.filter(place => place.endsWith('<-0'))).toEqual(['1 1<-0'])
    const marked = sink.payloads
      .flatMap(payload => [...openDraft(payload).spans()])
      .filter(span => span.attributes.has('millrace.stitch.double_of'))
      .map(span => span.name)
    expect(marked.sort()).toEqual([
      'openclaw.harness.run',
      'openclaw.message.processed',
      'openclaw.model.call',
      'openclaw.model.call',
      'openclaw.model.usage',
      'openclaw.run',
      'openclaw.tool.execution',
    ])
  })

  test('are all kept when told so', async () => {
    const { sink, context } = await both('keep')
    expect(placesOf(sink)).toHaveLength(14)
    expect(context.ledger.entries).toEqual([])
  })

  test('are not taken for each other when tools or times differ, nor without the plugin', async () => {
    const names = async (spans: readonly TestSpan[], plugin: readonly TestSpan[]) => {
      const { processor, sink, context } = rig('traces')
      const done = [processor.consume(gatewaySpans(spans), NO_CONTEXT)]
      if (plugin.length > 0) done.push(processor.consume(gatewaySpans(plugin, 'millrace-tracing'), NO_CONTEXT))
      await context.fakeClock.advance(2000)
      await Promise.all(done)
      return sink.items
    }
    const read = {
      id: 14,
      parent: 2,
      name: 'openclaw.tool.execution',
      start: 41,
      end: 59,
      attributes: { 'openclaw.toolName': 'read' },
    }
    expect(await names([read], PLUGIN)).toBe(6)
    const call = { id: 13, parent: 2, name: 'openclaw.model.call', start: 41, end: 59 }
    expect(await names([call], PLUGIN)).toBe(6)
    expect(await names([...BUILT_IN, { id: 30, name: 'chat m', start: 11, end: 39 }], [])).toBe(10)
  })

  test('are found when the built-in ones come late, and marked when the plugin does', async () => {
    const { processor, sink, context } = rig('traces')
    const send = async (spans: readonly TestSpan[], scope?: string) => {
      const done = processor.consume(gatewaySpans(spans, scope), NO_CONTEXT)
      await context.fakeClock.advance(2000)
      await done
    }
    const [call, ...others] = BUILT_IN.filter(span => span.trace === undefined)
    await send([call!])
    await send(PLUGIN, 'millrace-tracing')
    await send(others)
    const left = sink.payloads.flatMap(payload => [...openDraft(payload).spans()])
    expect(left.map(span => span.name)).toEqual([
      'openclaw.model.call',
      ...PLUGIN.map(span => span.name),
      'openclaw.context.assembled',
    ])
    const marked = left.filter(span => span.attributes.has('millrace.stitch.double_of'))
    expect(marked.map(span => [span.name, span.startTime - left[0]!.startTime])).toEqual([['chat m', -1_000_000n]])
    expect(placesOf(sink).filter(place => place.includes('?') || place.endsWith('<-0'))).toEqual(['1 13<-0'])
  })

  test('leave the place of a dropped one to the plugin, for late children too', async () => {
    const { processor, sink, context } = rig('traces')
    const tool = {
      id: 14,
      parent: 2,
      name: 'openclaw.tool.execution',
      start: 41,
      end: 59,
      attributes: { 'openclaw.toolName': 'exec' },
    }
    const first = [
      processor.consume(gatewaySpans([tool]), NO_CONTEXT),
      processor.consume(gatewaySpans(PLUGIN, 'millrace-tracing'), NO_CONTEXT),
    ]
    await context.fakeClock.advance(2000)
    await Promise.all(first)
    const late = processor.consume(gatewaySpans([{ id: 21, parent: 14 }]), NO_CONTEXT)
    await context.fakeClock.advance(2000)
    await late
    expect(placesOf(sink)).toContain('1 21<-4')
    const within = processor.consume(gatewaySpans([{ id: 22, parent: 98, start: 42, end: 50 }]), NO_CONTEXT)
    await context.fakeClock.advance(2000)
    await within
    expect(placesOf(sink)).toContain('1 22<-4')
  })
})

describe('metrics of both', () => {
  const sum = (name: string) => ({
    name,
    sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [aPoint(), aPoint({}, 1)] },
  })
  const request = (scope: string, names: readonly string[]) =>
    payloadOf('metrics', metricsOf(names.map(sum), { scope, resource: { 'service.name': 'gateway' } }))

  async function names(doubles: string): Promise<string[][]> {
    const { processor, sink } = rig('metrics', { doubles })
    const plugin = ['openclaw.tokens', 'openclaw.llm.tokens.total', 'openclaw.llm.requests', 'openclaw.cost.usd']
    await processor.consume(request('millrace-tracing', plugin), NO_CONTEXT)
    await processor.consume(request('openclaw', ['openclaw.tokens']), NO_CONTEXT)
    await processor.consume(request('millrace-tracing', plugin), NO_CONTEXT)
    return sink.payloads.map(payload => [...openDraft(payload).metrics()].map(metric => metric.name))
  }

  test("leave without the plugin's once the built-in ones have been seen", async () => {
    expect(await names('drop')).toEqual([
      ['openclaw.tokens', 'openclaw.llm.tokens.total', 'openclaw.llm.requests', 'openclaw.cost.usd'],
      ['openclaw.tokens'],
      ['openclaw.llm.requests', 'openclaw.cost.usd'],
    ])
  })

  test('all leave when told so', async () => {
    expect((await names('keep')).flat()).toHaveLength(9)
  })
})

describe('the duration of runs', () => {
  const series = (...all: object[]) => ({
    name: 'openclaw.run.duration_ms',
    gauge: { dataPoints: all.map(attributes => aPoint({ attributes } as never)) },
  })
  const outcome = { 'openclaw.outcome': 'completed' }
  const agent = { 'openclaw.agent': 'main' }

  test.each([
    ['outcome', [outcome, agent], [outcome]],
    ['agent', [outcome, agent], [agent]],
    ['both', [outcome, agent], [outcome, agent]],
    ['outcome', [agent], [agent]],
    ['agent', [outcome], [outcome]],
  ])('with `%s` of series %j keeps %j', async (run_duration, sent, kept) => {
    const { processor, sink, context } = rig('metrics', { run_duration })
    await processor.consume(payloadOf('metrics', metricsOf([series(...sent)], { scope: 'openclaw' })), NO_CONTEXT)
    const left = [...openDraft(sink.payloads[0]!).points()].map(point => Object.fromEntries(point.attributes))
    expect(left).toEqual(kept)
    const dropped = 'otelcol_processor_agent_gateway_dropped_points'
    expect(context.meter.value(dropped, { reason: 'run_duration' })).toBe(sent.length - kept.length)
  })
})
