import type { WorkSpan } from './doubles.ts'

/** Spans of one trace that are remembered with name and time; further ones only by their ids. */
const MOST_WORK = 1000

/** Trace ids and run keys under which one trace is found. */
const MOST_HANDLES = 1000

/** A trace of which spans have left. Joined traces share one. */
export interface RecentTrace {
  /** The trace id under which it left, lower-case hexadecimal. */
  readonly id: string
  /** Span id of its root. */
  root: string
  /** Span ids that left, and what stands for those that were dropped as doubles. */
  readonly spans: Map<string, string>
  /** Spans of which doubles may come, by id. */
  readonly work: Map<string, WorkSpan>
  /** The services whose spans may be changed. */
  readonly own: Set<string>
  /** Every trace id and run key under which it is found. */
  readonly handles: Set<string>
}

/**
 * Remembers traces that have left, so that spans which come later find their parents, the root and the trace that theirs
 * was joined to. Bounded by the number of spans; the trace that was touched longest ago is forgotten first.
 */
export class RecentTraces {
  readonly #capacity: number
  readonly #traces = new Set<RecentTrace>()
  readonly #byHandle = new Map<string, RecentTrace>()
  #spans = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** By trace id or run key. */
  find(handle: string): RecentTrace | undefined {
    return this.#byHandle.get(handle)
  }

  /** The trace known by one of the handles, or a new one; it is found by all of them from now on. */
  touch(id: string, root: string, handles: Iterable<string>): RecentTrace {
    const trace = this.#byHandle.get(id) ?? {
      id,
      root,
      spans: new Map(),
      work: new Map(),
      own: new Set(),
      handles: new Set(),
    }
    this.#traces.delete(trace)
    this.#traces.add(trace)
    for (const handle of [id, ...handles]) {
      if (this.#byHandle.has(handle) || trace.handles.size >= MOST_HANDLES) continue
      this.#byHandle.set(handle, trace)
      trace.handles.add(handle)
    }
    return trace
  }

  /** `standIn`: the id of the span that stands for it, itself unless it was dropped as a double. */
  add(trace: RecentTrace, span: string, standIn = span, work?: WorkSpan): void {
    if (!this.#traces.has(trace)) return
    if (!trace.spans.has(span)) this.#spans++
    trace.spans.set(span, standIn)
    if (work !== undefined && trace.work.size < MOST_WORK) trace.work.set(span, work)
    while (this.#spans > this.#capacity) {
      const [oldest] = this.#traces
      this.#forget(oldest!)
      if (oldest === trace) return
    }
  }

  /** A span did not get through after all. */
  remove(trace: RecentTrace, span: string): void {
    trace.work.delete(span)
    if (!trace.spans.delete(span) || !this.#traces.has(trace)) return
    this.#spans--
    if (trace.spans.size === 0) this.#forget(trace)
  }

  #forget(trace: RecentTrace): void {
    this.#traces.delete(trace)
    this.#spans -= trace.spans.size
    for (const handle of trace.handles) this.#byHandle.delete(handle)
  }
}
