import { describe, expect, test } from 'vitest'
import { faultsOf, rehearsal, settled } from './rehearsal.test-support.ts'
import { type ReadSpan, tree } from './rig.test-support.ts'

const T1 = { traceId: '1'.repeat(32), spanId: 'a'.repeat(16), parentSpanId: 'b'.repeat(16) }
const T2 = { traceId: '2'.repeat(32), spanId: 'c'.repeat(16), parentSpanId: 'd'.repeat(16) }

function rig(...options: Parameters<typeof rehearsal>) {
  const made = rehearsal(...options)
  const { tracing, clock } = made
  return {
    ...made,
    hook: tracing.hook.bind(tracing),
    message: (sessionKey: string, messageId: string) => tracing.hook('message_received', { messageId }, { sessionKey }),
    run: (runId: string, sessionKey: string, trace?: object, more: object = {}) =>
      tracing.hook('agent_turn_prepare', {}, { runId, sessionKey, trace, ...more }),
    done: (runId: string) => tracing.hook('agent_end', { runId, success: true }, {}),
    /** What was exported when `milliseconds` have passed. */
    async passed(milliseconds: number): Promise<ReadSpan[]> {
      for (let gone = 0; gone < milliseconds; gone += 1000) {
        clock.advance(Math.min(1000, milliseconds - gone))
        await settled()
      }
      return made.spans()
    },
  }
}

const named = (spans: readonly ReadSpan[], name: string) => spans.filter(span => span.name === `openclaw.${name}`)

describe('messages of a session', () => {
  test('are taken up by runs in the order they came', async () => {
    const { message, run, done, end, spans, clock } = rig()
    message('s', 'm1')
    clock.advance(10)
    message('s', 'm2')
    clock.advance(10)
    run('r1', 's', T1)
    run('r2', 's', T2)
    done('r1')
    done('r2')
    await end()
    const starts = (id: string) => named(spans(), 'request').find(span => span.traceId === id)!.start
    expect(starts(T2.traceId) - starts(T1.traceId)).toBe(10)
    expect(faultsOf(spans())).toEqual([])
  })

  test('are taken up by the run of their name first', async () => {
    const { message, run, end, spans, clock } = rig()
    message('s', 'm1')
    clock.advance(10)
    message('s', 'm2')
    run('m2', 's', T2)
    await end()
    const [second] = named(spans(), 'request').filter(span => span.traceId === T2.traceId)
    expect(second!.end - second!.start).toBe(0)
  })

  test('told twice are one request', async () => {
    const { message, end, spans } = rig()
    message('s', 'm1')
    message('s', 'm1')
    await end()
    expect(spans()).toHaveLength(1)
  })

  test('are left alone by runs that nobody asked for', async () => {
    const { message, run, end, spans } = rig()
    message('s', 'm1')
    run('r1', 's', T1, { trigger: 'heartbeat' })
    await end()
    expect(named(spans(), 'request')).toHaveLength(2)
  })
})

describe('a request is exported', () => {
  test('two seconds after its turn ended, and what comes in between is part of it', async () => {
    const { run, done, hook, passed } = rig()
    run('r1', 's', T1)
    done('r1')
    expect(await passed(1000)).toEqual([])
    hook('llm_output', { runId: 'r1', usage: { input: 3, output: 4 } }, {})
    const spans = await passed(8000)
    expect(named(spans, 'agent.turn')[0]!.attributes).toMatchObject({ 'openclaw.tokens.output': 4 })
  })

  test('ten seconds after its last answer, where the end of the turn is not told', async () => {
    const { hook, passed } = rig()
    const ids = { runId: 'r1', callId: 'r1:1' }
    hook('model_call_started', ids, { sessionKey: 's' })
    hook('before_message_write', { message: { role: 'assistant', stopReason: 'stop' } }, { sessionKey: 's' })
    hook('model_call_ended', ids, { sessionKey: 's' })
    expect(await passed(9000)).toEqual([])
    expect(tree(await passed(8000))).toEqual(['openclaw.request', '  openclaw.agent.turn', '    chat'])
  })

  test('five minutes after the last that was heard, and says that it is incomplete', async () => {
    const { run, passed } = rig()
    run('r1', 's', T1)
    expect(await passed(299_000)).toEqual([])
    const spans = await passed(10_000)
    expect(named(spans, 'request')[0]!.attributes['openclaw.incomplete']).toBe(true)
  })

  test('not while a tool works, for an hour at most', async () => {
    const { hook, passed } = rig()
    hook('before_tool_call', { runId: 'r1', toolName: 'exec', toolCallId: 'c' }, {})
    expect(await passed(3_000_000)).toEqual([])
    expect(await passed(700_000)).toHaveLength(3)
  })

  test('once: what comes later hangs on what was exported', async () => {
    const { run, done, hook, passed } = rig()
    run('r1', 's', T1)
    done('r1')
    expect(await passed(10_000)).toHaveLength(2)
    hook('after_tool_call', { runId: 'r1', toolName: 'exec', toolCallId: 'late', durationMs: 50 }, {})
    const spans = await passed(10_000)
    expect(tree(spans)).toEqual(['openclaw.request', '  openclaw.agent.turn', '    tool.exec'])
    expect(spans[2]!.end - spans[2]!.start).toBe(50)
  })

  test('in parts, where it has very many calls', async () => {
    const { run, hook, done, passed } = rig()
    run('r1', 's', T1)
    for (let i = 0; i < 200; i++) {
      const ids = { runId: 'r1', toolName: 'exec', toolCallId: `c${i}` }
      hook('before_tool_call', ids, {})
      hook('after_tool_call', ids, {})
    }
    expect((await passed(6000)).length).toBeGreaterThan(100)
    done('r1')
    const spans = await passed(10_000)
    expect(spans).toHaveLength(202)
    expect(faultsOf(spans)).toEqual([])
  })
})

