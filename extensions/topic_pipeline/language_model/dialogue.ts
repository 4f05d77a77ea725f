import type { JsonSchema } from '#core/component'
import { type JsonFault, type JsonValidator, validateJson } from '#core/config'
import { type CompletionRequest, ModelError } from './language-model.ts'
import { type ChatAnswer, type ChatCall, type Format, type Provider, ProviderFault, type Turn } from './provider.ts'

/** What a chat came to, after repair where it was needed. */
export interface Answered {
  readonly text: string
  /** Set when a schema was asked for. */
  readonly json?: unknown
}

/** Asks once; what it costs is accounted for by whoever gives it. */
export type Ask = (call: ChatCall) => Promise<ChatAnswer>

const DEFAULT_MAX_TOKENS = 4096
/** A cut answer is asked for again with this many times the room. */
const MORE_ROOM = 2

/**
 * Gets whole answers, and JSON that follows a schema: enforced by the API where it can do that, else by the prompt.
 * What a server can do is found out once a model. An answer that does not follow the schema is sent back once with its
 * faults; a cut one is asked for again once.
 */
export class Dialogue {
  /** First format to try, by provider and model. */
  readonly #formats = new Map<string, number>()
  readonly #validators = new WeakMap<JsonSchema, JsonValidator>()

  /**
   * @throws {ProviderFault}
   * @throws {ModelError} `invalid` or `refused`
   */
  async complete(provider: Provider, model: string, request: CompletionRequest, ask: Ask): Promise<Answered> {
    const call: ChatCall = {
      model,
      system: request.system,
      turns: [{ role: 'user', text: request.prompt }],
      format: 'text',
      maxTokens: request.maxTokens ?? DEFAULT_MAX_TOKENS,
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.schema !== undefined && { schema: request.schema }),
      material: request.material,
    }
    if (request.schema === undefined) return { text: await whole(call, ask) }
    return this.#structured(provider, call, request.schema.schema, ask)
  }

  async #structured(provider: Provider, call: ChatCall, schema: JsonSchema, ask: Ask): Promise<Answered> {
    const key = `${provider.name} ${provider.server?.address}:${provider.server?.port} ${call.model}`
    const validate = this.#validator(schema)
    const { first, rung } = await this.#firstAnswer(provider, call, key, ask)
    const checked = read(first, validate)
    if (checked.faults.length === 0) return { text: first, json: checked.json }
    if (breaksPromise(provider.formats[rung]!, checked)) this.#formats.set(key, rung + 1)
    const turns: Turn[] = [
      ...call.turns,
      { role: 'assistant', text: first === '' ? '(nothing)' : first },
      { role: 'user', text: complaint(checked.faults, schema) },
    ]
    const second = await whole(prompted({ ...call, turns, format: provider.formats[rung]! }), ask)
    const repaired = read(second, validate)
    if (repaired.faults.length === 0) return { text: second, json: repaired.json }
    throw new ModelError('invalid', `${call.model} twice gave an answer that cannot be used: ${list(repaired.faults)}`)
  }

  async #firstAnswer(provider: Provider, call: ChatCall, key: string, ask: Ask) {
    for (let rung = this.#formats.get(key) ?? 0; ; rung++) {
      try {
        const first = await whole(prompted({ ...call, format: provider.formats[rung]! }), ask)
        this.#formats.set(key, rung)
        return { first, rung }
      } catch (error) {
        if (!notUnderstood(error) || rung >= provider.formats.length - 1) throw error
      }
    }
  }

  #validator(schema: JsonSchema): JsonValidator {
    const known = this.#validators.get(schema)
    if (known !== undefined) return known
    const validator = validateJson(schema)
    this.#validators.set(schema, validator)
    return validator
  }
}

/** Asks, again with more room when the answer was cut. */
async function whole(call: ChatCall, ask: Ask): Promise<string> {
  let answer = await ask(call)
  let room = call.maxTokens
  if (answer.finish === 'cut') {
    room *= MORE_ROOM
    answer = await ask({ ...call, maxTokens: room })
  }
  if (answer.finish === 'cut')
    throw new ModelError('invalid', `The answer of ${call.model} was cut off at ${room} tokens`)
  if (answer.finish === 'refused') throw new ModelError('refused', `${call.model} refused to answer`)
  if (answer.text.trim() === '' && call.schema === undefined) {
    throw new ModelError('invalid', `The answer of ${call.model} is empty`)
  }
  return answer.text.replace(THOUGHTS, '')
}

/** A server that enforced what the format promises would not have answered like this: next time it is asked otherwise. */
function breaksPromise(format: Format, { json }: Read): boolean {
  return format === 'schema' || (format === 'json' && json === undefined)
}

/** What models that think aloud put before their answer. */
const THOUGHTS = /^\s*<think>[\s\S]*?<\/think>\s*/

/** Where the API does not know the schema, the prompt tells it. */
function prompted(call: ChatCall): ChatCall {
  if (call.format === 'schema' || call.schema === undefined) return call
  const wish = `Answer with one JSON object that follows this JSON Schema, and with nothing else:\n${JSON.stringify(call.schema.schema)}`
  return { ...call, system: `${call.system}\n\n${wish}` }
}

function notUnderstood(error: unknown): boolean {
  return error instanceof ProviderFault && (UNDERSTOOD_NOT as readonly unknown[]).includes(error.type)
}
const UNDERSTOOD_NOT = [400, 415, 422, 501] as const

function complaint(faults: readonly JsonFault[], schema: JsonSchema): string {
  return `That answer cannot be used: ${list(faults)}. Answer again with one JSON object that follows this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`
}

function list(faults: readonly JsonFault[]): string {
  return faults
    .slice(0, 5)
    .map(({ pointer, message }) => (pointer === '' ? message : `${pointer} ${message}`))
    .join('; ')
}

interface Read {
  readonly json?: unknown
  readonly faults: readonly JsonFault[]
}

function read(text: string, validate: JsonValidator): Read {
  for (const candidate of candidates(text)) {
    try {
      const json: unknown = JSON.parse(candidate)
      return { json, faults: validate(json) }
    } catch {}
  }
  return { faults: [{ pointer: '', message: 'it is not JSON' }] }
}

/** The text, what its first code fence holds, what lies between the outermost braces. */
function* candidates(text: string): Iterable<string> {
  yield text
  const fenced = /```\w*\s*\n?([\s\S]*?)```/.exec(text)
  if (fenced !== null) yield fenced[1]!
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (from >= 0 && to > from) yield text.slice(from, to + 1)
}
