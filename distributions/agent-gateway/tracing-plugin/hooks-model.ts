import { countOf, fieldsOf, textOf } from './fields.ts'
import type { ModelCall, Turn } from './request.ts'
import { currentTurn, type Hook, traceOf, turnOf } from './tracker.ts'
import { added, usageOf } from './usage.ts'

const started: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  const call = callOf(turn, textOf(event.callId))
  call.start ??= now
  turn.answered = false
  note(call, event)
  adopt(tracker, turn, call, context)
}

const ended: Hook = (tracker, event, context, now) => {
  const turn = turnOf(tracker, event, context, now)
  if (turn === undefined) return
  const call = callOf(turn, textOf(event.callId))
  if (call.end !== undefined) return
  call.end = now
  note(call, event)
  adopt(tracker, turn, call, context)
  call.durationMs = countOf(event.durationMs)
  call.requestBytes = countOf(event.requestPayloadBytes)
  call.responseBytes = countOf(event.responseStreamBytes)
  call.timeToFirstByteMs = countOf(event.timeToFirstByteMs)
  if (event.outcome === 'error') call.error = textOf(event.failureKind) ?? textOf(event.errorCategory) ?? 'error'
}

/** The gateway writes a message of the model to the session: it tells the tokens and the cost of the last call. */
const written: Hook = (tracker, event, context, now) => {
  const message = fieldsOf(event.message)
  if (message.role !== 'assistant') return
  const turn = currentTurn(tracker, event, context, now)
  if (turn === undefined) return
  const stopReason = textOf(message.stopReason)
  if (stopReason !== undefined && !/^tool/.test(stopReason)) turn.answered = true
  const usage = usageOf(message.usage)
  turn.spent = added(turn.spent, usage)
  const call = lastWithoutUsage(turn)
  if (call === undefined) return
  call.usage = usage
  if (usage !== undefined) turn.callsTell = true
  call.stopReason = stopReason
  call.responseId = textOf(message.responseId)
}

function lastWithoutUsage(turn: Turn): ModelCall | undefined {
  let found: ModelCall | undefined
  for (const call of turn.calls.values()) if (call.usage === undefined) found = call
  return found
}

/** The call of an id; a call that has none is taken for the one that runs. */
function callOf(turn: Turn, id: string | undefined): ModelCall {
  const key = id ?? 'unnamed'
  const known = turn.calls.get(key)
  if (known && (id !== undefined || known.end === undefined)) return known
  const call: ModelCall = {
    ...{ start: undefined, end: undefined, durationMs: undefined, spanId: undefined },
    ...{ provider: undefined, model: undefined, api: undefined, transport: undefined, error: undefined },
    ...{ requestBytes: undefined, responseBytes: undefined, timeToFirstByteMs: undefined },
    ...{ usage: undefined, stopReason: undefined, responseId: undefined },
  }
  if (known) turn.calls.set(`unnamed ${turn.calls.size}`, known)
  turn.calls.set(key, call)
  return call
}

function note(call: ModelCall, event: Parameters<Hook>[1]): void {
  call.provider ??= textOf(event.provider)
  call.model ??= textOf(event.model)
  call.api ??= textOf(event.api)
  call.transport ??= textOf(event.transport)
}

/** The context of a model call is inside that of the run. */
function adopt(tracker: Parameters<Hook>[0], turn: Turn, call: ModelCall, context: Parameters<Hook>[2]): void {
  const { spanId, parentSpanId } = traceOf(tracker, turn, context)
  call.spanId ??= spanId
  turn.spanId ??= parentSpanId
}

/** Hooks of model calls. They need no permission. */
export const MODEL_HOOKS: Readonly<Record<string, Hook>> = {
  model_call_started: started,
  model_call_ended: ended,
  before_message_write: written,
}
