import { InvalidBytes, parseBytes } from './bytes.ts'
import { InvalidDuration, parseDuration } from './duration.ts'
import { nearest } from './nearest.ts'
import { type ConfigNode, type ScalarValue, toPlain } from './node.ts'
import type { Schema } from './schema.ts'
import { kindOf, type SchemaKind } from './schema-kind.ts'
import { sentences } from './sentences.ts'

/** What is wrong with a single value. */
export interface ScalarFault {
  readonly fault: string
  readonly code: 'wrong-type' | 'invalid-value'
  readonly suggestion?: string
}

function wrongType(expected: string, value: unknown): ScalarFault {
  return { fault: sentences.wrongType(expected, value), code: 'wrong-type' }
}

function invalid(fault: string): ScalarFault {
  return { fault, code: 'invalid-value' }
}

/** What a reference to nothing is for an option of this kind; undefined where it means that nothing was written. */
export function zeroOf(kind: SchemaKind, original: string): ScalarValue | undefined {
  switch (kind) {
    case 'string':
    case 'oneOf':
      return original
    case 'integer':
    case 'number':
    case 'duration':
    case 'bytes':
      return 0
    case 'boolean':
      return false
    default:
      return undefined
  }
}

/** Turns a single value into what is received. Strings take the source text of a reference, all others its value. */
export function checkScalar(schema: Schema<unknown>, node: ConfigNode): string | number | boolean | ScalarFault {
  const value = node.kind === 'scalar' ? node.value : toPlain(node)
  switch (kindOf(schema)) {
    case 'string':
      return checkString(schema, node.original ?? value)
    case 'integer':
      return checkInteger(schema, value)
    case 'number':
      return checkNumber(schema, value)
    case 'boolean':
      return typeof value === 'boolean' ? value : wrongType('bool', value)
    case 'duration':
      return checkDuration(value)
    case 'bytes':
      return checkBytes(value)
    default:
      return checkWord(schema, node.original ?? value, value)
  }
}

function checkString(schema: Schema<unknown>, value: unknown): string | ScalarFault {
  if (typeof value !== 'string') return wrongType('string', value)
  const least = Number(schema.minLength ?? 0)
  if ([...value].length < least) return invalid(sentences.tooShort(least))
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value)) {
    const shown = schema.secret === true ? '' : `, got ${JSON.stringify(value)}`
    return invalid(`must match ${schema.pattern}${shown}`)
  }
  return schema.format === 'regex' ? checkRegexp(value) : value
}

function checkRegexp(value: string): string | ScalarFault {
  try {
    new RegExp(value)
    return value
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/\w*: /s, '') : String(error)
    return invalid(`is not a regular expression: ${why}`)
  }
}

function checkInteger(schema: Schema<unknown>, value: unknown): number | ScalarFault {
  if (typeof value === 'bigint') return checkRange(schema, Number(value))
  if (typeof value !== 'number') return wrongType('int', value)
  return Number.isInteger(value) ? checkRange(schema, value) : invalid(sentences.notWhole(value))
}

function checkNumber(schema: Schema<unknown>, value: unknown): number | ScalarFault {
  if (typeof value === 'bigint') return checkRange(schema, Number(value))
  if (typeof value !== 'number') return wrongType('float64', value)
  return Number.isFinite(value) ? checkRange(schema, value) : invalid(sentences.notFinite(value))
}

function checkRange(schema: Schema<unknown>, value: number): number | ScalarFault {
  if (typeof schema.minimum === 'number' && value < schema.minimum) {
    return invalid(sentences.tooSmall(schema.minimum, value))
  }
  if (typeof schema.maximum === 'number' && value > schema.maximum) {
    return invalid(sentences.tooLarge(schema.maximum, value))
  }
  return value
}

const NANOSECONDS = 1e6

function checkDuration(value: unknown): number | ScalarFault {
  const ms = durationOf(value)
  return typeof ms === 'number' && ms < 0 ? invalid(sentences.negative(value)) : ms
}

function durationOf(value: unknown): number | ScalarFault {
  if (typeof value === 'bigint' || Number.isInteger(value)) return Number(value) / NANOSECONDS
  if (typeof value !== 'string') return wrongType('time.Duration', value)
  try {
    return parseDuration(value)
  } catch (error) {
    if (!(error instanceof InvalidDuration)) throw error
    return invalid(error.message)
  }
}

function checkBytes(value: unknown): number | ScalarFault {
  if (typeof value === 'bigint' || typeof value === 'number') {
    const bytes = Number(value)
    if (!Number.isInteger(bytes)) return invalid(sentences.notWhole(bytes))
    return bytes < 0 ? invalid(sentences.negative(bytes)) : bytes
  }
  if (typeof value !== 'string') return wrongType('int', value)
  try {
    return parseBytes(value)
  } catch (error) {
    if (!(error instanceof InvalidBytes)) throw error
    return invalid(error.message)
  }
}

/** Words are strings, which take the source text; numbers among them take the value. */
function checkWord(schema: Schema<unknown>, text: unknown, value: unknown): string | number | ScalarFault {
  const words = schema.enum as readonly (string | number)[]
  const word = words.find(word => word === text || word === value)
  if (word !== undefined) return word
  if (schema.anyCase === true && typeof text === 'string' && words.includes(text.toLowerCase())) {
    return text.toLowerCase()
  }
  const texts = words.filter(word => typeof word === 'string')
  const suggestion = typeof text === 'string' ? nearest(text, texts) : undefined
  return { ...invalid(sentences.outOfWords(words, text)), ...(suggestion !== undefined && { suggestion }) }
}
