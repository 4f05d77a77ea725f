import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import { spanContextOf, type TraceHeaders } from '#core/component'

/** A name in `service::telemetry::traces::propagators`. */
export type Propagator = 'tracecontext' | 'b3'

/** What the headers of a request say about the span it comes from. The last propagator that finds one wins. */
export function remoteSpan(propagators: readonly Propagator[], headers: TraceHeaders): SpanContext | undefined {
  let found: SpanContext | undefined
  for (const propagator of propagators) found = READ[propagator](headers) ?? found
  return found
}

const READ: Readonly<Record<Propagator, (headers: TraceHeaders) => SpanContext | undefined>> = {
  tracecontext: ({ traceparent }) => (traceparent === undefined ? undefined : valid(spanContextOf(traceparent))),
  b3: headers => valid(headers.b3 === undefined ? severalHeaders(headers) : singleHeader(headers.b3)),
}

/** `{trace id}-{span id}-{sampled}-{parent span id}`. Source: https://github.com/openzipkin/b3-propagation */
function singleHeader(b3: string): SpanContext | undefined {
  const [traceId = '', spanId = '', sampled = ''] = b3.split('-')
  return b3Context(traceId, spanId, sampled === '1' || sampled === 'd')
}

function severalHeaders(headers: TraceHeaders): SpanContext | undefined {
  const sampled = headers['x-b3-sampled']?.toLowerCase()
  const debug = headers['x-b3-flags'] === '1'
  return b3Context(
    headers['x-b3-traceid'] ?? '',
    headers['x-b3-spanid'] ?? '',
    debug || sampled === '1' || sampled === 'true',
  )
}

/** Short trace ids are filled up from the left. */
function b3Context(traceId: string, spanId: string, sampled: boolean): SpanContext | undefined {
  if (!/^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i.test(traceId) || !/^[0-9a-f]{16}$/i.test(spanId)) return undefined
  const long = traceId.toLowerCase().padStart(32, '0')
  return { traceId: long, spanId: spanId.toLowerCase(), traceFlags: sampled ? 1 : 0, isRemote: true }
}

function valid(context: SpanContext | undefined): SpanContext | undefined {
  return context !== undefined && isSpanContextValid(context) ? context : undefined
}
