import { isSampled, newSpanId } from './ids.ts'
import { type Measure, totalOf } from './measure.ts'
import type { ModelCall, Request, Subagent, Timed, ToolCall, Turn } from './request.ts'
import type { Part } from './requests.ts'
import type { Settings } from './settings.ts'
import { claim, settle, settleSubagent, settleTurn } from './settle.ts'
import type { Span } from './span.ts'
import { callSpan, requestSpan, subagentSpan, toolSpan, turnSpan } from './span-attributes.ts'

/** What a span needs beside its name and attributes. */
type Frame = Pick<Span, 'spanId' | 'parentSpanId' | 'start' | 'end'>

/** Makes spans of what was noted of requests, and measures what becomes of it. */
export class Renderer {
  readonly #settings: Settings
  readonly #measure: Measure | undefined
  readonly #emit: (span: Span) => void
  /** Spans of what is being rendered, parents after their children. */
  #made: Span[] = []

  /** Without a measure nothing is measured. `emit` gets every span that is to leave. */
  constructor(settings: Settings, measure: Measure | undefined, emit: (span: Span) => void) {
    this.#settings = settings
    this.#measure = measure
    this.#emit = emit
  }

  /** Exports a part of a request. What is exported is forgotten, but for the ids that later spans hang on. */
  render(request: Request, part: Part): void {
    settle(request)
    for (const turn of request.turns) this.#turn(turn, part)
    if (part === 'all') this.#finish(request)
    const made = this.#made
    this.#made = []
    // Parents first: where there is no room for all, those that are kept have theirs.
    for (const span of made.reverse()) this.#emit(span)
  }

  #finish(request: Request): void {
    if (!request.exported) this.#request(request)
    this.#measure?.request(request)
    request.turns.length = 0
    request.content = undefined
  }

  #request(request: Request): void {
    request.exported = true
    const start = Math.min(request.start, ...request.turns.map(turn => turn.start))
    const frame = {
      ...{ spanId: request.rootId!, parentSpanId: request.parentId, start, end: Math.max(request.last, start) },
    }
    this.#span(request, frame, { ...requestSpan(request, frame, this.#settings), link: this.#cause(request) })
  }

  /** What started the request, where that was a subagent's parent in another trace. */
  #cause(request: Request): Span['link'] {
    const cause = request.turns.find(turn => turn.cause !== undefined)?.cause
    if (cause === undefined || cause.turn.request === request) return undefined
    settleTurn(cause.turn)
    const { subagentSpans } = this.#settings.switches
    const spanId = subagentSpans ? settleSubagent(cause.subagent) : cause.turn.spanId!
    return { traceId: cause.turn.request.traceId!, spanId }
  }

  #turn(turn: Turn, part: Part): void {
    settleTurn(turn)
    const { request } = turn
    const until = turn.end ?? request.last
    for (const [key, call] of turn.calls) {
      if (part === 'ended' && call.end === undefined) continue
      turn.calls.delete(key)
      this.#call(turn, call, until)
    }
    for (const [key, tool] of turn.tools) {
      if (part === 'ended' && tool.end === undefined) continue
      turn.tools.delete(key)
      this.#tool(turn, tool, until)
    }
    for (const [key, subagent] of turn.subagents) {
      if (part === 'ended' && subagent.end === undefined) continue
      turn.subagents.delete(key)
      this.#subagent(turn, subagent, until)
    }
    if (part !== 'all' || turn.exported) return
    turn.exported = true
    const frame = {
      ...{ spanId: turn.spanId!, parentSpanId: parentOf(turn, this.#settings), start: turn.start },
      end: Math.max(until, turn.start),
    }
    const total = totalOf(turn)
    this.#measure?.turn(turn, total, frame.end - frame.start)
    const callsTell = turn.callsTell && this.#settings.switches.modelCallSpans
    this.#span(request, frame, turnSpan(turn, frame, this.#settings, total, callsTell))
    turn.inputMessages = undefined
    turn.outputMessages = undefined
    turn.systemPrompt = undefined
  }

  #call(turn: Turn, call: ModelCall, until: number): void {
    const times = timesOf(call, until)
    turn.start = Math.min(turn.start, times.start)
    this.#measure?.call(turn, call, call.durationMs ?? times.end - times.start)
    if (!this.#settings.switches.modelCallSpans) return
    const frame = { ...times, spanId: claim(turn.request, call.spanId), parentSpanId: turn.spanId }
    this.#span(turn.request, frame, callSpan(turn, call, this.#settings))
  }

  #tool(turn: Turn, tool: ToolCall, until: number): void {
    const times = timesOf(tool, until)
    turn.start = Math.min(turn.start, times.start)
    this.#measure?.tool(tool, tool.durationMs ?? times.end - times.start)
    const frame = { ...times, spanId: newSpanId(), parentSpanId: turn.spanId }
    this.#span(turn.request, frame, toolSpan(tool, times, this.#settings))
  }

  #subagent(turn: Turn, subagent: Subagent, until: number): void {
    subagent.exported = true
    if (!this.#settings.switches.subagentSpans) return
    const frame = { ...timesOf(subagent, until), spanId: settleSubagent(subagent), parentSpanId: turn.spanId }
    this.#span(turn.request, frame, subagentSpan(subagent, this.#settings))
  }

  #span(request: Request, frame: Frame, rest: Omit<Span, keyof Frame | 'traceId'>): void {
    const traceId = request.traceId!
    if (isSampled(traceId, this.#settings.sampleRate)) this.#made.push({ traceId, ...frame, ...rest })
  }
}

/** The span a turn hangs on: its request, or the subagent that does its work in the same trace. */
function parentOf(turn: Turn, settings: Settings): string {
  const { request, cause } = turn
  if (cause === undefined || cause.turn.request !== request) return request.rootId!
  return settings.switches.subagentSpans ? settleSubagent(cause.subagent) : cause.turn.spanId!
}

/** When something began and ended: what the gateway measured counts, but nothing ends after its end was heard of. */
function timesOf(timed: Timed, until: number): { start: number; end: number } {
  const { start, end, durationMs } = timed
  if (start === undefined) return { start: (end ?? until) - (durationMs ?? 0), end: end ?? until }
  const heard = Math.max(end ?? until, start)
  return { start, end: end === undefined || durationMs === undefined ? heard : Math.min(heard, start + durationMs) }
}
