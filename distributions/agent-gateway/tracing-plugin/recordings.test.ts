import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  builtPlugin,
  collector,
  fakeHost,
  type RecordedHook,
  recorded,
  recordedTogether,
  replay,
  tree,
} from './rig.test-support.ts'

const OTEL = { serviceName: 'openclaw-gateway', headers: { Authorization: 'Api-Token test' } }

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** What the shipped plugin exports of these hooks. */
async function exported(hooks: readonly RecordedHook[], more: Parameters<typeof fakeHost>[1], otel: object = {}) {
  await using sink = await collector()
  const host = fakeHost({ ...OTEL, ...otel, endpoint: sink.url }, more)
  ;(await builtPlugin()).register(host.api)
  replay(host, hooks)
  await host.stop()
  return { spans: sink.spans(), points: sink.points(), requests: sink.requests, host }
}

const TURN = ['openclaw.request', '  openclaw.agent.turn', '    chat mock-1', '    tool.exec', '    chat mock-1']

describe('the hooks of 2026.9.6, with access to conversations', () => {
  const hooks = recorded('2026.9.6')
  const isChat = ({ ev, ctx }: RecordedHook) => [ev.sessionKey, ctx.sessionKey].includes('agent:main:main')
  const turns = {
    http: hooks.filter(each => !isChat(each)),
    chat: hooks.filter(isChat),
  }

  test.each(['http', 'chat'] as const)('the %s turn is one tree', async kind => {
    const { spans } = await exported(turns[kind], {})
    expect(tree(spans)).toEqual(TURN)
    expect(spans).toHaveLength(5)
    expect(new Set(spans.map(span => span.traceId)).size).toBe(1)
  })

  test('both turns together are two trees, on the trace ids of the gateway', async () => {
    const { spans } = await exported(hooks, {})
    expect(tree(spans)).toEqual([...TURN, ...TURN])
    expect(new Set(spans.map(span => span.traceId))).toEqual(
      new Set(['550679ccd3a6728d1e4f91f060d2dc90', '8371b09b9dc4aa8d7b509a8a39116997']),
    )
  })

  test('spans have the ids that the contexts of the gateway name as parents', async () => {
    const { spans } = await exported(turns.chat, {})
    const ids = Object.fromEntries(spans.map(span => [span.name, span.spanId]))
    expect(ids['openclaw.request']).toBe('f20742e8e705d439')
    expect(ids['openclaw.agent.turn']).toBe('6ffb63b5863f9703')
    const calls = spans.filter(span => span.name === 'chat mock-1').sort((a, b) => a.start - b.start)
    expect(calls.map(span => span.spanId)).toEqual(['685624ef124d7951', '735a4ae589e95aa4'])
  })

  test('times are those of the hooks', async () => {
    const { spans } = await exported(turns.chat, {})
    const base = 1_795_174_297_671
    const times = spans
      .sort((a, b) => a.start - b.start)
      .map(span => [span.name, span.start - base, span.end - base] as const)
    expect(times).toEqual([
      ['openclaw.request', 0, 1277],
      ['openclaw.agent.turn', 738, 1207],
      ['chat mock-1', 786, 813],
      ['tool.exec', 826, 925],
      ['chat mock-1', 986, 1075],
    ])
    const tool = spans.find(span => span.name === 'tool.exec')!
    expect(tool.attributes['openclaw.tool.duration_ms']).toBe(103)
  })

  test('the kinds are server, internal and client', async () => {
    const { spans } = await exported(turns.chat, {})
    expect(Object.fromEntries(spans.map(span => [span.name, span.kind]))).toEqual({
      'openclaw.request': 2,
      'openclaw.agent.turn': 1,
      'tool.exec': 1,
      'chat mock-1': 3,
    })
  })

  test('tokens and cost are in the tree once', async () => {
    const { spans } = await exported(turns.chat, {})
    const turn = spans.find(span => span.name === 'openclaw.agent.turn')!
    expect(turn.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'openclaw.agent.id': 'main',
      'openclaw.agent.model': 'mock-1',
      'openclaw.agent.success': true,
      'openclaw.agent.duration_ms': 461,
      'openclaw.llm.cost_usd': 0.000272,
      'openclaw.tokens.input': 200,
      'openclaw.tokens.output': 34,
      'openclaw.tokens.cache_read': 40,
      'openclaw.context.limit': 128_000,
      'openclaw.context.used': 120,
    })
    const sum = (key: string) => spans.reduce((total, span) => total + Number(span.attributes[key] ?? 0), 0)
    expect(sum('gen_ai.usage.input_tokens')).toBe(240)
    expect(sum('gen_ai.usage.output_tokens')).toBe(34)
    expect(sum('openclaw.llm.cost_usd')).toBe(0.000272)
  })

  test('no text of the conversation leaves, and people are hashes', async () => {
    const { requests, spans } = await exported(hooks, {}, { captureContent: false })
    expect(
      spans
        .map(span => span.attributes['openclaw.message.from'] ?? '')
        .sort()
        .at(-1),
    ).toMatch(/^sha256:[0-9a-f]{12}$/)
    const bytes = Buffer.concat(requests.map(each => each.body)).toString('latin1')
    for (const secret of ['hello', 'Done', 'echo', 'personal assistant', 'agent:main']) {
      expect(bytes).not.toContain(secret)
    }
  })

  test('where content is captured, messages and tool calls carry it, and the system prompt stays', async () => {
    const { spans } = await exported(turns.chat, {}, { captureContent: true })
    const of = (name: string) => spans.find(span => span.name === name)!.attributes
    expect(of('openclaw.agent.turn')['gen_ai.output.messages']).toBe(
      '[{"role":"assistant","parts":[{"type":"text","content":"Done: hello from the mock model."}]}]',
    )
    expect(of('openclaw.request')['gen_ai.input.messages']).toContain('please run echo hello-otel')
    expect(of('tool.exec')['gen_ai.tool.call.arguments']).toBe('{"command":"echo hello-otel"}')
    expect(of('openclaw.agent.turn')['gen_ai.system_instructions']).toBeUndefined()
  })

  test('requests carry the headers of the configuration and are protobuf', async () => {
    const { requests } = await exported(hooks, {})
    expect(requests[0]!.headers).toMatchObject({
      authorization: 'Api-Token test',
      'content-type': 'application/x-protobuf',
    })
  })

  test('metrics are measured where the built-in exporter is off, and only there', async () => {
    const { points } = await exported(hooks, {})
    const value = (name: string, attributes: object = {}) =>
      points
        .filter(each => each.name === name && Object.entries(attributes).every(([k, v]) => each.attributes[k] === v))
        .reduce((sum, each) => sum + each.value, 0)
    expect(value('openclaw.tokens', { 'openclaw.token': 'input' })).toBe(400)
    expect(value('openclaw.tokens', { 'openclaw.token': 'output' })).toBe(68)
    expect(value('openclaw.cost.usd')).toBeCloseTo(0.000544)
    expect(value('openclaw.run.duration_ms')).toBe(950)
    expect(value('openclaw.llm.requests')).toBe(4)
    expect(value('openclaw.tool.calls')).toBe(2)
    expect(value('openclaw.tool.errors')).toBe(0)
    expect(value('openclaw.messages.received')).toBe(1)
    expect(value('openclaw.messages.sent')).toBe(1)

    const both = { entries: { 'diagnostics-otel': { enabled: true } } }
    const { points: own } = await exported(hooks, { plugins: both })
    expect(own.map(each => each.name)).toEqual(['openclaw.tracing.spans'])
  })
})

