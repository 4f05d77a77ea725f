import { INSTRUMENTS, VALUE_KINDS, wordsOf } from '../analysis/vocabulary.ts'
import type { Entry } from '../dictionary/entry.ts'
import type { Convention } from './convention.ts'
import type { Conventions } from './conventions.ts'

/** How an entry stands to the conventions. */
export const CLASSIFICATIONS = [
  'matches_standard',
  'deprecated',
  'type_mismatch',
  'near_miss',
  'extends_standard',
  'custom',
] as const
export type Classification = (typeof CLASSIFICATIONS)[number]

/** How an entry stands to the conventions, and what there is to say about it. */
export interface Verdict {
  readonly classification: Classification
  /** Deprecated: the name to use instead, and what the convention says. */
  readonly replacement?: string
  readonly note?: string
  /** Type mismatch: what the convention asks for. */
  readonly expected_type?: string
  readonly expected_unit?: string
  readonly expected_instrument?: string
  /** Near miss: the name that was probably meant. */
  readonly suggestion?: string
  /** Extends the standard: the namespace of the standard that it stands in. */
  readonly namespace?: string
  /** The name now belongs to another registry. */
  readonly moved?: true
  /** What the convention says the name is for. */
  readonly brief?: string
}

/** Compares an entry with the conventions: name first, then deprecation, then type, unit and instrument. */
export function classify(entry: Entry, conventions: Conventions): Verdict {
  const convention = conventions.find(entry.kind, entry.name)
  if (convention === undefined) return unknownName(entry, conventions)
  const { deprecated, moved, brief } = convention
  const said = { ...(brief === '' ? {} : { brief }), ...(moved === true ? { moved } : {}) }
  if (deprecated !== undefined) return { classification: 'deprecated', ...said, ...deprecated }
  const expected = entry.kind === 'metric' ? metricMismatch(entry, convention) : typeMismatch(entry, convention)
  if (expected !== undefined) return { classification: 'type_mismatch', ...said, ...expected }
  return { classification: 'matches_standard', ...said }
}

function unknownName({ kind, name }: Entry, conventions: Conventions): Verdict {
  const suggestion = conventions.near(kind, name)
  if (suggestion !== undefined) return { classification: 'near_miss', suggestion }
  const namespace = conventions.namespace(kind, name)
  return namespace === undefined ? { classification: 'custom' } : { classification: 'extends_standard', namespace }
}

/** What the convention asks for where the entry has held something else. A whole number may stand for a double. */
function typeMismatch(entry: Entry, { type }: Convention): Verdict | { expected_type: string } | undefined {
  if (type === undefined || type === 'any') return undefined
  const seen = wordsOf(VALUE_KINDS, entry.values).filter(kind => kind !== 'empty' && kind !== 'any[]')
  const fits = (kind: string) =>
    kind === type || (type === 'double' && kind === 'int') || (type === 'double[]' && kind === 'int[]')
  return seen.every(fits) ? undefined : { expected_type: type }
}

function metricMismatch(entry: Entry, { unit, instrument }: Convention): Partial<Verdict> | undefined {
  const seen = wordsOf(INSTRUMENTS, entry.values).map(each => (each === 'exponential_histogram' ? 'histogram' : each))
  const wrongUnit = unit !== undefined && unit !== entry.unit
  const wrongInstrument = instrument !== undefined && seen.some(each => each !== instrument)
  if (!wrongUnit && !wrongInstrument) return undefined
  return {
    ...(wrongUnit ? { expected_unit: unit } : {}),
    ...(wrongInstrument ? { expected_instrument: instrument } : {}),
  }
}
