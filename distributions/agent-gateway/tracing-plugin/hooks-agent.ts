import { messagesOf } from './content.ts'
import { countOf, listOf, textOf } from './fields.ts'
import type { Turn } from './request.ts'
import { type Hook, type Tracker, traceOf, turnOf } from './tracker.ts'
import { usageOf } from './usage.ts'

/** Any hook of a run: that it was heard of tells when it began at the latest. */
const heard: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn) adopt(tracker, turn, context)
}

/** The gateway prepares the turn: this is where it begins. */
const prepare: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  adopt(tracker, turn, context)
  if (turn.prepared) return
  turn.start = now
  turn.prepared = true
}

const input: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  adopt(tracker, turn, context)
  if (tracker.content.inputMessages) turn.inputMessages = messagesOf('user', [event.prompt])
  if (tracker.content.systemPrompt && typeof event.systemPrompt === 'string') {
    turn.systemPrompt = JSON.stringify([{ type: 'text', content: event.systemPrompt.slice(0, 8192) }])
  }
}

const output: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  adopt(tracker, turn, context)
  turn.usage = usageOf(event.usage) ?? turn.usage
  turn.harness ??= textOf(event.harnessId)
  turn.contextLimit ??= countOf(event.contextTokenBudget)
  if (tracker.content.outputMessages) turn.outputMessages = messagesOf('assistant', listOf(event.assistantTexts))
}

const end: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  adopt(tracker, turn, context)
  if (turn.end !== undefined) return
  turn.end = now
  turn.durationMs = countOf(event.durationMs)
  if (typeof event.success === 'boolean') turn.success = event.success
  if (event.error !== undefined && event.error !== null) turn.error = String(event.error).slice(0, 2048)
  if (turn.start === now && turn.durationMs !== undefined) turn.start = now - turn.durationMs
}

/** Takes the ids of the gateway's contexts around the run: its own, and the one around it if there is one. */
function adopt(tracker: Tracker, turn: Turn, context: Parameters<Hook>[2]): void {
  const { spanId, parentSpanId, remote } = traceOf(tracker, turn, context)
  const { request } = turn
  if (request.exported || request.rootId !== undefined || spanId === undefined) return
  request.rootId = remote ? spanId : (parentSpanId ?? spanId)
  if (remote) request.parentId = parentSpanId
}

/** Hooks of an agent's run. Most come only with the permission `hooks.allowConversationAccess`. */
export const AGENT_HOOKS: Readonly<Record<string, Hook>> = {
  before_agent_reply: heard,
  before_model_resolve: heard,
  agent_turn_prepare: prepare,
  before_prompt_build: heard,
  before_agent_start: heard,
  llm_input: input,
  llm_output: output,
  agent_end: end,
}
