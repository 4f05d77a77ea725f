import type { Clock } from '#core/component'

/** How many counters are kept: messages that share one are sampled as if they were equal. */
const COUNTERS = 4096
const WINDOW = 1_000

/** In each second, the first few equal messages and then every n-th. Memory does not grow with the messages. */
export class Sampler {
  readonly #initial: number
  readonly #thereafter: number
  readonly #clock: Clock
  readonly #counts = new Uint32Array(COUNTERS)
  readonly #resets = new Float64Array(COUNTERS)

  constructor(initial: number, thereafter: number, clock: Clock) {
    this.#initial = initial
    this.#thereafter = thereafter
    this.#clock = clock
  }

  /** Whether this message is to be printed; counts it. */
  allows(message: string): boolean {
    if (this.#thereafter === 1) return true
    const i = hash(message) % COUNTERS
    const now = this.#clock.monotonic()
    if (now >= this.#resets[i]!) {
      this.#resets[i] = now + WINDOW
      this.#counts[i] = 0
    }
    const n = ++this.#counts[i]!
    if (n <= this.#initial) return true
    return this.#thereafter > 0 && (n - this.#initial) % this.#thereafter === 0
  }
}

/** FNV-1a of the UTF-16 code units. */
function hash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
