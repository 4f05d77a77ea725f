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

/** Reads JSON tokens from bytes. Strings are left where they lie; nothing is built for what is skipped. */
export class JsonScanner {
  /** The text, followed by a 0, which is no part of any token and so ends every loop. */
  readonly b: Buffer
  readonly end: number
  /** Position of the next token. */
  p = 0
  /** Registers: the contents of the string read last, without quotes, and whether there is a backslash in it. */
  from = 0
  to = 0
  escaped = false

  constructor(json: Buffer | string) {
    const room = typeof json === 'string' ? json.length * 3 + 1 : json.length + 1
    this.b = spare !== undefined && spare.length >= room ? spare : Buffer.allocUnsafeSlow(room)
    spare = undefined
    this.end = typeof json === 'string' ? this.b.write(json) : json.copy(this.b)
    this.b[this.end] = 0
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
    const from = this.p + 1
    let q = from
    this.escaped = false
    while (true) {
      while (PLAIN[b[q]!] === 1) q++
      if (b[q] === 34) break
      if (b[q] !== 92) throw this.malformed('control character in a string', q)
      this.escaped = true
      q += b[q + 1] === 0 ? 1 : 2
    }
    this.from = from
    this.to = q
    this.p = q + 1
  }

  /** The number `from` the given position up to `to`, which must be all of one. */
  number(from: number, to: number): number {
    const b = this.b
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
      if (decimals === 0) throw this.malformed('not a number', from)
    }
    // Up to 15 digits and 22 decimals both sides of the division are exact, so that its result is the nearest double.
    if (p === to && grammatical && integers + decimals <= 15) {
      const value = decimals === 0 ? digits : digits / POWERS[decimals]!
      return negative ? -value : value
    }
    const text = b.toString('latin1', from, to)
    if (!NUMBER.test(text)) throw this.malformed('not a number', from)
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
    if (c === 34) this.skipString()
    else if (c === 123) {
      this.p++
      if (this.accept(125)) return
      do {
        this.peek()
        this.skipString()
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
      this.number(from, this.p)
    }
  }

  skipString(): void {
    this.string()
    if (this.escaped) checkEscapes(this)
  }
}

function checkEscapes(scanner: JsonScanner): void {
  const { b, from, to } = scanner
  for (let p = from; p < to; p++) if (b[p] === 92) p += escapeLength(scanner, p) - 1
}

const SIMPLE = new Map([...'"\\/bfnrt'].map((c, i) => [c.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(i)]))

function escapeLength(scanner: JsonScanner, p: number): number {
  const c = scanner.b[p + 1]!
  if (c !== 117 && !SIMPLE.has(c)) throw scanner.malformed('unknown escape in a string', p)
  if (c === 117) hex4(scanner, p)
  return c === 117 ? 6 : 2
}

function hex4(scanner: JsonScanner, p: number): number {
  const unit = p + 6 <= scanner.to ? scanner.b.toString('latin1', p + 2, p + 6) : ''
  if (!/^[0-9a-fA-F]{4}$/.test(unit)) throw scanner.malformed('unknown escape in a string', p)
  return Number.parseInt(unit, 16)
}

/**
 * The string in the registers with its escapes resolved, as UTF-8. Bytes that are not UTF-8 stay, for the door to
 * judge; escaped lone surrogates become U+FFFD.
 */
export function unescaped(scanner: JsonScanner): Buffer {
  const { b, from, to } = scanner
  const out = Buffer.allocUnsafe(to - from)
  let at = 0
  for (let p = from; p < to; ) {
    if (b[p] !== 92) {
      out[at++] = b[p++]!
      continue
    }
    const length = escapeLength(scanner, p)
    if (length === 2) {
      out[at++] = SIMPLE.get(b[p + 1]!)!
      p += 2
      continue
    }
    let unit = hex4(scanner, p)
    p += 6
    if (unit >= 0xd800 && unit < 0xdc00 && b[p] === 92 && b[p + 1] === 117) {
      const second = hex4(scanner, p)
      if (second >= 0xdc00 && second < 0xe000) {
        unit = 0x1_0000 + ((unit - 0xd800) << 10) + second - 0xdc00
        p += 6
      }
    }
    at += out.write(String.fromCodePoint(unit), at)
  }
  return out.subarray(0, at)
}
