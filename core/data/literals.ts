import type { AttributeKey } from './key.ts'
import { Double, type ExponentialBuckets, type Value } from './records.ts'
import { copyBytes, FIXED64, LENGTH, putText, putVarint, putVarint64, VARINT, varintSize, viewOf } from './wire.ts'

/** Messages inside an attribute's value. Together with those around it they stay below the 100 the door lets in. */
const MAX_DEPTH = 88
const INITIAL_SIZE = 512

interface Constant {
  readonly tag: number
  readonly key: AttributeKey
  readonly value: Value | Double
  readonly start: number
  readonly end: number
}

/**
 * Encoded attributes and fields that are to be written, one after the other. A method that encodes returns where its
 * literal begins; `end` is then where it ends.
 */
export class Literals {
  b: Buffer = Buffer.allocUnsafe(INITIAL_SIZE)
  /** Register: the end of the literal that was asked for last. */
  end = 0
  #used = 0
  #view: DataView | undefined
  #first: Constant | undefined
  #second: Constant | undefined
  #third: Constant | undefined

  /** `b` for words. */
  get v(): DataView {
    this.#view ??= viewOf(this.b)
    return this.#view
  }

  /** A KeyValue field with the given tag. A constant is encoded once, however many records it is set on. */
  attribute(tag: number, key: AttributeKey, value: Value | Double): number {
    const first = this.#first
    if (first !== undefined && first.key === key && first.value === value && first.tag === tag) {
      this.end = first.end
      return first.start
    }
    const second = this.#second
    if (second !== undefined && second.key === key && second.value === value && second.tag === tag) {
      this.end = second.end
      return second.start
    }
    const third = this.#third
    if (third !== undefined && third.key === key && third.value === value && third.tag === tag) {
      this.end = third.end
      return third.start
    }
    const start = this.#encodeAttribute(tag, key, value)
    // What can change under its identity is not remembered.
    if (typeof value !== 'object') {
      this.#third = second
      this.#second = first
      this.#first = { tag, key, value, start, end: this.end }
    }
    return start
  }

