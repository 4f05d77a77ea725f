import type { Logger } from '#core/component'
import { type Attributes, Double, type Key, type Value } from '#core/data'
import { valueAsText } from './value-text.ts'

/** Gives an attribute another type, if its value can have it; leaves it as it is otherwise. */
export function convert(attributes: Attributes, key: Key, type: string, logger: Logger): void {
  const kind = attributes.kind(key)
  if (kind === undefined || kind === type) return
  const value = attributes.get(key)!
  if (type === 'string') attributes.set(key, valueAsText(value))
  else if (!SIMPLE.has(kind)) logger.debug('Unable to convert type', { key: key.name, from: kind, to: type })
  else {
    const converted = type === 'int' ? toInt(value) : toDouble(value)
    if (converted !== undefined) attributes.set(key, converted)
    else logger.debug(`String could not be converted to ${type}`, { key: key.name, value })
  }
}

const SIMPLE: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'double'])
const MAX = 2n ** 63n - 1n
const MIN = -(2n ** 63n)

/** Doubles lose their fraction; those beyond 64 bits become the nearest integer there is. */
function toInt(value: Value): bigint | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number') return Number.isFinite(value) ? clamp(BigInt(Math.trunc(value))) : clampInfinite(value)
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value)) return undefined
  const int = BigInt(value.replace(/^\+/, ''))
  return int >= MIN && int <= MAX ? int : undefined
}

function toDouble(value: Value): Double | undefined {
  if (typeof value === 'boolean') return new Double(value ? 1 : 0)
  if (typeof value === 'number' || typeof value === 'bigint') return new Double(Number(value))
  if (typeof value !== 'string') return undefined
  if (DECIMAL.test(value)) {
    const double = Number(value)
    return Number.isFinite(double) ? new Double(double) : undefined
  }
  const special = SPECIAL.exec(value)
  if (special === null) return undefined
  if (special[2]!.toLowerCase() === 'nan') return special[1] === '' ? new Double(Number.NaN) : undefined
  return new Double(special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const SPECIAL = /^([+-]?)(nan|inf|infinity)$/i

function clamp(int: bigint): bigint {
  return int > MAX ? MAX : int < MIN ? MIN : int
}

function clampInfinite(value: number): bigint {
  return Number.isNaN(value) ? 0n : value > 0 ? MAX : MIN
}
