import { type Cause, newRequest, newTurn, type Request, type Turn } from './request.ts'

/** How many of each kind are remembered, and how long what is silent is waited for, in milliseconds. */
export const LIMITS = {
  /** Requests that wait to be exported; the oldest of more are closed soon, and of twice as many at once. */
  open: 1000,
  /** Requests that are closed in one go, so that the gateway gets its turn in between. */
  atOnce: 20,
  /** Runs, traces and sessions that later hooks may name, exported ones among them. */
  known: 2000,
  /** Turns of a request, and ended calls of a turn, before some are exported ahead of the rest. */
  ahead: 64,
  /** Calls of a turn that are remembered at most, ended or not. */
  calls: 256,
  /** After the end of a turn, for the reply and the last numbers. */
  grace: 2000,
  /** After what looks like a last answer, where the gateway does not tell the end. */
  quiet: 10_000,
  /** For anything else. */
  idle: 300_000,
  /** While a model or a tool works. */
  busy: 3_600_000,
} as const

/** What of a request is to be exported: all of it, its calls, or its calls that ended. */
export type Part = 'all' | 'calls' | 'ended'

/** Finds the request a hook speaks of, by run, by trace, or by session: first come, first served. */
export class Requests {
  /** Requests that wait to be exported, oldest first. */
  readonly #open = new Set<Request>()
  readonly #runs = new Map<string, Turn>()
  readonly #traces = new Map<string, Request>()
  /** The turn that a session is in. */
  readonly #sessions = new Map<string, Turn>()
  /** Messages of a session that no run has taken up. */
  readonly #waiting = new Map<string, Request[]>()
  /** What started a session, where that was a turn. */
  readonly #causes = new Map<string, Cause>()
  readonly #export: (request: Request, part: Part) => void

  /** `onExport` gets what is to be exported: everything when a request closes, or what has ended of one that goes on. */
  constructor(onExport: (request: Request, part: Part) => void) {
    this.#export = onExport
  }

  /** How many requests wait to be exported. */
  get size(): number {
    return this.#open.size
  }

  /** How much is remembered in all: what must stay bounded. */
  get remembered(): number {
    return (
      this.#open.size +
      this.#runs.size +
      this.#traces.size +
      this.#sessions.size +
      this.#waiting.size +
      this.#causes.size
    )
  }

