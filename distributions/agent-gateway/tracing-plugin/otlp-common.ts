import { PLUGIN_ID, PLUGIN_VERSION } from './identity.ts'
import { ProtobufWriter } from './protobuf.ts'
import type { Attributes, AttributeValue } from './span.ts'

/** Writes attributes as repeated `KeyValue` messages in `field`, leaving out those without a value. */
export function writeAttributes(out: ProtobufWriter, field: number, attributes: Attributes): void {
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) out.message(field, pair => pair.string(1, key).message(2, any => writeValue(any, value)))
  }
}

/** A whole export request around scope content that is written already, which has the same form for every signal. */
export function requestOf(resource: Attributes, content: readonly Uint8Array[]): Uint8Array {
  const request = new ProtobufWriter().message(1, perResource => {
    perResource.message(1, out => writeAttributes(out, 1, resource))
    perResource.message(2, perScope => {
      perScope.message(1, scope => scope.string(1, PLUGIN_ID).string(2, PLUGIN_VERSION))
      for (const item of content) perScope.bytes(2, item)
    })
  })
  return request.finish()
}

/** Milliseconds since 1970 as nanoseconds; a time outside what OTLP can hold becomes the nearest it can. */
export function nanos(milliseconds: number): bigint {
  const micros = Math.min(Math.max(Math.round(milliseconds * 1000) || 0, 0), Number.MAX_SAFE_INTEGER)
  return BigInt(micros) * 1000n
}

function writeValue(out: ProtobufWriter, value: AttributeValue): void {
  if (typeof value === 'string') out.string(1, value)
  else if (typeof value === 'boolean') out.varint(2, value ? 1 : 0)
  else if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) out.varint(3, value)
    else out.double(4, value)
  } else out.message(5, list => value.forEach(item => void list.message(1, each => writeValue(each, item))))
}
