/** A key and what is stored under it. The value is the caller's own. */
export type Entry = readonly [key: string, value: Buffer]

/** A change of a batch. */
export type Change =
  | { readonly type: 'set'; readonly key: string; readonly value: Uint8Array }
  | { readonly type: 'delete'; readonly key: string }

/** Which keys a scan visits. What is left out does not restrict. */
export interface ScanRange {
  /** Keys that begin with this. */
  readonly prefix?: string
  /** Keys from this one on, itself included. */
  readonly from?: string
  /** Keys before this one. */
  readonly to?: string
  /** From the last key to the first. */
  readonly reverse?: boolean
  /** At most so many entries. */
  readonly limit?: number
}

/**
 * Key-value storage of one component, its alone. Keys are 1 to 1,024 bytes of UTF-8 and ordered by them; values are
 * bytes. What a call has resolved for is seen by every later call; it outlives the process once `flushed` has resolved.
 *
 * Every method rejects with {@link StoreClosed} after `close`, and with a `RangeError` for a key that is no key.
 */
export interface Store {
  /** `undefined` when nothing is stored under `key`. */
  get(key: string): Promise<Buffer | undefined>
  /** Inserts or replaces. `value` may be changed by the caller once this has resolved. */
  set(key: string, value: Uint8Array): Promise<void>
  /** Removes; a key that does not exist is no error. */
  delete(key: string): Promise<void>
  /** All changes in order, or after a crash none of them. */
  batch(changes: readonly Change[]): Promise<void>
  /**
   * Entries in the order of their keys. Keys that exist all the while are seen exactly once; what is written or deleted
   * meanwhile may be seen or not.
   */
  scan(range?: ScanRange): AsyncIterable<Entry>
  /** The keys of `scan`, without reading what is stored under them. */
  keys(range?: ScanRange): AsyncIterable<string>
  /** Resolves once everything that resolved before is as safe as the storage promises to make it. */
  flushed(): Promise<void>
  /** Waits for what was begun, then closes. A second call does nothing. */
  close(): Promise<void>
}

/** A call came after `close`. */
export class StoreClosed extends Error {
  override name = 'StoreClosed'
  constructor() {
    super('Cannot use the store: it has been closed')
  }
}

/** Bytes of UTF-8 a key may have. */
export const MAX_KEY_BYTES = 1024

/**
 * The bytes of a key.
 * @throws {RangeError} when it is empty or longer than {@link MAX_KEY_BYTES}
 */
export function keyBytes(key: string): Buffer {
  const bytes = Buffer.from(key)
  if (bytes.length === 0 || bytes.length > MAX_KEY_BYTES) {
    throw new RangeError(`Cannot use a key of ${bytes.length} bytes: keys have 1 to ${MAX_KEY_BYTES}`)
  }
  return bytes
}

/** The keys of a range as bytes: from `start` included to `end` excluded, `undefined` for no bound. */
export function rangeBytes({ prefix = '', from, to }: ScanRange): { start?: Buffer; end?: Buffer } {
  const first = Buffer.from(prefix)
  const last = successorOf(first)
  const start = later(first, from === undefined ? undefined : Buffer.from(from))
  const end = earlier(last, to === undefined ? undefined : Buffer.from(to))
  return { ...(start.length > 0 ? { start } : {}), ...(end === undefined ? {} : { end }) }
}

/** The first key after all that begin with `prefix`. UTF-8 has no byte 255, so the last byte can always grow. */
function successorOf(prefix: Buffer): Buffer | undefined {
  if (prefix.length === 0) return undefined
  const next = Buffer.from(prefix)
  next[next.length - 1]!++
  return next
}

function later(a: Buffer, b: Buffer | undefined): Buffer {
  return b !== undefined && Buffer.compare(b, a) > 0 ? b : a
}

function earlier(a: Buffer | undefined, b: Buffer | undefined): Buffer | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Buffer.compare(a, b) < 0 ? a : b
}
