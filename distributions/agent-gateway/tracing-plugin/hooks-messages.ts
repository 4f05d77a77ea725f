import { countOf, fieldsOf, textOf } from './fields.ts'
import { currentTurn, type Hook, runIdOf, sessionKeyOf } from './tracker.ts'
import { usageOf } from './usage.ts'

/** A message arrived: a request begins. */
const received: Hook = (tracker, event, context, now) => {
  const messageId = textOf(event.messageId) ?? textOf(context.messageId)
  const request = tracker.requests.receive(sessionKeyOf(event, context), messageId, now)
  if (request.channel !== undefined) return
  const metadata = fieldsOf(event.metadata)
  request.channel = textOf(context.channelId) ?? textOf(metadata.surface) ?? textOf(event.channel) ?? 'unknown'
  request.sender = textOf(event.senderId) ?? textOf(context.senderId) ?? textOf(event.from)
  if (tracker.content.inputMessages && typeof event.content === 'string') request.content = event.content.slice(0, 8192)
  tracker.count('messages.received', request.channel)
}

/** A reply is about to leave. It tells what the turn cost, with no permission needed. */
const replying: Hook = (tracker, event, context, now) => {
  const turn = currentTurn(tracker, event, context, now)
  if (turn === undefined) return
  const state = fieldsOf(event.usageState)
  turn.provider ??= textOf(state.provider)
  turn.model = textOf(state.model) ?? turn.model
  turn.agentId ??= textOf(state.agentId)
  turn.usage ??= usageOf(state.usage)
  turn.cost = countOf(state.turnUsd) ?? turn.cost
  turn.contextLimit ??= countOf(state.contextTokenBudget)
  turn.contextUsed ??= countOf(state.contextUsedTokens)
  if (event.kind === 'final') turn.answered = true
}

const sending: Hook = (tracker, event, context, now) => {
  const request = requestOf(tracker, event, context, now)
  if (request) request.sending++
}

const sent: Hook = (tracker, event, context, now) => {
  const request = requestOf(tracker, event, context, now)
  if (event.success === false) {
    if (request) request.sendError = true
  } else if (request) request.sent++
  else tracker.count('messages.sent', textOf(context.channelId))
}

const requestOf = (...[tracker, event, context, now]: Parameters<Hook>) => {
  const turn = currentTurn(tracker, event, context, now)
  if (turn) return turn.request
  const sessionKey = sessionKeyOf(event, context)
  if (sessionKey === undefined || runIdOf(event, context) !== undefined) return undefined
  const request = tracker.requests.waiting(sessionKey)
  if (request) tracker.requests.touch(request, now)
  return request
}

/** Hooks of messages that come and go. */
export const MESSAGE_HOOKS: Readonly<Record<string, Hook>> = {
  message_received: received,
  reply_payload_sending: replying,
  message_sending: sending,
  message_sent: sent,
}
