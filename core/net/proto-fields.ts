/**
 * Just enough protobuf for status and response messages of a few fields. Telemetry never passes here; its wire code is
 * in `core/data`.
 * @module
 */

/**
 * Calls `visit` with every field: a number for varints and fixed widths (negative int32 and int64 included), bytes for
 * the rest. Tells whether the message is well formed.
 */
export function forEachField(bytes: Buffer, visit: (field: number, value: number | Buffer) => void): boolean {
  let at = 0
  const varint = (): bigint | undefined => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) return undefined
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    return undefined
  }
  while (at < bytes.length) {
    const tag = varint()
    if (tag === undefined || tag < 8n) return false
    const field = Number(tag >> 3n)
    switch (Number(tag & 7n)) {
      case 0: {
        const value = varint()
        if (value === undefined) return false
        visit(field, Number(value))
        break
      }
      case 1:
        at += 8
        if (at > bytes.length) return false
        visit(field, bytes.readDoubleLE(at - 8))
        break
      case 2: {
        const length = Number(varint() ?? -1n)
        if (length < 0 || at + length > bytes.length) return false
        visit(field, bytes.subarray(at, at + length))
        at += length
        break
      }
      case 5:
        at += 4
        if (at > bytes.length) return false
        visit(field, bytes.readFloatLE(at - 4))
        break
      default:
        return false
    }
  }
  return true
}

/** Writes fields in the order of the calls. */
export class ProtoWriter {
  readonly #parts: Buffer[] = []

  /** A field that is a varint; negative numbers take ten bytes, as int32 and int64 do. */
  varint(field: number, value: number): this {
    this.#parts.push(varint(field * 8), varint(value))
    return this
  }

  /** A string, bytes or message field. */
  bytes(field: number, value: Buffer): this {
    this.#parts.push(varint(field * 8 + 2), varint(value.length), value)
    return this
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}
