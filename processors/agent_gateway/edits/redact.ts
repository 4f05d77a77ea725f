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
  'content.input_messages',
  'content.output_messages',
  'content.system_prompt',
  'content.tool_definitions',
  'content.tool_input',
  'content.tool_output',
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
/** Keys of the gateway's log calls that hold such text. */
const LOG_CONTENT = ['body', 'content', 'message', 'preview', 'prompt', 'reply', 'text']
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
]

const EXCEPTION = [key('exception.message'), key('exception.stacktrace')]

/** Takes out what must not leave. */
export class Redactor {
  readonly #config: RedactConfig
  readonly #prefix: string
  readonly #kept: readonly RegExp[]
  readonly #taken: readonly RegExp[]
  readonly #args = [key('process.command_args'), key('process.command_line')]
  readonly #spanContent: readonly Key[]
  readonly #logContent: readonly Key[]
  readonly #agentError: Key
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
    const content = [...CONTENT.map(name => names.of(name)), ...GEN_AI_CONTENT]
    this.#spanContent = content.map(key)
    this.#agentError = key(names.of('agent.error'))
    this.#logContent = [...content, ...LOG_CONTENT.map(name => names.of(name))].map(key)
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
      const { attributes, events } = span
      if (this.#config.command_args) counts.command_args += remove(attributes, this.#args)
      if (!this.#config.content) continue
      counts.content += remove(attributes, this.#spanContent) + this.#errors(span)
      for (const event of events) {
        counts.content += remove(event.attributes, this.#spanContent) + this.#exceptions(event.attributes)
      }
    }
  }

  /** What a span says of an error stays unless it quotes; the plugin's is a type, one word, unless it captures content. */
  #errors(span: Span): number {
    const { code, message } = span.status
    let taken = 0
    if (message !== '' && this.#quotes(message)) {
      span.setStatus(code, placeholder(message))
      taken++
    }
    const error = span.attributes.get(this.#agentError)
    if (typeof error === 'string' && /\s/.test(error)) taken += remove(span.attributes, [this.#agentError])
    return taken
  }

  #exceptions(attributes: Attributes): number {
    let taken = 0
    for (const each of EXCEPTION) {
      const text = attributes.get(each)
      if (typeof text !== 'string' || !this.#quotes(text)) continue
      attributes.set(each, placeholder(text))
      taken++
    }
    return taken
  }

  logs(draft: Draft<'logs'>, counts: Redactions): void {
    const { content, reply_text } = this.#config
    for (const log of draft.logs()) {
      if (content) counts.content += remove(log.attributes, this.#logContent)
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
