/** Writes a protobuf message, field by field, in the order of the calls. */
export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(256)
  #length = 0

  /** What was written so far. The bytes stay as they are when more is written. */
  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, 0, this.#length)
  }

  /** An unsigned varint: `uint32`, `bool`, an enum, or an `int64` that is not negative and below 2^53. */
  varint(field: number, value: number): this {
    this.#varint(field * 8)
    this.#varint(value)
    return this
  }

  /** An unsigned `fixed64`. */
  fixed64(field: number, value: bigint): this {
    this.#varint(field * 8 + 1)
    return this.rawFixed64(value)
  }

  /** A `fixed64` without its field, for packed lists. */
  rawFixed64(value: bigint): this {
    this.#reserve(8)
    this.#length = this.#bytes.writeBigUInt64LE(value, this.#length)
    return this
  }

  /** A `double`. */
  double(field: number, value: number): this {
    this.#varint(field * 8 + 1)
    return this.rawDouble(value)
  }

  /** A `double` without its field, for packed lists. */
  rawDouble(value: number): this {
    this.#reserve(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
    return this
  }

  /** A `string`, written as UTF-8; halves of a character become U+FFFD. */
  string(field: number, value: string): this {
    this.#varint(field * 8 + 2)
    const size = Buffer.byteLength(value)
    this.#varint(size)
    this.#reserve(size)
    this.#length += this.#bytes.write(value, this.#length)
    return this
  }

  /** `bytes`, or a message that is written already. */
  bytes(field: number, value: Uint8Array): this {
    this.#varint(field * 8 + 2)
    this.#varint(value.length)
    return this.raw(value)
  }

  /** Fields that are written already. */
  raw(value: Uint8Array): this {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
    return this
  }

  /** A message within this one. */
  message(field: number, write: (inner: ProtobufWriter) => void): this {
    const inner = new ProtobufWriter()
    write(inner)
    return this.bytes(field, inner.#bytes.subarray(0, inner.#length))
  }

  #varint(value: number): void {
    this.#reserve(10)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}