describe('a run that fails over to another one', () => {
  test('in the same trace is a second turn of the same request', async () => {
    const { run, done, end, spans } = rig()
    run('r1', 's', T1)
    done('r1')
    run('r2', 's', T1)
    done('r2')
    await end()
    expect(tree(spans())).toEqual(['openclaw.request', '  openclaw.agent.turn', '  openclaw.agent.turn'])
  })
})

describe('a subagent', () => {
  const spawn = (hook: ReturnType<typeof rig>['hook']) =>
    hook('subagent_spawned', { childSessionKey: 'child', agentId: 'helper' }, { requesterSessionKey: 's' })

  test('of the same trace works under its span', async () => {
    const { run, hook, done, end, spans } = rig()
    run('r1', 's', T1)
    spawn(hook)
    run('r2', 'child', { ...T1, spanId: 'e'.repeat(16) })
    done('r2')
    hook('subagent_ended', { targetSessionKey: 'child', outcome: 'ok' }, {})
    done('r1')
    await end()
    expect(tree(spans())).toEqual([
      'openclaw.request',
      '  openclaw.agent.turn',
      '    openclaw.subagent',
      '      openclaw.agent.turn',
    ])
  })

  test('of a trace of its own has a link to its span', async () => {
    const { run, hook, done, end, spans } = rig()
    run('r1', 's', T1)
    spawn(hook)
    run('r2', 'child', T2)
    done('r2')
    done('r1')
    await end()
    const child = named(spans(), 'request').find(span => span.traceId === T2.traceId)!
    expect(child.link).toBe(named(spans(), 'subagent')[0]!.spanId)
    expect(faultsOf(spans())).toEqual([])
  })
})

describe('what is told of failures', () => {
  test('is their kind, not their text', async () => {
    const { run, hook, end, spans } = rig()
    run('r1', 's', T1)
    const tool = { runId: 'r1', toolName: 'exec', toolCallId: 'c' }
    hook('after_tool_call', { ...tool, error: 'ENOENT: no such file, open /home/secret' }, {})
    hook('model_call_ended', { runId: 'r1', callId: '1', outcome: 'error', failureKind: 'timeout' }, {})
    hook('agent_end', { runId: 'r1', success: false, error: '401 invalid key sk-secret' }, {})
    await end()
    const told = Object.fromEntries(spans().map(span => [span.name, [span.error, span.attributes['error.type']]]))
    expect(told).toEqual({
      'openclaw.request': ['The request failed', undefined],
      'openclaw.agent.turn': ['The turn failed', '401'],
      'tool.exec': ['The tool failed', 'ENOENT'],
      chat: ['The model call failed', 'timeout'],
    })
    expect(JSON.stringify(spans())).not.toContain('secret')
  })
})

describe('switches', () => {
  const turn = async (...options: Parameters<typeof rehearsal>) => {
    const { message, run, hook, done, end, spans, tracing } = rig(...options)
    message('s', 'm1')
    run('r1', 's', T1)
    hook('model_call_ended', { runId: 'r1', callId: '1', model: 'm', durationMs: 5 }, {})
    hook('llm_output', { runId: 'r1', usage: { input: 3, output: 4 } }, {})
    done('r1')
    tracing.lifecycle('gateway.startup', 1, 2)
    await end()
    return spans()
  }

  test('the prefix begins every name', async () => {
    const spans = await turn({}, { switches: { prefix: 'acme', lifecycleSpans: true } })
    expect(spans.map(span => span.name).sort()).toEqual([
      'acme.agent.turn',
      'acme.gateway.startup',
      'acme.request',
      'chat m',
    ])
    expect(JSON.stringify(spans)).not.toContain('openclaw')
  })

  test('identifiers may be shown', async () => {
    const shown = await turn({}, { switches: { hashIdentifiers: false } })
    expect(named(shown, 'request')[0]!.attributes['openclaw.session.key']).toBe('s')
  })

  test('without spans of model calls the turn tells the tokens', async () => {
    const spans = await turn({}, { switches: { modelCallSpans: false } })
    expect(tree(spans)).toEqual(['openclaw.request', '  openclaw.agent.turn'])
    expect(
      spans.at(-1)!.attributes['gen_ai.usage.input_tokens'] ?? spans[0]!.attributes['gen_ai.usage.input_tokens'],
    ).toBe(3)
  })

  test('a share of traces leaves whole or not at all', async () => {
    expect(await turn({ sampleRate: 0 })).toEqual([])
    expect(await turn({ sampleRate: 1 })).toHaveLength(3)
  })
})