  /** A request for a message that arrived, or the one there is when the same message is told again. */
  receive(sessionKey: string | undefined, messageId: string | undefined, now: number): Request {
    const queue = sessionKey === undefined ? [] : (this.#waiting.get(sessionKey) ?? [])
    const told = messageId === undefined ? undefined : queue.find(each => each.messageId === messageId)
    if (told) return told
    const request = this.#add(now)
    request.sessionKey = sessionKey
    request.messageId = messageId
    if (sessionKey !== undefined) {
      queue.push(request)
      this.#waiting.set(sessionKey, queue)
    }
    return request
  }

  /** The turn of a run, if there is one. */
  run(runId: string): Turn | undefined {
    return this.#runs.get(runId)
  }

  /** The turn that a session is in, if it is in one. */
  session(sessionKey: string): Turn | undefined {
    return this.#sessions.get(sessionKey)
  }

  /** The first message of a session that no run has taken up. */
  waiting(sessionKey: string): Request | undefined {
    return this.#waiting.get(sessionKey)?.[0]
  }

  /** A turn for a run not heard of before, in the request that it belongs to. */
  begin(
    runId: string,
    at: { sessionKey: string | undefined; traceId: string | undefined; takesMessage: boolean },
    now: number,
  ): Turn {
    const request =
      (at.traceId === undefined ? undefined : this.#traces.get(at.traceId)) ??
      (at.takesMessage && at.sessionKey !== undefined ? this.#take(at.sessionKey, runId) : undefined) ??
      this.#add(now)
    if (request.turns.length >= LIMITS.ahead) this.#settle(request)
    const turn = newTurn(runId, request, now)
    turn.cause = at.sessionKey === undefined ? undefined : this.#causes.get(at.sessionKey)
    this.#remember(this.#runs, runId, turn)
    if (at.sessionKey !== undefined) {
      request.sessionKey ??= at.sessionKey
      this.#remember(this.#sessions, at.sessionKey, turn)
    }
    this.touchTurn(turn, now)
    return turn
  }

  /** Something was heard of a turn, which may have got a call more. */
  touchTurn(turn: Turn, now: number): void {
    const { request } = turn
    this.touch(request, now)
    if (!request.turns.includes(turn)) request.turns.push(turn)
    if (callsOf(turn) <= LIMITS.ahead) return
    if (callsOf(turn) % LIMITS.ahead === 1) this.#export(request, 'ended')
    if (callsOf(turn) > LIMITS.calls) this.#export(request, 'calls')
  }

  /** A subagent is going to work in a session: turns of that session have this cause. */
  expect(sessionKey: string, cause: Cause): void {
    this.#remember(this.#causes, sessionKey, cause)
  }

  /** What started a session. */
  causeOf(sessionKey: string): Cause | undefined {
    return this.#causes.get(sessionKey)
  }

  /** Settles the trace of a request, once. A trace that another request has already stays with that one. */
  trace(request: Request, traceId: string): void {
    if (request.traceId !== undefined || this.#traces.has(traceId)) return
    request.traceId = traceId
    this.#remember(this.#traces, traceId, request)
  }

  /** Something was heard of a request. One that was exported waits again, for what is new. */
  touch(request: Request, now: number): void {
    if (now > request.last) request.last = now
    if (request.open) return
    request.open = true
    this.#admit(request)
  }

  /** Closes some of what nothing more is to be expected of, and says whether that was all. */
  sweep(now: number): boolean {
    let left: number = LIMITS.atOnce
    for (const request of this.#open) {
      if (this.#open.size <= LIMITS.open && now < request.last + patience(request)) continue
      if (left-- === 0) return false
      this.#settle(request)
    }
    return true
  }

  /** Closes everything. */
  closeAll(): void {
    for (const request of this.#open) this.#settle(request)
  }

  #add(now: number): Request {
    const request = newRequest(now)
    this.#admit(request)
    return request
  }

  #admit(request: Request): void {
    this.#open.add(request)
    if (this.#open.size > LIMITS.open * 2) this.#settle(this.#open.values().next().value!)
  }

  #take(sessionKey: string, runId: string): Request | undefined {
    const queue = this.#waiting.get(sessionKey)
    if (queue === undefined) return undefined
    const own = queue.findIndex(each => each.messageId === runId)
    const [request] = queue.splice(Math.max(own, 0), 1)
    if (queue.length === 0) this.#waiting.delete(sessionKey)
    return request
  }

  #settle(request: Request): void {
    this.#open.delete(request)
    request.open = false
    const { sessionKey } = request
    const queue = sessionKey === undefined ? undefined : this.#waiting.get(sessionKey)
    if (queue?.includes(request)) {
      queue.splice(queue.indexOf(request), 1)
      if (queue.length === 0) this.#waiting.delete(sessionKey!)
    }
    this.#export(request, 'all')
  }

  #remember<V>(map: Map<string, V>, key: string, value: V): void {
    map.delete(key)
    map.set(key, value)
    if (map.size > LIMITS.known) map.delete(map.keys().next().value!)
  }
}

/** How long to wait for more of a request after it was last heard of, in milliseconds. */
function patience(request: Request): number {
  if (request.turns.length === 0)
    return request.exported || request.sending + request.sent > 0 ? LIMITS.grace : LIMITS.idle
  let longest: number = LIMITS.grace
  for (const turn of request.turns) longest = Math.max(longest, patienceWith(turn))
  return longest
}

function patienceWith(turn: Turn): number {
  if (turn.end !== undefined || turn.exported) return LIMITS.grace
  if (isBusy(turn)) return LIMITS.busy
  return turn.answered ? LIMITS.quiet : LIMITS.idle
}

function callsOf(turn: Turn): number {
  return turn.calls.size + turn.tools.size + turn.subagents.size
}

function isBusy(turn: Turn): boolean {
  for (const call of turn.calls.values()) if (call.end === undefined) return true
  for (const tool of turn.tools.values()) if (tool.end === undefined) return true
  for (const subagent of turn.subagents.values()) if (subagent.end === undefined) return true
  return false
}
