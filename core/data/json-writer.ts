import { putSigned, putUnsigned } from './decimal.ts'

/** What a buffer may grow to and still be kept for the next text. */
const KEEP = 1 << 20
let spare: Buffer | undefined = Buffer.allocUnsafeSlow(1 << 17)

/** 1 for the bytes that a JSON string cannot hold as they are. */
const ESCAPED = new Uint8Array(256).fill(1, 0, 32)
ESCAPED[34] = 1
ESCAPED[92] = 1
const HEX = Buffer.from('0123456789abcdef')
const QUOTE = 34

/** Writes JSON as UTF-8 straight from protobuf bytes: what is a string there is copied, and no string is made on the way. */
export class JsonWriter {
  #bytes: Buffer
  #at = 0

  constructor() {
    this.#bytes = spare ?? Buffer.allocUnsafeSlow(1 << 17)
    spare = undefined
  }

  /** One byte of ASCII. */
  byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#at++] = value
  }

  /** Text that is JSON already, as bytes. */
  raw(source: Buffer): void {
    this.#copy(source, 0, source.length)
  }

  /** Text that is JSON already; ASCII. */
  ascii(text: string): void {
    this.#room(text.length)
    for (let i = 0; i < text.length; i++) this.#bytes[this.#at++] = text.charCodeAt(i)
  }

  /** The UTF-8 in `[from, to)` of `source` as a JSON string. */
  string(source: Buffer, from: number, to: number): void {
    let p = from
    while (p < to && ESCAPED[source[p]!] === 0) p++
    if (p < to) {
      const escaped = JSON.stringify(source.toString('utf8', from, to))
      this.#room(Buffer.byteLength(escaped))
      this.#at += this.#bytes.write(escaped, this.#at)
      return
    }
    this.#room(to - from + 2)
    this.#bytes[this.#at++] = QUOTE
    this.#copy(source, from, to)
    this.#bytes[this.#at++] = QUOTE
  }

  /** `[from, to)` of `source` as a JSON string in lower-case hex. */
  hex(source: Buffer, from: number, to: number): void {
    this.#room((to - from) * 2 + 2)
    const out = this.#bytes
    let at = this.#at
    out[at++] = QUOTE
    for (let p = from; p < to; p++) {
      const byte = source[p]!
      out[at++] = HEX[byte >> 4]!
      out[at++] = HEX[byte & 15]!
    }
    out[at++] = QUOTE
    this.#at = at
  }

  /** A 64-bit integer as a JSON string. */
  integer64(low: number, high: number, signed: boolean): void {
    this.#room(22)
    this.#bytes[this.#at++] = QUOTE
    this.#at = (signed ? putSigned : putUnsigned)(this.#bytes, this.#at, low, high)
    this.#bytes[this.#at++] = QUOTE
  }

  /** A double; what JSON has no number for as a string. */
  double(n: number): void {
    if (n === 0) this.ascii(Object.is(n, -0) ? '-0' : '0')
    else this.ascii(Number.isFinite(n) ? String(n) : `"${n}"`)
  }

  /** Everything written, in a buffer of its own. The writer is used up. */
  finish(): Buffer {
    const result = Buffer.allocUnsafeSlow(this.#at)
    this.#bytes.copy(result, 0, 0, this.#at)
    this.#release()
    return result
  }

  /** Everything written, as a string. The writer is used up. */
  finishText(): string {
    const result = this.#bytes.toString('utf8', 0, this.#at)
    this.#release()
    return result
  }

  #release(): void {
    if (this.#bytes.length <= KEEP) spare = this.#bytes
  }

  #copy(source: Buffer, from: number, to: number): void {
    const size = to - from
    this.#room(size)
    const at = this.#at
    if (size > 24) source.copy(this.#bytes, at, from, to)
    else for (let i = 0; i < size; i++) this.#bytes[at + i] = source[from + i]!
    this.#at = at + size
  }

  /** Makes room for `size` bytes and two more. May replace `#bytes`. */
  #room(size: number): void {
    if (this.#bytes.length - this.#at >= size + 2) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + size + 2))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}
