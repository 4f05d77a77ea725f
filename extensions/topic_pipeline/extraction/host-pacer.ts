import type { Clock } from '#core/component'

/** Milliseconds between the requests to a host that says nothing. */
const GAP = 1_000
/** Hosts that are remembered. */
const MAX_HOSTS = 1_000

/** One request at a time to each host, with a pause between. */
export class HostPacer {
  readonly #clock: Clock
  readonly #gap: number
  readonly #hosts = new Map<string, { tail: Promise<void>; next: number }>()

  /** @param gap milliseconds between two requests to a host that says nothing; default a second */
  constructor(clock: Clock, gap = GAP) {
    this.#clock = clock
    this.#gap = gap
  }

  /** Runs `ask` when the host may be asked again: after `delay` milliseconds, if it named some, since the last time. */
  async run<T>(host: string, delay: number | undefined, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    const entry = this.#entry(host)
    const before = entry.tail
    const done = Promise.withResolvers<void>()
    entry.tail = before.then(() => done.promise)
    try {
      await before
      signal.throwIfAborted()
      const wait = entry.next - this.#clock.monotonic()
      if (wait > 0) await this.#clock.sleep(wait, signal)
      return await ask()
    } finally {
      entry.next = this.#clock.monotonic() + Math.max(delay ?? 0, this.#gap)
      done.resolve()
    }
  }

  #entry(host: string) {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const now = this.#clock.monotonic()
    if (this.#hosts.size >= MAX_HOSTS) {
      for (const [name, { next }] of this.#hosts) if (next < now) this.#hosts.delete(name)
    }
    const entry = { tail: Promise.resolve(), next: Number.NEGATIVE_INFINITY }
    this.#hosts.set(host, entry)
    return entry
  }
}
