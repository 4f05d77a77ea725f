import type { Value } from '#core/data'
import type { Facts } from './facts.ts'
import type { Format, MappingOptions } from './format.ts'
import { base64, isList, jsonText } from './json-text.ts'

/** The fields that an event has beside attributes, and where each comes from. */
export const ORIGINAL_FIELDS = {
  timestamp: 'time; RFC 3339 in UTC with whole seconds, 1970 when unset',
  trace_id: 'trace id in hex, when set',
  span_id: 'span id in hex, when set',
} as const satisfies Record<string, string>

/**
 * What the Go exporter `securityevent` sends, for users who move over: default attributes without `source`, then resource
 * and record attributes, later ones replacing earlier ones, all as strings; no body, no severity, no scope. Names are
 * sorted and `<`, `>`, `&` escaped as Go's encoder does, so that bodies are equal byte for byte.
 */
export function originalFormat({ defaultAttributes }: MappingOptions): Format {
  return facts => {
    const fields = new Map<string, string>()
    for (const [name, value] of Object.entries(defaultAttributes)) {
      if (name !== 'source') fields.set(name, goJson(value))
    }
    for (const [name, value] of facts.source.resource) fields.set(name, goJson(asString(value)))
    facts.names.forEach((name, i) => {
      fields.set(name, goJson(asString(facts.values[i]!)))
    })
    own(facts, fields)
    const members = [...fields].sort(byCodePoint).map(([name, text]) => `${goJson(name)}:${text}`)
    return `{${members.join()}}`
  }
}

function own({ time, traceId, spanId }: Facts, fields: Map<string, string>): void {
  const seconds = new Date(Number(time / 1_000_000_000n) * 1000).toISOString()
  fields.set('timestamp', `"${seconds.slice(0, 19)}Z"`)
  if (traceId !== '') fields.set('trace_id', `"${traceId}"`)
  if (spanId !== '') fields.set('span_id', `"${spanId}"`)
}

/** As `AsString` of the Collector's `pcommon.Value` does. */
function asString(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return String(value)
    return `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`
  }
  if (value instanceof Uint8Array) return base64(value)
  return isList(value) || typeof value === 'object' ? goEscaped(jsonText(value)) : String(value)
}

function goJson(value: Value): string {
  return goEscaped(jsonText(value))
}

const ESCAPED = /[<>&\u2028\u2029]/g

/** Go's encoder escapes what could end a script in HTML. */
function goEscaped(json: string): string {
  return json.replace(ESCAPED, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Go sorts by bytes of UTF-8, which is the order of code points. */
function byCodePoint([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
