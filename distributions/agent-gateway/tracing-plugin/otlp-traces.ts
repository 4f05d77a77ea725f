import { nanos, writeAttributes } from './otlp-common.ts'
import { ProtobufWriter } from './protobuf.ts'
import type { Span } from './span.ts'

/** A span as the `Span` message of OTLP 1. */
export function encodeSpan(span: Span): Uint8Array {
  const out = new ProtobufWriter()
  out.bytes(1, Buffer.from(span.traceId, 'hex')).bytes(2, Buffer.from(span.spanId, 'hex'))
  if (span.parentSpanId !== undefined) out.bytes(4, Buffer.from(span.parentSpanId, 'hex'))
  out.string(5, span.name).varint(6, span.kind)
  out.fixed64(7, nanos(span.start)).fixed64(8, nanos(span.end))
  writeAttributes(out, 9, span.attributes)
  const { link, error } = span
  if (link) {
    out.message(13, to => to.bytes(1, Buffer.from(link.traceId, 'hex')).bytes(2, Buffer.from(link.spanId, 'hex')))
  }
  if (error !== undefined) out.message(15, status => status.string(2, error).varint(3, STATUS_ERROR))
  return out.finish()
}

const STATUS_ERROR = 2
