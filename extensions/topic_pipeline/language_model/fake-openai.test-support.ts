import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hashedEmbedding } from './hashed-embedding.ts'
import { saneJson, saneText } from './sane-answers.test-support.ts'

/** One request as the server saw it. */
export interface FakeRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: FakeBody
  /** All messages joined. */
  readonly prompt: string
}

export interface FakeBody {
  readonly model: string
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
  readonly input?: readonly string[]
  readonly dimensions?: number
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly response_format?: {
    readonly type: 'json_schema' | 'json_object'
    readonly json_schema?: { readonly name: string; readonly strict: boolean; readonly schema: object }
  }
}

/**
 * How one request is answered. `sane`: as asked. `status`: an error. `text`: this content. `prose`: no JSON although
 * asked for. `fenced`: JSON in a code fence, with talk around it. `wrong-schema`: JSON without what is required.
 * `truncated`: cut at the limit of tokens. `html`: a page under 200. `half`: the connection breaks within the body.
 * `disconnect`: no answer at all. `slow`: sane after so many milliseconds. `no-schema`: 400 for `json_schema`. `refusal`: the model says no.
 */
export type FakeStep =
  | 'sane'
  | 'prose'
  | 'fenced'
  | 'wrong-schema'
  | 'truncated'
  | 'html'
  | 'half'
  | 'disconnect'
  | 'no-schema'
  | 'refusal'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }
  | { readonly slow: number }
  | { readonly text: string }

/** Steps in the order of requests, then sane ones; or a function of the request and its number from 0. */
export type FakeScript = readonly FakeStep[] | ((request: FakeRequest, number: number) => FakeStep)

export interface FakeOpenAi extends AsyncDisposable {
  /** For `base_url`. */
  readonly url: string
  /** Every request, in order. */
  readonly requests: readonly FakeRequest[]
  close(): Promise<void>
}

/** A server with the OpenAI API on the loopback interface that misbehaves as `script` says. */
export async function startFakeOpenAi(script: FakeScript = []): Promise<FakeOpenAi> {
  const requests: FakeRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming)
    const number = requests.push(request) - 1
    const step = typeof script === 'function' ? script(request, number) : (script[number] ?? 'sane')
    if (typeof step === 'object' && 'slow' in step) {
      const timer = setTimeout(() => respond(request, 'sane', response), step.slow)
      response.on('close', () => clearTimeout(timer))
    } else {
      respond(request, step, response)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests, close, [Symbol.asyncDispose]: close }
}

async function read(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as FakeBody
  const prompt = (body.messages ?? []).map(message => message.content).join('\n')
  return { path: incoming.url ?? '', headers: incoming.headers, body, prompt }
}

function respond(request: FakeRequest, step: FakeStep, response: ServerResponse): void {
  if (step === 'disconnect') {
    response.socket?.destroy()
  } else if (step === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
  } else if (typeof step === 'object' && 'status' in step) {
    json(response, step.status, { error: { message: step.message ?? `status ${step.status}` } }, step.headers)
  } else if (step === 'no-schema' && request.body.response_format?.type === 'json_schema') {
    json(response, 400, { error: { message: 'response_format of type json_schema is not supported' } })
  } else {
    const body = request.path.endsWith('/embeddings') ? embeddings(request) : chat(request, step)
    if (step === 'half') half(response, JSON.stringify(body))
    else json(response, 200, body)
  }
}

function half(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
}

function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function embeddings({ body }: FakeRequest): unknown {
  const input = body.input ?? []
  const data = input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [...hashedEmbedding(text, body.dimensions ?? 1536)],
  }))
  // In no order, as the API allows.
  return {
    object: 'list',
    data: data.reverse(),
    model: body.model,
    usage: { prompt_tokens: input.length, total_tokens: 0 },
  }
}

function chat(request: FakeRequest, step: FakeStep): unknown {
  const { body, prompt } = request
  const content = contentOf(request, step)
  const message =
    step === 'refusal' ? { role: 'assistant', refusal: 'I cannot help with that' } : { role: 'assistant', content }
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    model: body.model,
    choices: [{ index: 0, message, finish_reason: step === 'truncated' ? 'length' : 'stop' }],
    usage: { prompt_tokens: tokens(prompt), completion_tokens: tokens(content), total_tokens: 0 },
  }
}

function contentOf(request: FakeRequest, step: FakeStep): string {
  if (typeof step === 'object' && 'text' in step) return step.text
  if (step === 'prose') return 'Certainly! Here is what I think about it.'
  const wanted = schemaOf(request)
  const sane = wanted === undefined ? saneText(request.prompt) : JSON.stringify(saneJson(wanted, request.prompt))
  if (step === 'truncated') return sane.slice(0, sane.length / 2)
  if (step === 'fenced') return `Here you are:\n\`\`\`json\n${sane}\n\`\`\`\nAnything else?`
  return step === 'wrong-schema' ? '{"unexpected": true}' : sane
}

/** From `response_format`, else from a prompt that asks for one. */
function schemaOf({ body, prompt }: FakeRequest): object | undefined {
  const enforced = body.response_format?.json_schema?.schema
  if (enforced !== undefined) return enforced
  const told = /follows this JSON Schema[^\n]*\n(\{.*\})/.exec(prompt)
  return told === null ? undefined : (JSON.parse(told[1]!) as object)
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
