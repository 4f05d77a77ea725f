import { contentOf, sizeOf } from './content.ts'
import { countOf, fieldsOf, textOf } from './fields.ts'
import type { ToolCall, Turn } from './request.ts'
import { currentTurn, type Hook, traceOf, turnOf } from './tracker.ts'

/** A tool is about to be called. The gateway waits for this hook, so it only takes notes. */
const before: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  const { spanId, parentSpanId } = traceOf(tracker, turn, context)
  turn.spanId ??= spanId
  if (!turn.request.exported) turn.request.rootId ??= parentSpanId
  const tool = toolOf(turn, event, context, true)
  tool.start ??= now
  if (tracker.content.toolInputs) tool.input = contentOf(event.params)
}

/** A tool returned. */
const after: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  const tool = toolOf(turn, event, context, false)
  tool.durationMs ??= countOf(event.durationMs)
  tool.end ??= now
  const result = fieldsOf(event.result)
  if (event.error !== undefined && event.error !== null && event.error !== '') {
    tool.failed = true
    tool.error = String(event.error).slice(0, 2048)
  }
  if (result.isError === true) tool.failed = true
  measure(tool, result.content)
  if (tracker.content.toolOutputs) tool.output ??= contentOf(result.content ?? event.result)
}

/** The result of a tool is written to the session. It tells of failures, and of results that no tool gave. */
const persisted: Hook = (tracker, event, context, now) => {
  const turn = currentTurn(tracker, event, context, now)
  if (turn === undefined) return
  const id = textOf(event.toolCallId) ?? textOf(context.toolCallId)
  const message = fieldsOf(event.message)
  const known = id === undefined ? undefined : turn.tools.get(id)
  if (known === undefined && event.isSynthetic !== true) return
  const tool = known ?? toolOf(turn, event, context, false)
  tool.end ??= now
  tool.start ??= now
  if (typeof event.isSynthetic === 'boolean') tool.synthetic = event.isSynthetic
  if (message.isError === true) tool.failed = true
  measure(tool, message.content)
  if (tracker.content.toolOutputs) tool.output ??= contentOf(message.content)
}

/** The call of an id. An id that comes again after its call ended is a new call: some models count from nought each time. */
function toolOf(turn: Turn, event: Parameters<Hook>[1], context: Parameters<Hook>[2], begins: boolean): ToolCall {
  const id = textOf(event.toolCallId) ?? textOf(context.toolCallId)
  const name = textOf(event.toolName) ?? textOf(context.toolName) ?? 'unknown'
  const key = id ?? `unnamed ${name}`
  const known = turn.tools.get(key)
  if (known && !(begins && known.end !== undefined)) return known
  const tool: ToolCall = {
    ...{ name, id, start: undefined, end: undefined, durationMs: undefined, failed: false },
    ...{ error: undefined, synthetic: undefined, resultChars: undefined, resultParts: undefined },
    ...{ input: undefined, output: undefined },
  }
  if (known) turn.tools.set(`${key} ${turn.tools.size}`, known)
  turn.tools.set(key, tool)
  return tool
}

function measure(tool: ToolCall, content: unknown): void {
  if (tool.resultParts !== undefined || content === undefined) return
  const { chars, parts } = sizeOf(content)
  tool.resultChars = chars
  tool.resultParts = parts
}

/** Hooks of tool calls. They need no permission. */
export const TOOL_HOOKS: Readonly<Record<string, Hook>> = {
  before_tool_call: before,
  after_tool_call: after,
  tool_result_persist: persisted,
}
