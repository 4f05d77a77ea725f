/** Numbers a row of {@link Observation.rows} has. */
export const ROW = 11
/** What stands where in a row. From `SPAN_KINDS` on: how often it was seen on spans of each kind, 0 to 5. */
export const Column = { KIND: 0, VALUES: 1, SIGNALS: 2, PLACES: 3, COUNT: 4, SPAN_KINDS: 5 } as const

/** What a metric or event was seen to be. */
export interface Facts {
  readonly row: number
  /** Metrics: the bit of the instrument, unit and description as sent last. */
  readonly instrument?: number
  readonly unit?: string
  readonly description?: string
  /** Attribute names first seen on its points or records. */
  readonly keys?: readonly string[]
}

/**
 * What a worker has learned from some payloads: names and bits, and hashes of values it has not told before. Compact,
 * so that it can be handed to another thread: a row for each name, numbers in typed arrays.
 */
export interface Observation {
  /** Payloads and their spans, data points and log records. */
  readonly payloads: number
  readonly items: number
  /** The name of each row. */
  readonly names: readonly string[]
  /** {@link ROW} numbers a name, see {@link Column}. */
  readonly rows: Int32Array
  /** Triples: row, and the two halves of a value's hash. For metrics the hash is that of an attribute set. */
  readonly hashes: Int32Array
  /** Services in these payloads, by number. */
  readonly services: readonly string[]
  /** Triples: row, service, how often that service sent it. */
  readonly usage: Int32Array
  readonly facts: readonly Facts[]
  /** Names left out because they are empty, too long, or too many. */
  readonly skipped: number
}
