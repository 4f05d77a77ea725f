/** Text that is not a duration; the message is Go's. */
export class InvalidDuration extends Error {
  override name = 'InvalidDuration'
}

/** Nanoseconds in each unit. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
])

/** The longest duration of Go in nanoseconds. */
const MAX = 2n ** 63n - 1n

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
  let total = 0n
  while (rest !== '') {
    const [part, whole, fraction = '', unit] = PART.exec(rest)!
    if ((whole === '' && fraction === '') || whole!.length > MAX_DIGITS)
      throw new InvalidDuration(`time: invalid duration ${quote(text)}`)
    if (unit === '') throw new InvalidDuration(`time: missing unit in duration ${quote(text)}`)
    const nanoseconds = UNITS.get(unit!)
    if (nanoseconds === undefined) {
      throw new InvalidDuration(`time: unknown unit ${quote(unit!)} in duration ${quote(text)}`)
    }
    const digits = fraction.slice(0, MAX_DIGITS)
    total += BigInt(whole!) * nanoseconds + (BigInt(digits) * nanoseconds) / 10n ** BigInt(digits.length)
    if (total > MAX) throw new InvalidDuration(`time: invalid duration ${quote(text)}`)
    rest = rest.slice(part.length)
  }
  const ms = Number(total / NANOSECONDS) + Number(total % NANOSECONDS) / 1e6
  return negative && ms !== 0 ? -ms : ms
}

/** Nanoseconds in a millisecond. */
const NANOSECONDS = 1_000_000n
/** Of a number; more before the point are beyond any duration, more after it far below a nanosecond. */
const MAX_DIGITS = 20

/** A number, which may be empty, and everything up to the next number, which may be no unit. */
const PART = /^([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/

/** What {@link parseDuration} takes, without a minus, as a regular expression. */
export const DURATION_PATTERN = '^\\+?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$'

/** Milliseconds as Go prints a duration: `200ms`, `1.5s`, `1m30s`, `1h0m0s`, `0s`. Exact to the nanosecond. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`
  const whole = Math.trunc(ms)
  const nanoseconds = BigInt(whole) * NANOSECONDS + BigInt(Math.round((ms - whole) * 1e6))
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
