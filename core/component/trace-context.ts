import { type Context, createContextKey, ROOT_CONTEXT, type Span, type SpanContext, trace } from '@opentelemetry/api'

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/

/** The span context that a W3C `traceparent` header names, `undefined` when it names none. */
export function spanContextOf(traceparent: string): SpanContext | undefined {
  const match = TRACEPARENT.exec(traceparent)
  if (match === null) return undefined
  return { traceId: match[1]!, spanId: match[2]!, traceFlags: Number.parseInt(match[3]!, 16), isRemote: true }
}

/** The context in which a child of `traceparent` is started. */
export function parentOf(traceparent: string | undefined): Context {
  const span = traceparent === undefined ? undefined : spanContextOf(traceparent)
  return span === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, span)
}

/** The W3C `traceparent` header that names `span`. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Headers of a request in which its sender's trace context may be: `traceparent`, `b3`, `x-b3-*`. */
export type TraceHeaders = Readonly<Record<string, string>>

/**
 * Where a span's parent context carries the headers of the request it is about. The collector's tracers read them there
 * with the propagators of `service::telemetry::traces`; without one the sender's trace context is left alone.
 */
export const TRACE_HEADERS = createContextKey('Trace headers of the request')
