import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { languageModelRig } from './rig.test-support.ts'

type Body = { readonly [key: string]: unknown; readonly tools?: readonly unknown[] }
interface Seen {
  readonly path: string | undefined
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Body
}

const USAGE = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 }

/** A server with the Anthropic API that answers what `answer` says. */
async function startFake(answer: (body: Body, number: number) => { status?: number; body: unknown }) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body
    const number = seen.push({ path: request.url, headers: request.headers, body }) - 1
    const { status = 200, body: said } = answer(body, number)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const rig = languageModelRig({
    primary: {
      type: 'anthropic',
      base_url: `http://127.0.0.1:${port}/v1`,
      api_key: 'sk-ant-secret',
      models: { default: 'wise' },
    },
  })
  return {
    ...rig,
    seen,
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const text = (said: string, stop = 'end_turn') => ({
  body: { id: 'msg_1', model: 'wise-1', content: [{ type: 'text', text: said }], stop_reason: stop, usage: USAGE },
})
const schema = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { score: { type: 'integer' } },
    required: ['score'],
    additionalProperties: false,
  },
}

describe('a chat over the Anthropic API', () => {
  it('sends key, version, system prompt and limit, and counts cached tokens as read', async () => {
    await using rig = await startFake(() => text('Hello'))
    const answer = await rig.model.complete({ task: 'GENERATION', system: 'Be brief.', prompt: 'Hi', temperature: 1.5 })
    expect(answer).toMatchObject({ text: 'Hello', provider: 'anthropic', model: 'wise' })
    expect(answer.usage).toEqual({ inputTokens: 15, outputTokens: 3, estimated: false })
    const { path, headers, body } = rig.seen[0]!
    expect(path).toBe('/v1/messages')
    expect(headers).toMatchObject({ 'x-api-key': 'sk-ant-secret', 'anthropic-version': '2023-06-01' })
    expect(body).toEqual({
      model: 'wise',
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 4096,
      temperature: 1,
    })
    expect(rig.spans()[0]!.attributes['gen_ai.usage.cache_read.input_tokens']).toBe(5)
  })

  it('gets JSON of a schema as the input of a tool', async () => {
    const use = { type: 'tool_use', id: 't', name: 'verdict', input: { score: 3 } }
    await using rig = await startFake(() => ({ body: { content: [use], stop_reason: 'tool_use', usage: USAGE } }))
    const answer = await rig.model.complete({ task: 'RELEVANCE', system: '', prompt: '', schema })
    expect(answer.json).toEqual({ score: 3 })
    expect(rig.seen[0]!.body).toMatchObject({
      tool_choice: { type: 'tool', name: 'verdict' },
      tools: [{ name: 'verdict', input_schema: schema.schema }],
    })
  })

  it('asks by the prompt alone where tools are not known', async () => {
    await using rig = await startFake(body =>
      body.tools === undefined ? text('{"score": 1}') : { status: 400, body: { error: { message: 'no tools' } } },
    )
    const answer = await rig.model.complete({ task: 'RELEVANCE', system: 'S', prompt: '', schema })
    expect(answer.json).toEqual({ score: 1 })
  })

  it('is tried again when it is overloaded (529), with more room when cut, and never after a refusal', async () => {
    await using rig = await startFake((_, number) => {
      if (number === 0) return { status: 529, body: { type: 'error', error: { message: 'Overloaded' } } }
      return number === 1 ? text('Hal', 'max_tokens') : number === 2 ? text('Half no more') : text('', 'refusal')
    })
    const request = { task: 'GENERATION', system: '', prompt: '' } as const
    expect((await rig.model.complete(request)).text).toBe('Half no more')
    expect(rig.seen.map(({ body }) => body.max_tokens)).toEqual([4096, 4096, 8192])
    await expect(rig.model.complete(request)).rejects.toThrow(expect.objectContaining({ reason: 'refused' }))
  })

  it('leaves embeddings to word vectors', async () => {
    await using rig = await startFake(() => text('Hello'))
    expect(rig.model.embedding).toMatchObject({ model: 'hashing-v1', kind: 'lexical' })
    expect(await rig.model.embed(['one', 'two'])).toHaveLength(2)
    expect(rig.seen).toHaveLength(0)
  })
})
