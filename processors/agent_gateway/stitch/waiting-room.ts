import type { Draft, Payload, Span } from '#core/data'
import { openDraft } from '#core/data'
import type { HeldRequest } from './held-request.ts'
import { type Interest, KeyIndex, WaitingTrace } from './waiting-trace.ts'

export type HeldTrace = WaitingTrace<HeldRequest>

/** How much may wait. */
export interface WaitingLimits {
  readonly max_spans: number
  readonly max_traces: number
  readonly max_bytes: number
}

/** The part of a request that leaves. */
export interface Part {
  readonly request: HeldRequest
  /** As it came in. */
  readonly payload: Payload<'traces'>
  readonly draft: Draft<'traces'>
  /** Spans of the traces that leave, by trace. */
  readonly spans: ReadonlyMap<string, readonly Span[]>
}

/** Requests that wait, and what is known of their traces. */
export class WaitingRoom {
  readonly index = new KeyIndex<HeldRequest>()
  readonly #interest: Interest
  readonly #limits: WaitingLimits
  readonly #traces = new Map<string, HeldTrace>()
  #spans = 0
  #bytes = 0

  constructor(interest: Interest, limits: WaitingLimits) {
    this.#interest = interest
    this.#limits = limits
  }

  /** By id, the one that has waited longest first. */
  get traces(): ReadonlyMap<string, HeldTrace> {
    return this.#traces
  }

  get spans(): number {
    return this.#spans
  }

  /** The trace that has waited longest. */
  get oldest(): HeldTrace | undefined {
    for (const trace of this.#traces.values()) return trace
    return undefined
  }

  /**
   * The traces that must leave because too much waits, those that have waited longest: so many that a tenth of the room
   * is free afterwards, lest each request that comes makes a few leave.
   */
  excess(): HeldTrace[] {
    const { max_spans, max_traces, max_bytes } = this.#limits
    if (this.#spans <= max_spans && this.#traces.size <= max_traces && this.#bytes <= max_bytes) return []
    const keep = Math.min(0.9, (0.9 * max_spans) / this.#spans, (0.9 * max_bytes) / this.#bytes)
    let spans = this.#spans
    let count = this.#traces.size
    const leaving: HeldTrace[] = []
    for (const trace of this.#traces.values()) {
      if (spans <= keep * this.#spans && count <= 0.9 * max_traces) break
      spans -= trace.spans
      count--
      leaving.push(trace)
    }
    return leaving
  }

  /** Takes a request in; traces that are new wait until `deadline`. */
  enter(request: HeldRequest, payload: Payload<'traces'>, deadline: number): void {
    this.#spans += payload.items
    this.#bytes += payload.bytes
    for (const span of openDraft(payload).spans()) {
      const id = traceOf(span)
      let trace = this.#traces.get(id)
      if (trace === undefined) {
        trace = new WaitingTrace(id, deadline)
        this.#traces.set(id, trace)
      }
      trace.observe(span, this.#interest, this.index)
      trace.requests.add(request)
      request.traces.add(id)
    }
  }

  /** Takes traces out, as parts of the requests that brought them. */
  leave(traces: readonly HeldTrace[]): Part[] {
    const requests = new Map<HeldRequest, Set<string>>()
    for (const trace of traces) {
      this.#traces.delete(trace.id)
      this.index.remove(trace)
      for (const request of trace.requests) {
        const ids = requests.get(request)
        if (ids === undefined) requests.set(request, new Set([trace.id]))
        else ids.add(trace.id)
      }
    }
    return [...requests].map(([request, ids]) => this.#part(request, ids))
  }

  #part(request: HeldRequest, ids: ReadonlySet<string>): Part {
    const whole = request.waiting!
    for (const id of ids) request.traces.delete(id)
    let payload = whole
    if (request.traces.size === 0) request.waiting = undefined
    else {
      payload = only(whole, id => ids.has(id))
      request.waiting = only(whole, id => !ids.has(id))
    }
    request.underWay.add(payload)
    this.#spans -= payload.items
    this.#bytes -= whole.bytes - (request.waiting?.bytes ?? 0)
    const draft = openDraft(payload)
    const spans = new Map<string, Span[]>()
    for (const span of draft.spans()) {
      const id = traceOf(span)
      const list = spans.get(id)
      if (list === undefined) spans.set(id, [span])
      else list.push(span)
    }
    return { request, payload, draft, spans }
  }
}

/** Empty for a span that cannot be stitched: it has no valid trace or span id. */
function traceOf(span: Span): string {
  return span.traceId.length === 16 && span.spanId.length === 8 ? span.traceIdHex() : ''
}

function only(payload: Payload<'traces'>, isWanted: (trace: string) => boolean): Payload<'traces'> {
  const draft = openDraft(payload)
  for (const span of draft.spans()) if (!isWanted(traceOf(span))) span.drop()
  return draft.seal()
}
