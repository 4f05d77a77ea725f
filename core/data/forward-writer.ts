import { putVarint, putVarint64, varintSize } from './wire.ts'

/** What a buffer may grow to and still be kept for the next message. */
const KEEP = 1 << 20

let spare: Buffer | undefined = Buffer.allocUnsafeSlow(1 << 17)

/**
 * Writes protobuf from front to back, for sources that reveal the length of a message only at its end. The usual width
 * of the length is reserved, and the body is moved when the guess was wrong.
 */
export class ForwardWriter {
  #bytes: Buffer
  #at = 0

  constructor() {
    this.#bytes = spare ?? Buffer.allocUnsafeSlow(1 << 17)
    spare = undefined
  }

  /** An unsigned 32-bit integer, or a tag. */
  varint(value: number): void {
    this.#room(5)
    if (value < 128) this.#bytes[this.#at++] = value
    else this.#at = putVarint(this.#bytes, this.#at, value)
  }

  /** 64 bits as a varint. */
  varint64(low: number, high: number): void {
    this.#room(10)
    this.#at = putVarint64(this.#bytes, this.#at, low, high)
  }

  fixed32(value: number): void {
    this.#room(4)
    const b = this.#bytes
    let at = this.#at
    b[at++] = value
    b[at++] = value >>> 8
    b[at++] = value >>> 16
    b[at++] = value >>> 24
    this.#at = at
  }

  fixed64(low: number, high: number): void {
    this.fixed32(low)
    this.fixed32(high)
  }

  double(value: number): void {
    this.#room(8)
    this.#at = this.#bytes.writeDoubleLE(value, this.#at)
  }

  byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#at++] = value
  }

  /** `[from, to)` of `source`. */
  copy(source: Buffer, from: number, to: number): void {
    const size = to - from
    this.#room(size)
    const b = this.#bytes
    const at = this.#at
    if (size > 24) source.copy(b, at, from, to)
    else for (let i = 0; i < size; i++) b[at + i] = source[from + i]!
    this.#at = at + size
  }

  /** Reserves `width` bytes for the length of what comes next; returns where, for `close`. */
  open(width: number): number {
    this.#room(width)
    const start = this.#at
    this.#at += width
    return start
  }

  /** Writes the length of everything since `open` returned `start`. */
  close(start: number, width: number): void {
    const body = start + width
    const size = this.#at - body
    const needed = varintSize(size)
    if (needed !== width) {
      this.#room(5)
      this.#bytes.copyWithin(start + needed, body, this.#at)
      this.#at += needed - width
    }
    putVarint(this.#bytes, start, size)
  }

  /** Everything written, in a buffer of its own. The writer is used up. */
  finish(): Buffer {
    const result = Buffer.allocUnsafeSlow(this.#at)
    this.#bytes.copy(result, 0, 0, this.#at)
    this.release()
    return result
  }

  /** Gives the memory back without a result. */
  release(): void {
    if (this.#bytes.length <= KEEP) spare = this.#bytes
  }

  #room(size: number): void {
    if (this.#bytes.length - this.#at >= size) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + size))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}
