import { messagesOf } from './content.ts'
import { hashed } from './ids.ts'
import type { ModelCall, Request, Subagent, ToolCall, Turn } from './request.ts'
import type { Settings } from './settings.ts'
import { type Attributes, KIND, type Span } from './span.ts'
import { promptTokens, type Usage } from './usage.ts'

/** What makes a span but its ids and times. */
export type Described = Pick<Span, 'name' | 'kind' | 'attributes' | 'error'>

type Times = Pick<Span, 'start' | 'end'>

/** `<prefix>.request`: a message, and everything until its answer. */
export function requestSpan(request: Request, times: Times, { switches, content }: Settings): Described {
  const { prefix: p, hashIdentifiers } = switches
  const shown = (id: string | undefined) => (id === undefined || !hashIdentifiers ? id : hashed(id))
  const failed = request.sendError || request.turns.some(turn => turn.success === false)
  return {
    name: `${p}.request`,
    kind: KIND.server,
    error: failed ? 'The request failed' : undefined,
    attributes: {
      [`${p}.session.key`]: shown(request.sessionKey),
      [`${p}.message.channel`]: request.channel,
      [`${p}.message.from`]: shown(request.sender),
      [`${p}.message.direction`]: request.messageId === undefined ? undefined : 'inbound',
      [`${p}.request.duration_ms`]: times.end - times.start,
      [`${p}.incomplete`]: isIncomplete(request) || undefined,
      'gen_ai.conversation.id': request.sessionId ?? shown(request.sessionKey),
      'gen_ai.input.messages': content.inputMessages ? messagesOf('user', [request.content]) : undefined,
    },
  }
}

/** `<prefix>.agent.turn`: what the agent did. The tokens are attributes of `gen_ai` here only if no call has them. */
export function turnSpan(
  turn: Turn,
  times: Times,
  { switches: { prefix: p }, content }: Settings,
  total: Usage | undefined,
  callsTell: boolean,
): Described {
  const type = turn.success === false ? errorType(turn.error) : undefined
  return {
    name: `${p}.agent.turn`,
    kind: KIND.internal,
    error: type === undefined ? undefined : 'The turn failed',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': turn.agentId,
      'gen_ai.conversation.id': turn.request.sessionId,
      'gen_ai.provider.name': turn.provider,
      'gen_ai.request.model': turn.model,
      'gen_ai.response.model': turn.model,
      'error.type': type,
      [`${p}.agent.id`]: turn.agentId,
      [`${p}.agent.model`]: turn.model,
      [`${p}.agent.duration_ms`]: turn.durationMs ?? times.end - times.start,
      [`${p}.agent.success`]: turn.success,
      [`${p}.agent.error`]: content.outputMessages ? turn.error : type,
      [`${p}.run.id`]: turn.runId,
      [`${p}.trigger`]: turn.trigger,
      [`${p}.harness.id`]: turn.harness,
      [`${p}.llm.cost_usd`]: total?.cost,
      [`${p}.tokens.input`]: total?.input,
      [`${p}.tokens.output`]: total?.output,
      [`${p}.tokens.cache_read`]: total?.cacheRead,
      [`${p}.tokens.cache_write`]: total?.cacheWrite,
      [`${p}.context.limit`]: turn.contextLimit,
      [`${p}.context.used`]: turn.contextUsed,
      ...(callsTell ? {} : tokens(total)),
      'gen_ai.input.messages': turn.inputMessages,
      'gen_ai.output.messages': turn.outputMessages,
      'gen_ai.system_instructions': turn.systemPrompt,
    },
  }
}

/** `chat <model>`: one call of the model. */
export function callSpan(turn: Turn, call: ModelCall, { switches: { prefix: p } }: Settings): Described {
  const model = call.model ?? turn.model
  return {
    name: model === undefined ? 'chat' : `chat ${model}`,
    kind: KIND.client,
    error: call.error === undefined ? undefined : 'The model call failed',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': call.provider ?? turn.provider,
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.response.id': call.responseId,
      'gen_ai.response.finish_reasons': call.stopReason === undefined ? undefined : [call.stopReason],
      'error.type': call.error,
      ...tokens(call.usage),
      [`${p}.api`]: call.api,
      [`${p}.transport`]: call.transport,
      [`${p}.model_call.duration_ms`]: call.durationMs,
      [`${p}.model_call.request_bytes`]: call.requestBytes,
      [`${p}.model_call.response_bytes`]: call.responseBytes,
      [`${p}.model_call.time_to_first_byte_ms`]: call.timeToFirstByteMs,
      [`${p}.incomplete`]: call.end === undefined || undefined,
    },
  }
}

/** `tool.<Name>`: one call of a tool. */
export function toolSpan(tool: ToolCall, times: Times, { switches: { prefix: p }, content }: Settings): Described {
  const type = tool.failed ? errorType(tool.error) : undefined
  return {
    name: `tool.${tool.name}`,
    kind: KIND.internal,
    error: type === undefined ? undefined : 'The tool failed',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'gen_ai.tool.call.id': tool.id,
      'error.type': type,
      [`${p}.tool.name`]: tool.name,
      [`${p}.tool.call_id`]: tool.id,
      [`${p}.tool.duration_ms`]: tool.durationMs ?? times.end - times.start,
      [`${p}.tool.is_synthetic`]: tool.synthetic,
      [`${p}.tool.result_chars`]: tool.resultChars,
      [`${p}.tool.result_parts`]: tool.resultParts,
      [`${p}.tool.error`]: content.toolOutputs ? tool.error : undefined,
      [`${p}.incomplete`]: tool.end === undefined || undefined,
      'gen_ai.tool.call.arguments': tool.input,
      'gen_ai.tool.call.result': tool.output,
    },
  }
}

/** `<prefix>.subagent`: an agent that the turn started. */
export function subagentSpan(subagent: Subagent, { switches }: Settings): Described {
  const { prefix: p, hashIdentifiers } = switches
  const failed = subagent.outcome === 'error' || subagent.outcome === 'timeout'
  return {
    name: `${p}.subagent`,
    kind: KIND.internal,
    error: failed ? 'The subagent failed' : undefined,
    attributes: {
      'gen_ai.agent.id': subagent.agentId,
      'gen_ai.request.model': subagent.model,
      [`${p}.session.key`]: hashIdentifiers ? hashed(subagent.sessionKey) : subagent.sessionKey,
      [`${p}.subagent.outcome`]: subagent.outcome,
    },
  }
}

/**
 * The kind of an error, as far as it can be told without what it says: a class name, a system code or an HTTP status at
 * its beginning. Messages of errors quote prompts, commands and keys, and so they stay.
 */
export function errorType(message: string | undefined): string {
  return /^(?:[A-Z][A-Za-z]*(?:Error|Exception)|E[A-Z]{3,}|[45]\d\d)\b/.exec(message ?? '')?.[0] ?? 'error'
}

function tokens(usage: Usage | undefined): Attributes {
  if (usage === undefined) return {}
  return {
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead || undefined,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite || undefined,
  }
}

function isIncomplete(request: Request): boolean {
  return request.turns.some(turn => turn.end === undefined && !turn.answered)
}
