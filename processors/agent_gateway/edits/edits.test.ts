import { describe, expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { openDraft, type Payload } from '#core/data'
import { aLog, aPoint, aSpan, logsOf, metricsOf, type PlainAttributes, payloadOf, tracesOf } from '#core/testing'
import { gatewaySpans, rig, type TestSpan } from '../rig.test-support.ts'

const RESOURCE = { 'service.name': 'gateway' }

/** Bodies and attributes of one log record as it leaves. */
async function log(
  body: string,
  attributes: PlainAttributes,
  written: object = {},
  scope = 'openclaw',
): Promise<{ body: unknown; attributes: object }> {
  const { processor, sink } = rig('logs', written)
  await processor.consume(
    payloadOf('logs', logsOf([aLog({ body, attributes })], { scope, resource: RESOURCE })),
    NO_CONTEXT,
  )
  const [left] = [...openDraft(sink.payloads[0]!).logs()]
  return { body: left!.body, attributes: Object.fromEntries(left!.attributes) }
}

/** Spans without those that stitching would touch: as `name {attributes}`. */
async function spans(plain: readonly TestSpan[], written: object = {}): Promise<[string, number, object][]> {
  const { processor, sink, context } = rig('traces', written)
  const done = processor.consume(gatewaySpans(plain), NO_CONTEXT)
  await context.fakeClock.advance(2000)
  await done
  return [...openDraft(sink.payloads[0]!).spans()].map(span => [
    span.name,
    span.kind,
    Object.fromEntries(span.attributes),
  ])
}

describe('the body of a log record', () => {
  const printed = { 'openclaw.log.level': 'INFO', 'openclaw.logger': 'openclaw', 'code.function': 'console.log' }
  const own = { 'openclaw.log.level': 'INFO', 'openclaw.subsystem': 'gateway/ws' }
  const kept = 'web_search: no provider configured and no credentials found, falling back to keyless provider "x"'
  const security = { 'openclaw.security.event_id': '1' }

  test.each<[string, string, PlainAttributes, string, string]>([
    ['that was printed is taken out', 'Your password is 1234', printed, 'openclaw', '[REDACTED 21 characters]'],
    ['without any mark too', 'Hello', {}, 'openclaw', '[REDACTED 5 characters]'],
    ['with marks but of another scope too', 'Hello', printed, 'other', '[REDACTED 5 characters]'],
    ['of a subsystem stays', '⇄ res ✓ chat.send', own, 'openclaw', '⇄ res ✓ chat.send'],
    ['of a module stays', 'cron: started', { 'openclaw.module': 'cron' }, 'openclaw', 'cron: started'],
    ['that is a known line stays', kept, printed, 'openclaw', kept],
    ['that begins like one does not', `${kept} hello`, printed, 'openclaw', `[REDACTED ${kept.length + 6} characters]`],
    ['with more lines behind does not', `log\nhello`, printed, 'openclaw', '[REDACTED 9 characters]'],
    ['of a security event stays', 'openclaw.security.event', security, 'openclaw', 'openclaw.security.event'],
    ['of a subsystem that quotes is taken out', 'Inbound body: Hello', own, 'openclaw', '[REDACTED 19 characters]'],
    ['that quotes a command too', 'elevated command: ls ~', own, 'openclaw', '[REDACTED 22 characters]'],
    ['with a preview too', 'in from=a preview="Hi"', own, 'openclaw', '[REDACTED 22 characters]'],
    ['of another service stays', 'Hello', { a: 1 }, 'http', 'Hello'],
  ])('%s', async (_, body, attributes, scope, expected) => {
    expect((await log(body, attributes, {}, scope)).body).toBe(expected)
  })

  test('that is structured is taken out like text', async () => {
    const body = { keyValues: true, text: ['Hello', 1n, null] } as never
    expect((await log(body, own)).body).toBe('[REDACTED]')
    expect((await log({ a: 1 } as never, printed)).body).toBe('[REDACTED]')
    expect((await log({ a: 1 } as never, own)).body).toEqual({ a: 1 })
  })

  test('stays when told so, and known lines can be told', async () => {
    expect((await log('Hello', printed, { redact: { reply_text: false } })).body).toBe('Hello')
    const keep = { redact: { keep_bodies: ['^Hello, \\w+$'] } }
    expect((await log('Hello, world', printed, keep)).body).toBe('Hello, world')
    expect((await log('Hello, my world', printed, keep)).body).toBe('[REDACTED 15 characters]')
  })
})

test.each([
  ['Command failed: curl -H "Authorization: Bearer x"', '[REDACTED 49 characters]'],
  ['rejected, preview="Your password is 1234"', '[REDACTED 41 characters]'],
  ['429 Too Many Requests', '429 Too Many Requests'],
])('what a span says of an error does not quote conversations and commands: %s', async (message, expected) => {
  const events = [{ name: 'exception', attributes: [{ key: 'exception.message', value: { stringValue: message } }] }]
  const span = { ...aSpan({ kind: 1, attributes: {} }), status: { code: 2, message }, events }
  const { processor, sink, context } = rig('traces')
  const done = processor.consume(payloadOf('traces', tracesOf([span], { scope: 'openclaw' })), NO_CONTEXT)
  await context.fakeClock.advance(2000)
  await done
  const [left] = [...openDraft(sink.payloads[0]!).spans()]
  expect(left!.status).toEqual({ code: 2, message: expected })
  expect([...left!.events].map(event => Object.fromEntries(event.attributes))).toEqual([
    { 'exception.message': expected },
  ])
})

test('what tools were given, gave and failed with is content, under whatever name', async () => {
  const content = Object.fromEntries(
    [
      'content.of_tomorrow',
      'reply',
      'tool.error',
      'tool.input',
      'tool.params',
      'tool.output',
      'tool.result',
      'exec.command',
      'message.content',
    ].map(name => [`openclaw.${name}`, 'x']),
  )
  expect(await spans([{ id: 1, attributes: { ...content, 'openclaw.tool.name': 'exec' } }])).toEqual([
    ['openclaw.span1', 1, { 'openclaw.tool.name': 'exec' }],
  ])
  const errors = (error: string) => spans([{ id: 1, attributes: { 'openclaw.agent.error': error } }])
  expect(await errors('TimeoutError')).toEqual([['openclaw.span1', 1, { 'openclaw.agent.error': 'TimeoutError' }]])
  expect(await errors('I said that')).toEqual([['openclaw.span1', 1, {}]])
})

test('attributes with content of conversations and command lines are removed unless told otherwise', async () => {
  const content = {
    'openclaw.content.output_messages': '[]',
    'gen_ai.input.messages': '[]',
    'gen_ai.tool.call.arguments': '{}',
    'process.command_args': ['--token', 'x'],
    'openclaw.model': 'm',
  }
  expect(await spans([{ id: 1, attributes: content }])).toEqual([['openclaw.span1', 1, { 'openclaw.model': 'm' }]])
  const all = { redact: { content: false, command_args: false } }
  expect(await spans([{ id: 1, attributes: content }], all)).toEqual([['openclaw.span1', 1, content]])
  const record = { 'openclaw.subsystem': 'x', 'openclaw.body': 'Hello', 'openclaw.jobs': 0 }
  expect((await log('inbound', record)).attributes).toEqual({ 'openclaw.subsystem': 'x', 'openclaw.jobs': 0 })
})

describe('another prefix', () => {
  test('takes the place in names, not of what only begins alike', async () => {
    const renamed = { rename_prefix: 'agent' }
    const attributes = { 'openclaw.model': 'm', openclawed: 1, 'x.openclaw.y': 2 }
    expect(await spans([{ id: 1, attributes }], renamed)).toEqual([
      ['agent.span1', 1, { 'agent.model': 'm', openclawed: 1, 'x.openclaw.y': 2 }],
    ])
    const event = await log('openclaw.security.event', { 'openclaw.security.event_id': '1' }, renamed)
    expect(event).toEqual({ body: 'agent.security.event', attributes: { 'agent.security.event_id': '1' } })
    const line = await log('openclaw.x is a name', { 'openclaw.subsystem': 's' }, renamed)
    expect(line.body).toBe('openclaw.x is a name')
  })

  test('of metrics may differ from that of the rest', async () => {
    const { processor, sink } = rig('metrics', { metric_prefix: 'gw', rename_prefix: 'agent' })
    const points = [aPoint({ attributes: { 'openclaw.token': 'input' } })]
    const metrics = ['gw.tokens', 'openclaw.tokens', 'gen_ai.x'].map(name => ({ name, gauge: { dataPoints: points } }))
    await processor.consume(payloadOf('metrics', metricsOf(metrics, { scope: 'openclaw' })), NO_CONTEXT)
    const left = [...openDraft(sink.payloads[0]!).points()]
    expect(left.map(point => point.metric.name)).toEqual(['agent.tokens', 'openclaw.tokens', 'gen_ai.x'])
    expect(left.map(point => [...point.attributes])).toEqual([
      [['agent.token', 'input']],
      [['agent.token', 'input']],
      [['agent.token', 'input']],
    ])
  })
})

describe('names of the GenAI conventions', () => {
  const mapped = { gen_ai: true, doubles: 'keep', stitch: { enabled: false } }

  test('are given to model calls, turns and tools when asked for', async () => {
    const plain: TestSpan[] = [
      {
        id: 1,
        name: 'openclaw.model.call',
        attributes: { 'gen_ai.system': 'p', 'openclaw.model': 'm', 'gen_ai.operation.name': 'text_completion' },
      },
      { id: 2, name: 'openclaw.agent.turn', attributes: { 'openclaw.agent.id': 'main', 'openclaw.provider': 'p' } },
      { id: 3, name: 'openclaw.tool.execution', attributes: { 'openclaw.toolName': 'exec' } },
      { id: 4, name: 'tool.read', attributes: { 'openclaw.tool.call_id': 'c1' } },
      { id: 5, name: 'openclaw.exec', attributes: {} },
    ]
    expect(await spans(plain, mapped)).toEqual([
      [
        'chat m',
        3,
        {
          'gen_ai.provider.name': 'p',
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'm',
          'openclaw.model': 'm',
        },
      ],
      [
        'invoke_agent main',
        1,
        {
          'openclaw.agent.id': 'main',
          'openclaw.provider': 'p',
          'gen_ai.provider.name': 'p',
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'main',
        },
      ],
      [
        'execute_tool exec',
        1,
        { 'openclaw.toolName': 'exec', 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'exec' },
      ],
      [
        'execute_tool read',
        1,
        {
          'openclaw.tool.call_id': 'c1',
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'read',
          'gen_ai.tool.call.id': 'c1',
        },
      ],
      ['openclaw.exec', 1, {}],
    ])
  })

  /** Names and token types of what leaves. */
  async function tokens(names: readonly string[]): Promise<[string, unknown][]> {
    const { processor, sink } = rig('metrics', mapped)
    const dataPoints = ['input', 'output', 'total'].map(token => aPoint({ attributes: { 'openclaw.token': token } }))
    const metrics = names.map(name => ({ name, sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } }))
    await processor.consume(payloadOf('metrics', metricsOf(metrics, { scope: 'openclaw' })), NO_CONTEXT)
    return [...openDraft(sink.payloads[0] as Payload<'metrics'>).points()].map(point => [
      point.metric.name,
      point.attributes.get('gen_ai.token.type') ?? point.attributes.get('openclaw.token'),
    ])
  }

  test('are given to the token counter, without the sums among its points', async () => {
    expect(await tokens(['openclaw.tokens'])).toEqual([
      ['gen_ai.client.token.usage', 'input'],
      ['gen_ai.client.token.usage', 'output'],
    ])
  })

  test('are not when the gateway sends them itself: it would count twice', async () => {
    const left = await tokens(['openclaw.tokens', 'gen_ai.client.token.usage'])
    expect(left.filter(([name]) => name === 'openclaw.tokens')).toHaveLength(3)
    expect(left.filter(([name]) => name === 'gen_ai.client.token.usage')).toHaveLength(3)
  })
})
