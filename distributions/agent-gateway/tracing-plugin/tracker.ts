import type { ContentPolicy } from './content.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'
import { isSpanId, isTraceId } from './ids.ts'
import type { Turn } from './request.ts'
import type { Requests } from './requests.ts'

/** What a hook works with. */
export interface Tracker {
  readonly requests: Requests
  /** Which texts are kept. */
  readonly content: ContentPolicy
  /** Counts a message, or a session that was reset. */
  count(what: 'messages.received' | 'messages.sent' | 'session.resets', channel?: string): void
  /** Tells that the gateway started or carried out a command; it becomes a span if that is switched on. */
  lifecycle(name: string, start: number, end: number): void
}

/** One hook: its event, its context, and the time in milliseconds since 1970. Hooks only take notes. */
export type Hook = (tracker: Tracker, event: Fields, context: Fields, now: number) => void

/** The run that a hook names. */
export function runIdOf(event: Fields, context: Fields): string | undefined {
  return textOf(event.runId) ?? textOf(context.runId)
}

/** The session that a hook names. */
export function sessionKeyOf(event: Fields, context: Fields): string | undefined {
  return textOf(context.sessionKey) ?? textOf(event.sessionKey)
}

/** The turn of a hook that speaks of a run: the one there is, or a new one. Undefined where it names no run. */
export function turnOf(tracker: Tracker, event: Fields, context: Fields, now: number): Turn | undefined {
  const runId = runIdOf(event, context)
  if (runId === undefined) return undefined
  const sessionKey = sessionKeyOf(event, context)
  const { requests } = tracker
  let turn = requests.run(runId)
  if (turn) requests.touchTurn(turn, now)
  else {
    const trigger = textOf(context.trigger)
    const { traceId } = fieldsOf(context.trace)
    turn = requests.begin(
      runId,
      {
        sessionKey,
        traceId: isTraceId(traceId) ? traceId : undefined,
        takesMessage: trigger === undefined || trigger === 'user',
      },
      now,
    )
  }
  describe(turn, event, context)
  return turn
}

/** The turn of a hook that may name no run: then it is the one that the session is in. */
export function currentTurn(tracker: Tracker, event: Fields, context: Fields, now: number): Turn | undefined {
  const runId = runIdOf(event, context)
  const sessionKey = sessionKeyOf(event, context)
  const turn =
    (runId === undefined ? undefined : tracker.requests.run(runId)) ??
    (sessionKey === undefined ? undefined : tracker.requests.session(sessionKey))
  if (turn === undefined || turn.exported) return undefined
  tracker.requests.touchTurn(turn, now)
  return turn
}

/** A trace context of the gateway, as far as its ids are valid. */
export interface TraceContext {
  readonly traceId: string | undefined
  readonly spanId: string | undefined
  readonly parentSpanId: string | undefined
  /** Whether the parent is a span outside the gateway. */
  readonly remote: boolean
}

/** Reads the trace context of a hook and settles the trace of its request by it. */
export function traceOf(tracker: Tracker, turn: Turn, context: Fields): TraceContext {
  const { traceId, spanId, parentSpanId, parentSpanIdSource } = fieldsOf(context.trace)
  if (isTraceId(traceId)) tracker.requests.trace(turn.request, traceId)
  return {
    traceId: isTraceId(traceId) ? traceId : undefined,
    spanId: isSpanId(spanId) ? spanId : undefined,
    parentSpanId: isSpanId(parentSpanId) ? parentSpanId : undefined,
    remote: parentSpanIdSource === 'remote',
  }
}

function describe(turn: Turn, event: Fields, context: Fields): void {
  const { request } = turn
  turn.agentId ??= textOf(context.agentId)
  turn.provider ??= textOf(context.modelProviderId) ?? textOf(event.provider)
  turn.model ??= textOf(context.modelId) ?? textOf(event.model)
  turn.trigger ??= textOf(context.trigger)
  request.sessionId ??= textOf(context.sessionId) ?? textOf(event.sessionId)
  request.channel ??= textOf(context.channel) ?? textOf(context.messageProvider)
  request.sender ??= textOf(context.senderId)
}