describe('the hooks of 2026.4.25, without access to conversations', () => {
  const hooks = recorded('2026.4.25')
  const more = { version: '2026.4.25', plugins: {} }

  test('are still one tree, on the trace id of the gateway', async () => {
    const { spans } = await exported(hooks, more)
    expect(tree(spans)).toEqual(TURN)
    expect(new Set(spans.map(span => span.traceId))).toEqual(new Set(['3a5d194b6075b2c6088117b75c877d4f']))
  })

  test('the parents that spans of the built-in exporter name are there', async () => {
    const { spans } = await exported(hooks, more)
    const ids = Object.fromEntries(spans.map(span => [span.name, span.spanId]))
    expect(ids['openclaw.request']).toBe('a9dbdaf537f1f94a')
    expect(ids['openclaw.agent.turn']).toBe('cb257c0578d5e0b8')
  })

  test('times and tokens are right though the end of the turn is never told', async () => {
    const { spans } = await exported(hooks, more)
    const base = 1_795_174_859_623
    const times = spans
      .sort((a, b) => a.start - b.start)
      .map(span => [span.name, span.start - base, span.end - base] as const)
    expect(times).toEqual([
      ['openclaw.request', 0, 39_372],
      ['openclaw.agent.turn', 8920, 39_372],
      ['chat mock-1', 39_276, 39_308],
      ['tool.exec', 39_315, 39_358],
      ['chat mock-1', 39_360, 39_372],
    ])
    const turn = spans.find(span => span.name === 'openclaw.agent.turn')!
    expect(turn.attributes).toMatchObject({ 'openclaw.tokens.input': 200, 'openclaw.tokens.output': 34 })
    expect(spans[0]!.attributes['openclaw.incomplete']).toBeUndefined()
  })

  test('hooks that need permission are not asked for, and the log says so once', async () => {
    const { host } = await exported(hooks, more)
    expect([...host.handlers.keys()].filter(hook => /^llm_|^agent_/.test(hook))).toEqual([])
    expect(host.lines.filter(line => line.includes('allowConversationAccess'))).toHaveLength(1)
  })
})

describe('the hooks of 2026.4.25, with access to conversations', () => {
  test('are two trees, with the cost that its messages tell, though it announces no reply', async () => {
    const { spans } = await exported(recordedTogether(), { version: '2026.4.25' })
    expect(tree(spans)).toEqual([...TURN, ...TURN])
    const turns = spans.filter(span => span.name === 'openclaw.agent.turn')
    expect(turns.map(turn => turn.attributes['openclaw.llm.cost_usd'])).toEqual([0.000272, 0.000272])
    expect(turns.map(turn => turn.attributes['openclaw.agent.success'])).toEqual([true, true])
  })
})

describe('the hooks of 2026.9.6, without access to conversations', () => {
  test('are one tree a turn, with tokens and cost', async () => {
    const { spans } = await exported(recorded('2026.9.6'), { plugins: {} })
    expect(tree(spans)).toEqual([...TURN, ...TURN])
    const turn = spans.find(span => span.attributes['openclaw.run.id'] === 'k1')!
    expect(turn.attributes).toMatchObject({ 'openclaw.tokens.input': 200, 'openclaw.llm.cost_usd': 0.000272 })
  })
})
