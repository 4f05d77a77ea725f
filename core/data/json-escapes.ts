import { Malformed } from './malformed.ts'

const BACKSLASH = 92
const LETTER_U = 117
/** What the letter after a backslash stands for. */
const SIMPLE = new Map([...'"\\/bfnrt'].map((c, i) => [c.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(i)]))

/**
 * The contents `[from, to)` of a JSON string with its escapes resolved, as UTF-8. Bytes that are not UTF-8 stay, for the
 * door to judge; escaped lone surrogates become U+FFFD.
 *
 * @throws {Malformed} for an escape that JSON does not have.
 */
export function unescaped(b: Buffer, from: number, to: number): Buffer {
  const out = Buffer.allocUnsafe(to - from)
  let at = 0
  for (let p = from; p < to; ) {
    if (b[p] !== BACKSLASH) {
      out[at++] = b[p++]!
      continue
    }
    if (b[p + 1] !== LETTER_U) {
      const character = SIMPLE.get(b[p + 1]!)
      if (character === undefined) throw new Malformed('unknown escape in a string', p)
      out[at++] = character
      p += 2
      continue
    }
    let unit = codeUnit(b, p, to)
    p += 6
    if (unit >= 0xd800 && unit < 0xdc00 && b[p] === BACKSLASH && b[p + 1] === LETTER_U) {
      const second = codeUnit(b, p, to)
      if (second >= 0xdc00 && second < 0xe000) {
        unit = 0x1_0000 + ((unit - 0xd800) << 10) + second - 0xdc00
        p += 6
      }
    }
    at += out.write(String.fromCodePoint(unit), at)
  }
  return out.subarray(0, at)
}

/** The code unit of the `\\uXXXX` at `p`. */
function codeUnit(b: Buffer, p: number, to: number): number {
  const digits = p + 6 <= to ? b.toString('latin1', p + 2, p + 6) : ''
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new Malformed('unknown escape in a string', p)
  return Number.parseInt(digits, 16)
}
