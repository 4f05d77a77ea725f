/** Time as components see it, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds that only ever grow; for durations. */
  monotonic(): number
  /** Calls `run` once after `ms` milliseconds, unless cancelled. A pending timer does not keep the process alive. */
  after(ms: number, run: () => void): Timer
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when that is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Timer {
  cancel(): void
}

/** The longest delay of a timer, 24 days: setTimeout fires at once for a longer one. */
const LONGEST = 2 ** 31 - 1

/** The machine's time. Timers set for more than 24 days run after 24 days. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, LONGEST)).unref()
    return { cancel: () => clearTimeout(timer) }
  },
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        Math.min(ms, LONGEST),
      )
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  },
}
