import { type Attributes, type Draft, type Key, key, type Metric, type Span } from '#core/data'
import type { Names } from '../names.ts'
import { serviceOf } from '../origin.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'

const CLIENT = 3

const OPERATION = key('gen_ai.operation.name')
const PROVIDER = key('gen_ai.provider.name')
const SYSTEM = key('gen_ai.system')
const MODEL = key('gen_ai.request.model')
const TOOL = key('gen_ai.tool.name')
const CALL = key('gen_ai.tool.call.id')
const AGENT = key('gen_ai.agent.name')
const CONVERSATION = key('gen_ai.conversation.id')
const TOKEN_TYPE = key('gen_ai.token.type')

/**
 * Gives spans the names and attributes of the GenAI semantic conventions (1.37, development): `chat <model>`,
 * `invoke_agent <agent>`, `execute_tool <tool>`. The gateway's own attributes stay beside them.
 */
export class GenAiMapper {
  readonly #names: Names
  readonly #agents: ReadonlySet<string>
  readonly #providerKey: Key
  readonly #modelKey: Key
  readonly #agentKeys: readonly Key[]
  readonly #toolKeys: readonly Key[]
  readonly #callKey: Key
  readonly #sessionKey: Key
  readonly #tokenKey: Key

  constructor(names: Names) {
    this.#names = names
    this.#agents = new Set([names.of('run'), names.of('agent.turn')])
    this.#providerKey = key(names.of('provider'))
    this.#modelKey = key(names.of('model'))
    this.#agentKeys = [key(names.of('agent.id')), key(names.of('agent'))]
    this.#toolKeys = [key(names.of('tool.name')), key(names.of('toolName'))]
    this.#callKey = key(names.of('tool.call_id'))
    this.#sessionKey = key(names.of('session.key'))
    this.#tokenKey = key(names.of('token'))
  }

  spans(draft: Draft<'traces'>): void {
    for (const span of draft.spans()) this.#span(span)
  }

  /**
   * The counter `<prefix>.tokens` becomes `gen_ai.client.token.usage` with the points of input and output, unless the
   * service sends that itself: then it would count twice. It stays a sum, since a counter tells no distribution. Prompt,
   * total and cache counts are parts and sums of the two; the convention has no name for them, and they are left out.
   *
   * @returns the points that were left out
   */
  metrics(draft: Draft<'metrics'>, gateway: GatewayMetrics): number {
    let dropped = 0
    for (const metric of draft.metrics()) {
      if (metric.name !== this.#names.metric('tokens')) continue
      if (gateway.sendsUsage(serviceOf(metric.resource))) continue
      dropped += this.#tokens(metric)
    }
    return dropped
  }

  #span(span: Span): void {
    const { name, attributes } = span
    const model = this.#common(attributes)
    if (name === this.#names.of('model.call')) {
      // The gateway says text_completion of chat completions, too; when it is asked for the conventions, it says chat.
      attributes.set(OPERATION, 'chat')
      span.name = withSubject('chat', model)
      span.kind = CLIENT
    } else if (this.#agents.has(name)) {
      attributes.insert(OPERATION, 'invoke_agent')
      const agent = copyFirst(attributes, this.#agentKeys, AGENT)
      span.name = withSubject('invoke_agent', agent)
    } else if (name === this.#names.of('tool.execution') || name.startsWith('tool.')) {
      attributes.insert(OPERATION, 'execute_tool')
      const tool = copyFirst(attributes, this.#toolKeys, TOOL) ?? toolIn(name)
      if (tool !== undefined) attributes.insert(TOOL, tool)
      copyFirst(attributes, [this.#callKey], CALL)
      span.name = withSubject('execute_tool', tool)
    }
  }

  /** What all spans may have. Returns the model. */
  #common(attributes: Attributes): string | undefined {
    if (attributes.has(PROVIDER)) attributes.delete(SYSTEM)
    else attributes.rename(SYSTEM, PROVIDER)
    copyFirst(attributes, [this.#providerKey], PROVIDER)
    copyFirst(attributes, [this.#sessionKey], CONVERSATION)
    return copyFirst(attributes, [this.#modelKey], MODEL)
  }

  #tokens(metric: Metric): number {
    let dropped = 0
    for (const point of metric.points) {
      const type = point.attributes.get(this.#tokenKey)
      if (type !== 'input' && type !== 'output') {
        point.drop()
        dropped++
        continue
      }
      point.attributes.rename(this.#tokenKey, TOKEN_TYPE)
      point.attributes.insert(OPERATION, 'chat')
      copyFirst(point.attributes, [this.#providerKey], PROVIDER)
      copyFirst(point.attributes, [this.#modelKey], MODEL)
    }
    metric.name = 'gen_ai.client.token.usage'
    metric.unit = '{token}'
    return dropped
  }
}

/** The value under `to`, copied from the first of `from` that is there when it is not. */
function copyFirst(attributes: Attributes, from: readonly Key[], to: Key): string | undefined {
  const present = attributes.get(to)
  if (typeof present === 'string') return present
  for (const each of from) {
    const value = attributes.get(each)
    if (typeof value !== 'string') continue
    attributes.insert(to, value)
    return value
  }
  return undefined
}

function toolIn(name: string): string | undefined {
  return name.startsWith('tool.') ? name.slice('tool.'.length) : undefined
}

function withSubject(operation: string, subject: string | undefined): string {
  return subject === undefined ? operation : `${operation} ${subject}`
}