  #encodeAttribute(tag: number, key: AttributeKey, value: Value | Double): number {
    const start = this.#used
    this.#room(key.size + 24)
    let p = putVarint(this.b, start, tag) + 1
    const message = p
    p = this.#putKey(p, key)
    this.b[p] = 18
    p = this.#value(p + 2, value, 1)
    return this.#done(start, this.#close(message, p))
  }

  #putKey(p: number, key: AttributeKey): number {
    this.b[p] = 10
    const at = putVarint(this.b, p + 1, key.size)
    return copyBytes(key.bytes, 0, key.size, this.b, at)
  }

  /**
   * A KeyValue field with another key and everything else of the message `[start, end)` of `source`, which may be this
   * buffer; `keyField` to `keyEnd` is the key's field in it.
   */
  renamed(
    tag: number,
    key: AttributeKey,
    source: Buffer,
    start: number,
    end: number,
    keyField: number,
    keyEnd: number,
  ) {
    const own = source === this.b
    this.#room(key.size + 24 + end - start)
    const from = own ? this.b : source
    const at = this.#used
    const message = putVarint(this.b, at, tag) + 1
    const behindKey = this.#putKey(message, key)
    const p = copyBytes(from, keyEnd, end, this.b, copyBytes(from, start, keyField, this.b, behindKey))
    return this.#done(at, this.#close(message, p))
  }

  /** A string field; the empty literal for the empty string, which is how protobuf writes a default. */
  text(field: number, text: string): number {
    if (text === '') return this.nothing()
    const start = this.#used
    this.#room(text.length * 3 + 16)
    const body = putVarint(this.b, start, (field << 3) | LENGTH) + 1
    return this.#done(start, this.#close(body, putText(this.b, body, text)))
  }

  /** A bytes field. */
  bytes(field: number, bytes: Uint8Array): number {
    if (bytes.length === 0) return this.nothing()
    const start = this.#used
    this.#room(bytes.length + 16)
    let p = putVarint(this.b, start, (field << 3) | LENGTH)
    p = putVarint(this.b, p, bytes.length)
    this.b.set(bytes, p)
    return this.#done(start, p + bytes.length)
  }

  /** A varint field; `n` is an unsigned 32-bit integer. */
  varint(field: number, n: number): number {
    if (n === 0) return this.nothing()
    const start = this.#used
    this.#room(16)
    return this.#done(start, putVarint(this.b, putVarint(this.b, start, (field << 3) | VARINT), n))
  }

  /** A fixed64 field; `n` is an unsigned 64-bit integer. */
  fixed64(field: number, n: bigint): number {
    if (n === 0n) return this.nothing()
    const start = this.#used
    this.#room(16)
    const p = putVarint(this.b, start, (field << 3) | FIXED64)
    this.b.writeBigUInt64LE(n, p)
    return this.#done(start, p + 8)
  }

  /** A double field, 0 as well: where the protocol has a presence, 0 is not absent. */
  double(field: number, n: number): number {
    const start = this.#used
    this.#room(16)
    const p = putVarint(this.b, start, (field << 3) | FIXED64)
    return this.#done(start, this.b.writeDoubleLE(n, p))
  }

  /** An sfixed64 field, 0 as well; `n` is a signed 64-bit integer. */
  sfixed64(field: number, n: bigint): number {
    const start = this.#used
    this.#room(16)
    const p = putVarint(this.b, start, (field << 3) | FIXED64)
    return this.#done(start, this.b.writeBigInt64LE(n, p))
  }

  /** A packed field of fixed64, the empty literal for none. */
  fixed64s(field: number, numbers: readonly bigint[]): number {
    if (numbers.length === 0) return this.nothing()
    const start = this.#used
    this.#room(numbers.length * 8 + 16)
    let p = putVarint(this.b, start, (field << 3) | LENGTH)
    p = putVarint(this.b, p, numbers.length * 8)
    for (const n of numbers) p = this.b.writeBigUInt64LE(n, p)
    return this.#done(start, p)
  }

  /** A field that holds the buckets of an exponential histogram. */
  buckets(field: number, { offset, bucketCounts }: ExponentialBuckets): number {
    const start = this.#used
    this.#room(bucketCounts.length * 10 + 32)
    const message = putVarint(this.b, start, (field << 3) | LENGTH) + 1
    let p = message
    if (offset !== 0) {
      this.b[p] = 8
      p = putVarint(this.b, p + 1, ((offset << 1) ^ (offset >> 31)) >>> 0)
    }
    if (bucketCounts.length > 0) {
      this.b[p] = 18
      const list = p + 2
      p = list
      for (const n of bucketCounts) p = putVarint64(this.b, p, Number(BigInt.asIntN(32, n)), Number(n >> 32n) | 0)
      p = this.#close(list, p)
    }
    return this.#done(start, this.#close(message, p))
  }

  /** A field that holds an AnyValue. */
  value(field: number, value: Value | Double): number {
    const start = this.#used
    this.#room(16)
    return this.#done(start, this.#value(putVarint(this.b, start, (field << 3) | LENGTH) + 1, value, 1))
  }

  /** A field that holds a message of a string and a varint: the status of a span. */
  status(field: number, code: number, message: string): number {
    const start = this.#used
    this.#room(message.length * 3 + 32)
    const body = putVarint(this.b, start, (field << 3) | LENGTH) + 1
    let p = body
    if (message !== '') {
      this.b[p] = 18
      p = this.#close(p + 2, putText(this.b, p + 2, message))
    }
    if (code !== 0) {
      this.b[p] = 24
      p = putVarint(this.b, p + 1, code)
    }
    return this.#done(start, this.#close(body, p))
  }

  /** The empty literal: writes nothing in place of what it replaces. */
  nothing(): number {
    this.end = this.#used
    return this.#used
  }

  #done(start: number, end: number): number {
    this.#used = end
    this.end = end
    return start
  }

  /** Makes room for `n` bytes behind `used`. */
  #room(n: number, used = this.#used): void {
    if (used + n <= this.b.length) return
    const grown = Buffer.allocUnsafe(Math.max(used + n, this.b.length * 2))
    this.b.copy(grown, 0, 0, used)
    this.b = grown
    this.#view = undefined
  }

  /** Writes the length of the message `[body, end)`, for which one byte has been left before it; returns its new end. */
  #close(body: number, end: number): number {
    const size = end - body
    if (size < 128) {
      this.b[body - 1] = size
      return end
    }
    const more = varintSize(size) - 1
    this.#room(more, end)
    this.b.copyWithin(body + more, body, end)
    putVarint(this.b, body - 1, size)
    return end + more
  }

  /** Writes an AnyValue whose body is to begin at `p`, and its length before it; returns its end. */
  #value(p: number, value: Value | Double, depth: number): number {
    switch (typeof value) {
      case 'string': {
        this.#room(value.length * 3 + 16, p)
        this.b[p] = 10
        return this.#close(p, this.#close(p + 2, putText(this.b, p + 2, value)))
      }
      case 'number':
        this.#room(16, p)
        if (!Number.isSafeInteger(value)) return this.#close(p, this.#double(p, value))
        this.b[p] = 24
        return this.#close(p, putVarint64(this.b, p + 1, value | 0, Math.floor(value / 0x1_0000_0000)))
      case 'boolean':
        this.#room(8, p)
        this.b[p] = 16
        this.b[p + 1] = value ? 1 : 0
        return this.#close(p, p + 2)
      case 'bigint': {
        if (BigInt.asIntN(64, value) !== value) {
          throw new RangeError(`Could not encode an integer that does not fit into 64 bits: ${value}`)
        }
        this.#room(16, p)
        this.b[p] = 24
        const low = Number(BigInt.asIntN(32, value))
        return this.#close(p, putVarint64(this.b, p + 1, low, Number(value >> 32n)))
      }
      case 'object':
        return this.#close(p, this.#object(p, value, depth))
      default:
        throw new TypeError(`Could not encode a value: expected text, a number, a list or a map, got ${typeof value}`)
    }
  }

  /** Writes the member of an AnyValue that holds an object; returns its end. */
  #object(p: number, value: Exclude<Value, string | number | bigint | boolean> | Double, depth: number): number {
    this.#room(16, p)
    if (value === null) return p
    if (value instanceof Double) return this.#double(p, value.value)
    if (value instanceof Uint8Array) {
      this.#room(value.length + 16, p)
      this.b[p] = 58
      const at = putVarint(this.b, p + 1, value.length)
      this.b.set(value, at)
      return at + value.length
    }
    if (depth + 3 > MAX_DEPTH) {
      throw new RangeError(`Could not encode a value that is nested more than ${MAX_DEPTH} messages deep`)
    }
    const body = p + 2
    let end = body
    if (Array.isArray(value)) {
      this.b[p] = 42
      for (const element of value as readonly Value[]) {
        this.#room(16, end)
        this.b[end] = 10
        end = this.#value(end + 2, element, depth + 2)
      }
      return this.#close(body, end)
    }
    this.b[p] = 50
    for (const [name, element] of Object.entries(value)) {
      this.#room(name.length * 3 + 24, end)
      this.b[end] = 10
      const message = end + 2
      this.b[message] = 10
      let q = this.#close(message + 2, putText(this.b, message + 2, name))
      this.#room(16, q)
      this.b[q++] = 18
      end = this.#close(message, this.#value(q + 1, element as Value, depth + 3))
    }
    return this.#close(body, end)
  }

  #double(p: number, value: number): number {
    this.b[p] = 33
    this.b.writeDoubleLE(value, p + 1)
    return p + 9
  }
}
