import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { type FakeScript, startFakeOpenAi } from './fake-openai.test-support.ts'
import type { CompletionRequest } from './language-model.ts'
import { FakeMemory, FakeUsage, languageModelRig, openAiAt } from './rig.test-support.ts'

const SCHEMA = {
  type: 'object',
  properties: { score: { type: 'integer', minimum: 0, maximum: 4 }, summary: { type: 'string', minLength: 1 } },
  required: ['score', 'summary'],
  additionalProperties: false,
}
const JUDGE: CompletionRequest = {
  task: 'RELEVANCE',
  system: 'You judge.',
  prompt: 'What of this?',
  schema: { name: 'verdict', schema: SCHEMA },
  temperature: 0,
}
const WRITE: CompletionRequest = { task: 'GENERATION', system: 'You write.', prompt: 'Write about S1.', maxTokens: 500 }

async function rigOf(script: FakeScript, more: Readonly<Record<string, unknown>> = {}) {
  const server = await startFakeOpenAi(script)
  const rig = languageModelRig(openAiAt(server.url, more))
  return {
    ...rig,
    server,
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

describe('a chat over the OpenAI API', () => {
  it('asks the model of the task with key, limit and temperature', async () => {
    await using rig = await rigOf([])
    const answer = await rig.model.complete({ ...WRITE, temperature: 0.7 })
    expect(answer).toMatchObject({ provider: 'openai', model: 'chatty', cost: null })
    expect(answer.text).toContain('[S1]')
    const [request] = rig.server.requests
    expect(request!.path).toBe('/v1/chat/completions')
    expect(request!.headers.authorization).toBe('Bearer sk-very-secret-key')
    expect(request!.body).toEqual({
      model: 'chatty',
      messages: [
        { role: 'system', content: 'You write.' },
        { role: 'user', content: 'Write about S1.' },
      ],
      max_tokens: 500,
      temperature: 0.7,
    })
  })

  it.each([408, 409, 429, 500, 502, 503])('is tried again after %i, at most twice', async status => {
    await using rig = await rigOf([{ status }, { status }, 'sane'])
    await rig.model.complete(WRITE)
    expect(rig.server.requests).toHaveLength(3)
    expect(rig.clock.sleeps).toEqual([500, 1000])
    expect(rig.meter.value('topics.llm.retries', { 'gen_ai.provider.name': 'openai' })).toBe(2)
    await using broken = await rigOf(() => ({ status }))
    await expect(broken.model.complete(WRITE)).rejects.toThrow(expect.objectContaining({ reason: 'busy' }))
    expect(broken.server.requests).toHaveLength(3)
  })

  it.each([400, 401, 403, 404])('is not tried again after %i', async status => {
    await using rig = await rigOf(() => ({ status, message: 'Incorrect API key: sk-very-secret-key' }))
    const failed = await rig.model.complete(WRITE).catch((error: Error) => error)
    expect(failed).toMatchObject({ name: 'ModelError', reason: 'refused' })
    expect(rig.server.requests).toHaveLength(1)
    expect(JSON.stringify([(failed as Error).message, rig.logger.lines])).not.toContain('very-secret')
  })

  it.each(['disconnect', 'half'] as const)('is tried again after a connection that breaks: %s', async step => {
    await using rig = await rigOf([step, 'sane'])
    expect((await rig.model.complete(WRITE)).text).toContain('sane')
  })

  it('waits as long as Retry-After says, unless that is longer than anybody waits', async () => {
    await using rig = await rigOf([{ status: 429, headers: { 'retry-after': '7' } }, 'sane'])
    await rig.model.complete(WRITE)
    expect(rig.clock.sleeps).toEqual([7000])
    await using paused = await rigOf([{ status: 429, headers: { 'retry-after': '3600' } }])
    await expect(paused.model.complete(WRITE)).rejects.toThrow(
      expect.objectContaining({ reason: 'busy', retryAfter: 3_600_000 }),
    )
  })

  it('gives up on a server that is too slow', async () => {
    await using rig = await rigOf([{ slow: 60_000 }, 'sane'], { timeout: '200ms' })
    expect((await rig.model.complete(WRITE)).text).toContain('sane')
    await using slow = await rigOf(() => ({ slow: 60_000 }), { timeout: '100ms' })
    await expect(slow.model.complete(WRITE)).rejects.toThrow(expect.objectContaining({ reason: 'busy' }))
  })

  it('ends when whoever asked goes away, and when it is closed', async () => {
    await using rig = await rigOf(() => ({ slow: 60_000 }))
    await expect(rig.model.complete({ ...WRITE, signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/)
    const failed = rig.model.complete(WRITE).catch((error: Error) => error.message)
    await rig.model.close()
    expect(await failed).toBe('The language model is closed')
  })

  it('asks again with more room for an answer that was cut, and does not pass on half a draft', async () => {
    await using rig = await rigOf(['truncated', 'sane'])
    await rig.model.complete(WRITE)
    expect(rig.server.requests.map(({ body }) => body.max_tokens)).toEqual([500, 1000])
    await using cut = await rigOf(() => 'truncated')
    await expect(cut.model.complete(WRITE)).rejects.toThrow('The answer of chatty was cut off at 1000 tokens')
  })

  it('learns what a model does not take', async () => {
    const message = 'Unsupported parameter: max_tokens. Use max_completion_tokens instead.'
    const script: FakeScript = ({ body }) => {
      if (body.max_tokens !== undefined) return { status: 400, message }
      return body.temperature === undefined ? 'sane' : { status: 400, message: "Unsupported value: 'temperature'" }
    }
    await using rig = await rigOf(script)
    await rig.model.complete({ ...WRITE, temperature: 0 })
    await rig.model.complete({ ...WRITE, temperature: 0 })
    expect(rig.server.requests).toHaveLength(4)
    expect(rig.server.requests[3]!.body).toMatchObject({ max_completion_tokens: 500 })
  })

  it('tells a refusal from an answer, and an empty answer too', async () => {
    await using rig = await rigOf(['refusal', { text: ' ' }, 'html'])
    await expect(rig.model.complete(WRITE)).rejects.toThrow(expect.objectContaining({ reason: 'refused' }))
    await expect(rig.model.complete(WRITE)).rejects.toThrow('The answer of chatty is empty')
    await expect(rig.model.complete(WRITE)).rejects.toThrow(/answered with something else than JSON/)
  })
})

describe('JSON of a schema', () => {
  it('is enforced by the API where it can do that, and checked all the same', async () => {
    await using rig = await rigOf([])
    const { json } = await rig.model.complete(JUDGE)
    expect(json).toMatchObject({ summary: expect.any(String) })
    const format = rig.server.requests[0]!.body.response_format
    expect(format).toMatchObject({ type: 'json_schema', json_schema: { name: 'verdict', strict: true } })
    expect(JSON.stringify(format)).not.toMatch(/minimum|minLength/)
  })

  it.each(['prose', 'wrong-schema'] as const)('is repaired once: %s', async step => {
    await using rig = await rigOf([step, 'sane'])
    expect((await rig.model.complete(JUDGE)).json).toMatchObject({ score: expect.any(Number) })
    const { messages } = rig.server.requests[1]!.body
    expect(messages!.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    await using bad = await rigOf(() => step)
    await expect(bad.model.complete(JUDGE)).rejects.toThrow(/twice gave an answer that cannot be used/)
    expect(bad.server.requests).toHaveLength(2)
  })

  it('is asked for in a simpler way once a server broke its promise to enforce it, and only then', async () => {
    await using rig = await rigOf(['wrong-schema', 'sane', 'wrong-schema', 'sane', 'prose', 'sane', 'sane'])
    for (let i = 0; i < 4; i++) await rig.model.complete({ ...JUDGE, prompt: `Question ${i}` })
    const formats = rig.server.requests.map(({ body }) => body.response_format?.type)
    const object = 'json_object'
    expect(formats).toEqual(['json_schema', 'json_schema', object, object, object, object, undefined])
  })

  it('is found in fences and behind thoughts', async () => {
    const text = '<think>Hmm {what}?</think>\n{"score": 1, "summary": "s"}'
    await using rig = await rigOf(['fenced', { text }])
    await rig.model.complete(JUDGE)
    expect((await rig.model.complete({ ...JUDGE, prompt: 'Another' })).json).toEqual({ score: 1, summary: 's' })
    expect(rig.server.requests).toHaveLength(2)
  })

  it('is asked for in a simpler way from servers that do not know this one, which is found out once', async () => {
    await using rig = await rigOf(() => 'no-schema')
    await rig.model.complete(JUDGE)
    await rig.model.complete({ ...JUDGE, prompt: 'Another' })
    const formats = rig.server.requests.map(({ body }) => body.response_format?.type)
    expect(formats).toEqual(['json_schema', 'json_object', 'json_object'])
    expect(rig.server.requests[1]!.prompt).toContain('follows this JSON Schema')
  })

  it('is asked for by the prompt alone in the end', async () => {
    await using rig = await rigOf(({ body }) => (body.response_format === undefined ? 'fenced' : { status: 400 }))
    await rig.model.complete(JUDGE)
    await rig.model.complete({ ...JUDGE, prompt: 'Another' })
    expect(rig.server.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
      undefined,
    ])
  })
})

describe('what calls cost', () => {
  const prices = { chatty: { input: 2, output: 10 }, vectory: { input: 0.02 } }

  it('is counted by call, in dollars, also of answers that were of no use', async () => {
    await using rig = await rigOf(['prose', 'sane'], { prices })
    const { usage, cost } = await rig.model.complete({ ...JUDGE, topicId: 7 })
    expect(rig.usage.records).toHaveLength(2)
    expect(rig.usage.records[0]).toMatchObject({ task: 'RELEVANCE', provider: 'openai', model: 'chatty', topicId: 7 })
    const [input, output] = [usage!.inputTokens, usage!.outputTokens]
    expect(cost).toBeCloseTo((input * 2 + output * 10) / 1e6, 10)
    expect(await rig.usage.cost(0)).toBeCloseTo(cost!, 10)
  })

  it('stays within the budget of the day, which starts anew at midnight', async () => {
    await using rig = await rigOf([], { prices, daily_budget: 0.000001 })
    await rig.model.complete(WRITE)
    expect(await rig.model.unavailable('GENERATION')).toMatch(/^The budget of 0.000001 USD a day is used up/)
    await expect(rig.model.complete(WRITE)).rejects.toThrow(expect.objectContaining({ reason: 'budget' }))
    await expect(rig.model.embed(['a'])).rejects.toThrow(expect.objectContaining({ reason: 'budget' }))
    expect(rig.server.requests).toHaveLength(1)
    await rig.clock.advance(24 * 3_600_000)
    expect(await rig.model.available('GENERATION')).toBe(true)
  })

  it('is not overdrawn by calls side by side', async () => {
    await using rig = await rigOf(() => ({ slow: 50 }), { prices, daily_budget: 0.001 })
    const calls = Array.from({ length: 4 }, () => rig.model.complete(WRITE))
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is not paid twice for the same question, except for drafts', async () => {
    const [cache, usage] = [new FakeMemory(), new FakeUsage()]
    await using server = await startFakeOpenAi()
    for (let run = 0; run < 2; run++) {
      await using rig = languageModelRig(openAiAt(server.url), { cache, usage })
      await rig.model.complete(JUDGE)
      await rig.model.complete(WRITE)
    }
    expect(usage.records.map(({ task }) => task)).toEqual(['RELEVANCE', 'GENERATION', 'GENERATION'])
    await using later = languageModelRig(openAiAt(server.url), { cache })
    await later.clock.advance(31 * 24 * 3_600_000)
    await later.model.complete(JUDGE)
    expect(server.requests).toHaveLength(4)
  })
})

describe('telemetry of calls', () => {
  it('is a client span with tokens, and none of what was said', async () => {
    await using rig = await rigOf([{ status: 500 }, 'sane'])
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await rig.model.complete({ ...WRITE, traceparent })
    const [span] = rig.spans()
    expect(span!.name).toBe('chat chatty')
    expect(span!.kind).toBe(SpanKind.CLIENT)
    expect(span!.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c')
    const { 'gen_ai.usage.input_tokens': input, 'server.port': port, ...attributes } = span!.attributes
    expect(port).toBe(Number(new URL(rig.server.url).port))
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'chatty',
      'gen_ai.request.max_tokens': 500,
      'gen_ai.output.type': 'text',
      'gen_ai.response.id': 'chatcmpl-fake',
      'gen_ai.response.model': 'chatty',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.output_tokens': expect.any(Number),
      'http.request.resend_count': 1,
      'server.address': '127.0.0.1',
      'topics.task_type': 'GENERATION',
    })
    const call = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'chatty' }
    expect(rig.meter.recorded('gen_ai.client.token.usage', { ...call, 'gen_ai.token.type': 'input' })).toEqual([input])
    expect(rig.meter.recorded('gen_ai.client.operation.duration', call)).toEqual([0.5])
  })

  it('holds what was said when asked to, and errors by type', async () => {
    await using rig = await rigOf(['sane', { status: 401 }], { capture_content: true })
    await rig.model.complete(WRITE)
    await rig.model.complete(WRITE).catch(() => {})
    const [span, failed] = rig.spans()
    expect(JSON.parse(span!.attributes['gen_ai.input.messages'] as string)).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'Write about S1.' }] },
    ])
    expect(span!.attributes['gen_ai.system_instructions']).toContain('You write.')
    expect(span!.attributes['gen_ai.output.messages']).toContain('sane')
    expect(failed!.attributes['error.type']).toBe('401')
    expect(failed!.status.code).toBe(SpanStatusCode.ERROR)
  })
})
