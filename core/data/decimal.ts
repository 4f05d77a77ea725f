/** Registers: the halves of the integer read by `parseInteger`, as signed 32-bit integers. */
export let decimalLow = 0
export let decimalHigh = 0

const TWO_32 = 0x1_0000_0000
const BILLION = 1_000_000_000

/** Writes 64 bits, given as two halves, as an unsigned decimal of up to 20 digits at `at`; returns the position behind it. */
export function putUnsigned(out: Buffer, at: number, low: number, high: number): number {
  low >>>= 0
  high >>>= 0
  if (high === 0 && low < BILLION) return putDigits(out, at, low, digitsOf(low))
  // Long division by 10^9 in steps of 16 bits, so that every intermediate result is an exact double.
  const upper = (high % BILLION) * 0x1_0000 + (low >>> 16)
  const lower = (upper % BILLION) * 0x1_0000 + (low & 0xffff)
  const quotient =
    Math.floor(high / BILLION) * TWO_32 + Math.floor(upper / BILLION) * 0x1_0000 + Math.floor(lower / BILLION)
  if (quotient < BILLION) at = putDigits(out, at, quotient, digitsOf(quotient))
  else {
    const first = Math.floor(quotient / BILLION)
    at = putDigits(out, at, first, digitsOf(first))
    at = putDigits(out, at, quotient % BILLION, 9)
  }
  return putDigits(out, at, lower % BILLION, 9)
}

/** As `putUnsigned`, with a sign: up to 20 characters. */
export function putSigned(out: Buffer, at: number, low: number, high: number): number {
  if (high >= 0) return putUnsigned(out, at, low, high)
  out[at] = 45
  return putUnsigned(out, at + 1, -low, low === 0 ? -high : ~high)
}

/** Writes `n`, below 10^9, with leading zeros up to `digits`. */
function putDigits(out: Buffer, at: number, n: number, digits: number): number {
  n |= 0
  for (let p = at + digits - 1; p >= at; p--) {
    const rest = (n / 10) | 0
    out[p] = 48 + n - rest * 10
    n = rest
  }
  return at + digits
}

function digitsOf(n: number): number {
  let digits = 1
  for (let limit = 10; n >= limit; limit *= 10) digits++
  return digits
}

/**
 * Reads the decimal integer in `[from, to)` of `b`, an optional minus and digits, into `decimalLow` and `decimalHigh`.
 * Returns false when it is none, or does not fit `bits` bits.
 */
export function parseInteger(b: Buffer, from: number, to: number, bits: 32 | 64, signed: boolean): boolean {
  const negative = b[from] === 45
  if (!parseDigits(b, negative ? from + 1 : from, to)) return false
  if (bits === 32 && decimalHigh !== 0) return false
  const upper = bits === 32 ? decimalLow : decimalHigh
  if (!negative) return !signed || upper >= 0
  const zero = (decimalLow | decimalHigh) === 0
  const least = upper === -0x8000_0000 && (bits === 32 || decimalLow === 0)
  if (signed ? upper < 0 && !least : !zero) return false
  decimalHigh = decimalLow === 0 ? -decimalHigh | 0 : ~decimalHigh
  decimalLow = -decimalLow | 0
  return true
}

function parseDigits(b: Buffer, from: number, to: number): boolean {
  while (to - from > 20 && b[from] === 48) from++
  if (to === from || to - from > 20) return false
  const split = Math.max(from, to - 10)
  let upper = 0
  let lower = 0
  for (let p = from; p < to; p++) {
    const digit = b[p]! - 48
    if (digit < 0 || digit > 9) return false
    if (p < split) upper = upper * 10 + digit
    else lower = lower * 10 + digit
  }
  if (upper === 0) {
    decimalLow = lower | 0
    decimalHigh = Math.floor(lower / TWO_32)
    return true
  }
  // upper * 10^10 + lower, with upper in two halves of 17 bits, so that both products are exact doubles.
  const near = (upper % 0x2_0000) * 10 * BILLION + lower
  const far = Math.floor(upper / 0x2_0000) * 10 * BILLION
  const low = (near % TWO_32) + (far % 0x8000) * 0x2_0000
  const high = Math.floor(near / TWO_32) + Math.floor(far / 0x8000) + (low >= TWO_32 ? 1 : 0)
  if (high >= TWO_32) return false
  decimalLow = low | 0
  decimalHigh = high | 0
  return true
}
