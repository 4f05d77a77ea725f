import { type Attributes, type Key, key, type Value } from '#core/data'

/** Where the gateway, its tracing plugin and the GenAI conventions put what the rules look at. */
export class Names {
  readonly prefix: string
  readonly toolName: readonly Key[]
  readonly toolCallId: readonly Key[]
  readonly toolInput: readonly Key[]
  readonly toolOutput: readonly Key[]
  readonly command: readonly Key[]
  readonly path: readonly Key[]
  /** Messages on their way to the model. */
  readonly messages: readonly Key[]
  readonly outcome: readonly Key[]
  readonly deniedReason: readonly Key[]
  readonly channel: readonly Key[]
  readonly session: readonly Key[]
  readonly agent: readonly Key[]
  /** Of a security record. */
  readonly action: Key

  constructor(prefix: string) {
    const own = (...names: string[]) => names.map(name => `${prefix}.${name}`)
    this.prefix = prefix
    this.toolName = keys(['gen_ai.tool.name', ...own('toolName', 'tool.name'), 'mcp.tool.name'])
    this.toolCallId = keys(['gen_ai.tool.call.id', ...own('tool.call_id')])
    this.toolInput = keys([
      'gen_ai.tool.call.arguments',
      ...own('content.tool_input', 'tool.input', 'tool.params', 'tool.input_preview'),
    ])
    this.toolOutput = keys(['gen_ai.tool.call.result', ...own('content.tool_output', 'tool.output', 'tool.result')])
    this.command = keys([...own('exec.command', 'tool.command'), 'process.command_line', 'process.command_args'])
    this.path = keys(['file.path', ...own('tool.path', 'tool.file_path', 'file.path')])
    this.messages = keys(['gen_ai.input.messages', ...own('content.input_messages', 'message.content')])
    this.outcome = keys(own('outcome'))
    this.deniedReason = keys(own('deniedReason'))
    this.channel = keys(own('channel', 'message.channel'))
    this.session = keys([...own('session.key'), 'gen_ai.conversation.id'])
    this.action = key(`${prefix}.security.action`)
    this.agent = keys([...own('agent.id', 'agent'), 'gen_ai.agent.id'])
  }

  /** The body of the gateway's own security records, and of those raised here. */
  get securityBody(): string {
    return `${this.prefix}.security.event`
  }
}

function keys(names: readonly string[]): Key[] {
  return names.map(key)
}

/** The first of these attributes that is there. */
export function firstOf(attributes: Attributes, names: readonly Key[]): Value | undefined {
  for (const name of names) {
    const value = attributes.get(name)
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

/** The same, when it is a string. */
export function firstText(attributes: Attributes, names: readonly Key[]): string | undefined {
  const value = firstOf(attributes, names)
  return typeof value === 'string' ? value : undefined
}
