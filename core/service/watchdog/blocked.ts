/** What the main thread was doing while its event loop stood still. */
export interface Blocked {
  /** How long, in milliseconds. */
  readonly ms: number
  /** The stack in the midst of it, innermost first, as Node writes stacks; empty when it could not be looked at. */
  readonly stack: readonly string[]
}

/** What the watching thread is given. */
export interface WatchdogData {
  /** One number that the main thread counts up. */
  readonly beat: Int32Array
  /** Milliseconds between two looks. */
  readonly interval: number
  /** Milliseconds without a beat that count as blocked. */
  readonly limit: number
  /** Milliseconds after which the watching thread speaks itself, since the main thread may never again. */
  readonly alarm: number
}
