import { newSpanId, newTraceId } from './ids.ts'
import type { Request, Subagent, Turn } from './request.ts'

/** Ids of one request that are kept to see that none is given twice. */
const MAX_USED = 1000

/** Settles the ids of a request: the gateway's where they are known. */
export function settle(request: Request): void {
  if (request.used.size > 0) return
  request.traceId ??= newTraceId()
  request.rootId = claim(request, request.rootId)
}

/** Settles the id of a turn: that of the gateway's run where it is known. */
export function settleTurn(turn: Turn): void {
  if (turn.settled) return
  turn.settled = true
  settle(turn.request)
  turn.spanId = claim(turn.request, turn.spanId)
}

/** Settles the id of a subagent's span, which may be named before the span is exported. */
export function settleSubagent(subagent: Subagent): string {
  subagent.spanId ??= newSpanId()
  return subagent.spanId
}

/** An id for a span of the request: the wanted one, if no span has it yet. */
export function claim(request: Request, wanted: string | undefined): string {
  const isFree = wanted !== undefined && !request.used.has(wanted) && request.used.size < MAX_USED
  const id = isFree ? wanted : newSpanId()
  if (request.used.size < MAX_USED) request.used.add(id)
  return id
}
