/**
 * What is learned of a name, as bits that can be joined with `|`. The order of each list gives the bits; lists are
 * stored, so they may only grow at their ends.
 */

/** What kinds of entries there are. */
export const ENTRY_KINDS = ['attribute', 'metric', 'event'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Signals in the words of the API. */
export const SIGNAL_TYPES = ['metric', 'trace', 'log'] as const
export type SignalType = (typeof SIGNAL_TYPES)[number]

/** What attributes were seen to hold. `any[]` is an array of mixed kinds, or an empty one. */
export const VALUE_KINDS = [
  'string',
  'boolean',
  'int',
  'double',
  'bytes',
  'map',
  'empty',
  'any[]',
  'string[]',
  'boolean[]',
  'int[]',
  'double[]',
] as const
export type ValueKindName = (typeof VALUE_KINDS)[number]

/** Where attributes were seen. */
export const PLACES = ['resource', 'scope', 'span', 'span_event', 'span_link', 'data_point', 'exemplar', 'log'] as const
export type Place = (typeof PLACES)[number]

/** What metrics were seen to be, by their kind of data and whether sums are monotonic. */
export const INSTRUMENTS = [
  'counter',
  'updowncounter',
  'gauge',
  'histogram',
  'exponential_histogram',
  'summary',
] as const
export type InstrumentName = (typeof INSTRUMENTS)[number]

/** Span kinds by their number in OTLP; 0, unspecified, counts as internal. */
export const SPAN_KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const

/** The bit of a word. */
export function bit<W extends string>(words: readonly W[], word: W): number {
  return 1 << words.indexOf(word)
}

/** The words whose bits are set, in the order of the list. */
export function wordsOf<W extends string>(words: readonly W[], bits: number): W[] {
  return words.filter((_, index) => (bits & (1 << index)) !== 0)
}
