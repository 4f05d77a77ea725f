import { textOf } from './fields.ts'
import type { Subagent } from './request.ts'
import type { Hook } from './tracker.ts'

/** A turn started a subagent, which works in a session of its own. */
const spawned: Hook = (tracker, event, context, now) => {
  const parent = textOf(context.requesterSessionKey)
  const child = textOf(event.childSessionKey) ?? textOf(context.childSessionKey)
  const turn = parent === undefined ? undefined : tracker.requests.session(parent)
  if (turn === undefined || turn.exported || child === undefined || turn.subagents.has(child)) return
  const subagent: Subagent = {
    ...{ sessionKey: child, start: now, end: undefined, durationMs: undefined, exported: false, spanId: undefined },
    ...{ agentId: textOf(event.agentId), model: textOf(event.resolvedModel), outcome: undefined },
  }
  turn.subagents.set(child, subagent)
  tracker.requests.expect(child, { turn, subagent })
  tracker.requests.touchTurn(turn, now)
}

const subagentEnded: Hook = (tracker, event, context, now) => {
  const child = textOf(event.targetSessionKey) ?? textOf(context.childSessionKey)
  const cause = child === undefined ? undefined : tracker.requests.causeOf(child)
  if (cause === undefined || cause.subagent.end !== undefined || cause.subagent.exported) return
  cause.subagent.end = now
  cause.subagent.outcome = textOf(event.outcome) ?? textOf(event.reason)
  tracker.requests.touchTurn(cause.turn, now)
}

/** Hooks of sessions and of the gateway itself. */
export const SESSION_HOOKS: Readonly<Record<string, Hook>> = {
  subagent_spawned: spawned,
  subagent_ended: subagentEnded,
  before_reset: tracker => tracker.count('session.resets'),
}
