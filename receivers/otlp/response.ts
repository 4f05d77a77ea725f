import type { PartialError } from '#core/component'
import type { Signal } from '#core/data'

/**
 * An export response in protobuf. Full success is the empty message; otherwise field 1 is the partial success with the
 * rejected items (1) and why (2), the same numbers for every signal.
 * Source: https://github.com/open-telemetry/opentelemetry-proto, collector services
 */
export function encodeResponse(partial: PartialError | undefined): Buffer {
  if (partial === undefined) return NOTHING
  const message = Buffer.from(partial.message)
  const body = Buffer.concat([
    ...(partial.rejected === 0 ? [] : [VARINT_1, varint(partial.rejected)]),
    ...(message.length === 0 ? [] : [LENGTH_2, varint(message.length), message]),
  ])
  return Buffer.concat([LENGTH_1, varint(body.length), body])
}

/** The same in OTLP/JSON. */
export function responseJson(signal: Signal, partial: PartialError | undefined): string {
  if (partial === undefined) return '{"partialSuccess":{}}'
  const rejected = partial.rejected === 0 ? {} : { [REJECTED[signal]]: String(partial.rejected) }
  const why = partial.message === '' ? {} : { errorMessage: partial.message }
  return JSON.stringify({ partialSuccess: { ...rejected, ...why } })
}

const REJECTED = {
  traces: 'rejectedSpans',
  metrics: 'rejectedDataPoints',
  logs: 'rejectedLogRecords',
  profiles: 'rejectedProfiles',
} as const

const NOTHING = Buffer.alloc(0)
/** Field number and wire type. */
const VARINT_1 = Buffer.of(0x08)
const LENGTH_1 = Buffer.of(0x0a)
const LENGTH_2 = Buffer.of(0x12)

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.from([...bytes, rest])
}
