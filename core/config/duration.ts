/** Text that is not a duration; the message is Go's. */
export class InvalidDuration extends Error {
  override name = 'InvalidDuration'
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** The longest duration of Go, 2^63 - 1 nanoseconds, in milliseconds. */
const MAX = 2 ** 63 / 1e6

/**
 * Reads a duration in Go's grammar (`time.ParseDuration`): an optional sign and numbers with a unit each, `1m30s`,
 * `1.5h`, `-200ms`; or `0`.
 * @returns milliseconds, with a fraction for what is finer
 * @throws {InvalidDuration}
 */
export function parseDuration(text: string): number {
  const negative = text.startsWith('-')
  let rest = negative || text.startsWith('+') ? text.slice(1) : text
  if (rest === '0') return 0
  if (rest === '') throw new InvalidDuration(`time: invalid duration ${quote(text)}`)
  let total = 0
  while (rest !== '') {
    const [whole, number, unit] = PART.exec(rest)!
    if (!/[0-9]/.test(number!)) throw new InvalidDuration(`time: invalid duration ${quote(text)}`)
    if (unit === '') throw new InvalidDuration(`time: missing unit in duration ${quote(text)}`)
    const factor = UNITS.get(unit!)
    if (factor === undefined) {
      throw new InvalidDuration(`time: unknown unit ${quote(unit!)} in duration ${quote(text)}`)
    }
    total += Number(number) * factor
    rest = rest.slice(whole.length)
  }
  if (!(total < MAX)) throw new InvalidDuration(`time: invalid duration ${quote(text)}`)
  return negative && total !== 0 ? -total : total
}

/** A number, which may be empty, and everything up to the next number, which may be no unit. */
const PART = /^([0-9]*\.?[0-9]*)([^0-9.]*)/

/** Milliseconds as Go prints a duration: `200ms`, `1.5s`, `1m30s`, `1h0m0s`, `0s`. Exact to the nanosecond. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`
  const whole = Math.trunc(ms)
  const nanoseconds = BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6))
  if (nanoseconds === 0n) return '0s'
  if (nanoseconds < 1000n) return `${nanoseconds}ns`
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}µs`
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`
  const minutes = nanoseconds / 60_000_000_000n
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`
  if (minutes === 0n) return seconds
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`
}

/** `value` divided by ten to the power of `places`, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const unit = 10n ** BigInt(places)
  const fraction = (value % unit).toString().padStart(places, '0').replace(/0+$/, '')
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`
}

/** As Go's time package quotes: quotes, backslashes and everything that is not printable ASCII are escaped. */
function quote(text: string): string {
  let quoted = ''
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte)
    if (char === '"' || char === '\\') quoted += `\\${char}`
    else if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`
    else quoted += char
  }
  return `"${quoted}"`
}
