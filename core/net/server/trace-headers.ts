import type { IncomingHttpHeaders } from 'node:http'
import type { TraceHeaders } from '#core/component'

/** What the propagators `tracecontext` and `b3` read. */
const NAMES = ['traceparent', 'b3', 'x-b3-traceid', 'x-b3-spanid', 'x-b3-sampled', 'x-b3-flags'] as const

/** The headers of a request that name the trace it belongs to, if any do; as a part of its context. */
export function traceHeadersOf(headers: IncomingHttpHeaders): { readonly traceHeaders?: TraceHeaders } {
  let found: Record<string, string> | undefined
  for (const name of NAMES) {
    const value = headers[name]
    if (typeof value !== 'string') continue
    found ??= {}
    found[name] = value
  }
  return found === undefined ? NONE : { traceHeaders: found }
}

const NONE = {}
