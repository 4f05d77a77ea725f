import { putVarint, putVarint64, varintSize } from './wire.ts'

/** What a scratch buffer may grow to and still be kept for the next message. */
const KEEP = 1 << 20

let spare: Buffer | undefined = Buffer.allocUnsafeSlow(1 << 16)

/**
 * Writes protobuf from the last byte to the first. The length of a message is known by the time it is to be written, so
 * nothing is measured beforehand and nothing is moved afterwards: write a body, then its length with `length(mark)`, then
 * its tag. Fields come out in the opposite order of the calls.
 */
export class BackWriter {
  #bytes: Buffer
  #at: number

  constructor() {
    this.#bytes = spare ?? Buffer.allocUnsafeSlow(1 << 16)
    spare = undefined
    this.#at = this.#bytes.length
  }

  /** A position to hand to `length` later: bytes written so far. */
  get mark(): number {
    return this.#bytes.length - this.#at
  }

  /** An unsigned 32-bit integer, or a tag. */
  varint(value: number): void {
    const at = this.#room(varintSize(value))
    putVarint(this.#bytes, at, value)
  }

  /** 64 bits as a varint; negative numbers take ten bytes. */
  varint64(low: number, high: number): void {
    const bits = high === 0 ? 32 - Math.clz32(low | 1) : 64 - Math.clz32(high)
    const at = this.#room(Math.ceil(bits / 7))
    putVarint64(this.#bytes, at, low, high)
  }

  fixed32(value: number): void {
    const at = this.#room(4)
    const b = this.#bytes
    b[at] = value
    b[at + 1] = value >>> 8
    b[at + 2] = value >>> 16
    b[at + 3] = value >>> 24
  }

  fixed64(low: number, high: number): void {
    this.fixed32(high)
    this.fixed32(low)
  }

  double(value: number): void {
    const at = this.#room(8)
    this.#bytes.writeDoubleLE(value, at)
  }

  /** `[from, to)` of `source` as it is. */
  bytes(source: Uint8Array, from = 0, to = source.length): void {
    const size = to - from
    const at = this.#room(size)
    if (size > 24) this.#bytes.set(from === 0 && to === source.length ? source : source.subarray(from, to), at)
    else for (let i = 0; i < size; i++) this.#bytes[at + i] = source[from + i]!
  }

  /** A string as UTF-8. Lone surrogates become U+FFFD. */
  text(text: string): void {
    const n = text.length
    if (n < 24) {
      const at = this.#room(n)
      let i = 0
      while (i < n) {
        const c = text.charCodeAt(i)
        if (c > 127) break
        this.#bytes[at + i++] = c
      }
      if (i === n) return
      this.#at += n
    }
    const at = this.#room(Buffer.byteLength(text))
    this.#bytes.write(text, at)
  }

  /** The length of what has been written since `mark`. */
  length(mark: number): void {
    this.varint(this.mark - mark)
  }

  /** Everything written, in a buffer of its own. The writer is used up. */
  finish(): Buffer {
    const result = Buffer.allocUnsafeSlow(this.mark)
    this.#bytes.copy(result, 0, this.#at)
    if (this.#bytes.length <= KEEP) spare = this.#bytes
    return result
  }

  /** Makes room for `size` bytes before what has been written and returns its position. May replace `#bytes`. */
  #room(size: number): number {
    if (size > this.#at) {
      const written = this.mark
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, written + size + 4096))
      this.#bytes.copy(larger, larger.length - written, this.#at)
      this.#bytes = larger
      this.#at = larger.length - written
    }
    this.#at -= size
    return this.#at
  }
}
