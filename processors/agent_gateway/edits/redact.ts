import {
  type Attributes,
  type Draft,
  type Key,
  key,
  type LogRecord,
  type Span,
  type Value,
  type ValueMap,
} from '#core/data'
import type { Names } from '../names.ts'
import type { RedactConfig } from './redact-option.ts'

/** How often each kind of thing was taken out. */
export interface Redactions {
  reply_text: number
  command_args: number
  content: number
}

/** Attributes that hold prompts, replies, and what tools were given and gave. */
const CONTENT = [
  'body',
  'content',
  'message',
  'preview',
  'prompt',
  'reply',
  'text',
  'exec.command',
  'message.content',
  'tool.command',
  'tool.error',
  'tool.input',
  'tool.input_preview',
  'tool.output',
  'tool.params',
  'tool.result',
]
/** The same in the GenAI semantic conventions. */
const GEN_AI_CONTENT = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.prompt',
  'gen_ai.completion',
  'gen_ai.event.content',
]

/** What is said of errors, beside what the gateway says under its prefix. */
const ERRORS = ['error.message', 'exception.message', 'exception.stacktrace']

/** Takes out what must not leave. */
export class Redactor {
  readonly #config: RedactConfig
  readonly #prefix: string
  readonly #kept: readonly RegExp[]
  readonly #taken: readonly RegExp[]
  readonly #args = [key('process.command_args'), key('process.command_line')]
  readonly #content: ReadonlySet<string>
  /** Beginnings of names of content. */
  readonly #contents: readonly string[]
  readonly #errors: ReadonlySet<string>
  readonly #agentError: string
  /** What the gateway's own log lines say of where they come from; replies are printed without. */
  readonly #sources: readonly Key[]
  /** What any log record of the gateway has. */
  readonly #marks: readonly Key[]
  readonly #securityEvent: string
  readonly #securityId: Key

  constructor(config: RedactConfig, names: Names) {
    this.#config = config
    this.#prefix = names.prefix
    this.#kept = config.keep_bodies.map(source => new RegExp(source))
    this.#taken = config.take_bodies.map(source => new RegExp(source))
    this.#content = new Set([...CONTENT.map(name => names.of(name)), ...GEN_AI_CONTENT])
    this.#contents = [names.of('content.'), 'gen_ai.prompt.', 'gen_ai.completion.']
    this.#agentError = names.of('agent.error')
    this.#errors = new Set([...ERRORS, names.of('error'), names.of('errorMessage')])
    this.#sources = [key(names.of('subsystem')), key(names.of('module'))]
    this.#marks = [key(names.of('log.level')), key(names.of('logger')), key(names.of('logger.parents'))]
    this.#securityEvent = names.of('security.event')
    this.#securityId = key(names.of('security.event_id'))
  }

  /** The resources of any signal. */
  resources(draft: Draft, counts: Redactions): void {
    if (!this.#config.command_args) return
    for (const { attributes } of draft.resources()) counts.command_args += remove(attributes, this.#args)
  }

  spans(draft: Draft<'traces'>, counts: Redactions): void {
    for (const span of draft.spans()) {
      const { attributes, events, links } = span
      if (this.#config.command_args) counts.command_args += remove(attributes, this.#args)
      if (!this.#config.content) continue
      counts.content += this.#withoutContent(attributes) + this.#withoutQuote(span)
      for (const event of events) counts.content += this.#withoutContent(event.attributes)
      for (const link of links) counts.content += this.#withoutContent(link.attributes)
    }
  }

  /** What a span says of an error stays unless it quotes. */
  #withoutQuote(span: Span): number {
    const { code, message } = span.status
    if (message === '' || !this.#quotes(message)) return 0
    span.setStatus(code, placeholder(message))
    return 1
  }

  #withoutContent(attributes: Attributes): number {
    let found: [name: string, left: string | undefined][] | undefined
    for (const [name, value] of attributes) {
      const left = this.#leftOf(name, value)
      if (left === value) continue
      found ??= []
      found.push([name, left as string | undefined])
    }
    // All of them first: several may bear one name.
    for (const [name] of found ?? []) attributes.delete(name)
    for (const [name, left] of found ?? []) if (left !== undefined) attributes.set(name, left)
    return found?.length ?? 0
  }

  /** What may leave of an attribute: itself, a placeholder, or nothing. */
  #leftOf(name: string, value: Value): Value | undefined {
    if (this.#content.has(name) || this.#contents.some(prefix => name.startsWith(prefix))) return undefined
    if (typeof value !== 'string') return value
    // The plugin says a type, one word, unless it captures content.
    if (name === this.#agentError) return /\s/.test(value) ? undefined : value
    return this.#errors.has(name) && this.#quotes(value) ? placeholder(value) : value
  }

  logs(draft: Draft<'logs'>, counts: Redactions): void {
    const { content, reply_text } = this.#config
    for (const log of draft.logs()) {
      if (content) counts.content += this.#withoutContent(log.attributes)
      if (!reply_text || !this.#mayBeReply(log)) continue
      log.body = placeholder(log.body)
      counts.reply_text++
    }
  }

  /**
   * The gateway prints replies through `console.log`, as root logger; its own lines name a subsystem or a module. A few
   * lines of its own are printed as replies are, and known; a few that name a subsystem quote conversations.
   */
  #mayBeReply(log: LogRecord): boolean {
    const { attributes, body } = log
    if (body === undefined || body === null || body === '') return false
    if (!this.#isGateways(log)) return false
    if (this.#sources.some(source => attributes.has(source))) return this.#quotes(body)
    if (typeof body !== 'string') return true
    if (body === this.#securityEvent && attributes.has(this.#securityId)) return false
    return !this.#kept.some(pattern => pattern.test(body))
  }

  #quotes(body: Value): boolean {
    const text = textOf(body)
    return this.#taken.some(pattern => pattern.test(text))
  }

  #isGateways({ attributes, scope }: LogRecord): boolean {
    return scope.name === this.#prefix || this.#marks.some(mark => attributes.has(mark))
  }
}

function remove(attributes: Attributes, keys: readonly Key[]): number {
  let removed = 0
  for (const each of keys) if (attributes.delete(each)) removed++
  return removed
}

function placeholder(body: unknown): string {
  return typeof body === 'string' ? `[REDACTED ${body.length} characters]` : '[REDACTED]'
}

/** A body as patterns see it: of structured ones `key: value`. */
function textOf(body: Value): string {
  if (body === null || typeof body !== 'object') return String(body)
  if (body instanceof Uint8Array) return ''
  if (Array.isArray(body)) return body.map(textOf).join(' ')
  const entries = Object.entries(body as ValueMap)
  return entries.map(([name, value]) => `${name}: ${textOf(value)}`).join(' ')
}
