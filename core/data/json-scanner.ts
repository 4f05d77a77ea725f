import { unescaped } from './json-escapes.ts'
import { Malformed } from './malformed.ts'
import { MAX_DEPTH } from './validation-plan.ts'

const KEEP = 1 << 20
let spare: Buffer | undefined = Buffer.allocUnsafeSlow(1 << 17)

/** 1 for the bytes that stand for themselves in a JSON string. */
const PLAIN = new Uint8Array(256).fill(1, 32)
PLAIN[34] = 0
PLAIN[92] = 0

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const DIGIT = new Uint8Array(256).fill(1, 48, 58)
const IN_NUMBER = new Uint8Array(256).fill(1, 48, 58)
for (const character of '+-.eE') IN_NUMBER[character.charCodeAt(0)] = 1
/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`))

/** Reads JSON tokens from bytes. Strings are left where they lie, unless they hold escapes; nothing is built for what is skipped. */
export class JsonScanner {
  /** The text, followed by a 0, which is no part of any token and so ends every loop. */
  readonly b: Buffer
  readonly end: number
  /** Position of the next token. */
  p = 0
  /** Registers: the string read last, without quotes and escapes, is `[from, to)` of `source`; it began at `start`. */
  source: Buffer
  from = 0
  to = 0
  start = 0

  constructor(json: Buffer | string) {
    const room = typeof json === 'string' ? json.length * 3 + 1 : json.length + 1
    this.b = spare !== undefined && spare.length >= room ? spare : Buffer.allocUnsafeSlow(room)
    spare = undefined
    this.end = typeof json === 'string' ? this.b.write(json) : json.copy(this.b)
    this.b[this.end] = 0
    this.source = this.b
  }

  /** Gives the memory back. */
  release(): void {
    if (this.b.length <= KEEP) spare = this.b
  }

  /** Error for what is at `p` (by default the next token). */
  malformed(reason: string, p = this.p): Malformed {
    return p >= this.end ? new Malformed('JSON text ends too early', this.end) : new Malformed(reason, p)
  }

  /** The first byte of the next token. */
  peek(): number {
    const b = this.b
    let p = this.p
    let c = b[p]!
    while (c <= 32 && (c === 32 || c === 10 || c === 13 || c === 9)) c = b[++p]!
    this.p = p
    return c
  }

  /** Passes the one-byte token `c`. */
  expect(c: number): void {
    if (this.peek() !== c) throw this.malformed(`expected ${JSON.stringify(String.fromCharCode(c))}`)
    this.p++
  }

  /** Whether the next token is `c`, which is then passed. */
  accept(c: number): boolean {
    if (this.peek() !== c) return false
    this.p++
    return true
  }

  /** Passes the literal `null` if it is next. */
  acceptNull(): boolean {
    if (this.peek() !== 110) return false
    this.word('null')
    return true
  }

  /** Passes `word`, whose first letter has been seen. */
  word(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.b[this.p + i] !== word.charCodeAt(i)) throw this.malformed(`expected ${word}`)
    }
    this.p += word.length
  }

  /** Passes a string and leaves it in the registers. */
  string(): void {
    if (this.peek() !== 34) throw this.malformed('expected a string')
    const b = this.b
    const start = this.p + 1
    let escaped = false
    let q = start
    while (true) {
      while (PLAIN[b[q]!] === 1) q++
      if (b[q] === 34) break
      if (b[q] !== 92) throw this.malformed('control character in a string', q)
      escaped = true
      q += b[q + 1] === 0 ? 1 : 2
    }
    this.start = start
    this.p = q + 1
    this.source = escaped ? unescaped(b, start, q) : b
    this.from = escaped ? 0 : start
    this.to = escaped ? this.source.length : q
  }

  /** The number that `[from, to)` of `b` is, which was found at `at` in the text. */
  number(b: Buffer, from: number, to: number, at: number): number {
    const negative = b[from] === 45
    let p = negative ? from + 1 : from
    const start = p
    let digits = 0
    while (DIGIT[b[p]!] === 1) digits = digits * 10 + b[p++]! - 48
    const integers = p - start
    const grammatical = integers === 1 || (integers > 1 && b[start] !== 48)
    let decimals = 0
    if (b[p] === 46) {
      const point = p++
      while (DIGIT[b[p]!] === 1) digits = digits * 10 + b[p++]! - 48
      decimals = p - point - 1
      if (decimals === 0) throw this.malformed('not a number', at)
    }
    // Up to 15 digits and 22 decimals both sides of the division are exact, so that its result is the nearest double.
    if (p === to && grammatical && integers + decimals <= 15) {
      const value = decimals === 0 ? digits : digits / POWERS[decimals]!
      return negative ? -value : value
    }
    const text = b.toString('latin1', from, to)
    if (!NUMBER.test(text)) throw this.malformed('not a number', at)
    return Number(text)
  }

  /** Passes the characters of a bare number; returns where it begins. */
  numeral(): number {
    this.peek()
    const from = this.p
    let p = from
    while (IN_NUMBER[this.b[p]!] === 1) p++
    if (p === from) throw this.malformed('expected a number')
    this.p = p
    return from
  }

  /** Passes any value. */
  skip(depth: number): void {
    const c = this.peek()
    if (depth > MAX_DEPTH) throw this.malformed('values nest too deeply')
    if (c === 34) this.string()
    else if (c === 123) {
      this.p++
      if (this.accept(125)) return
      do {
        this.peek()
        this.string()
        this.expect(58)
        this.skip(depth + 1)
      } while (this.accept(44))
      this.expect(125)
    } else if (c === 91) {
      this.p++
      if (this.accept(93)) return
      do this.skip(depth + 1)
      while (this.accept(44))
      this.expect(93)
    } else if (c === 116) this.word('true')
    else if (c === 102) this.word('false')
    else if (c === 110) this.word('null')
    else {
      const from = this.numeral()
      this.number(this.b, from, this.p, from)
    }
  }
}
