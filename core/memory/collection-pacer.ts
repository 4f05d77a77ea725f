/** Which limit the memory is above. */
export type Level = 'soft' | 'hard'

/** Milliseconds. `max` 0: intervals do not grow. */
export interface CollectionInterval {
  readonly min: number
  readonly max: number
}

/** A collection that frees a smaller share than this was in vain: what fills the memory is alive. */
const WORTHWHILE = 0.05

/**
 * When to force a collection: not before the minimum has passed since the last one, and ever more rarely while they free
 * next to nothing, because a full queue is not garbage.
 */
export class CollectionPacer {
  readonly #intervals: Readonly<Record<Level, CollectionInterval>>
  /** Two looks at one memory are this far apart at least. */
  readonly #least: number
  readonly #grown: Record<Level, number> = { soft: 0, hard: 0 }
  #last = Number.NEGATIVE_INFINITY

  constructor(intervals: Readonly<Record<Level, CollectionInterval>>, checkInterval: number) {
    this.#intervals = intervals
    // Timers are late as often as early: a little less, or every other look would find that it is too soon.
    this.#least = 0.95 * checkInterval
  }

  /** `now` on a monotonic scale, in milliseconds. */
  due(level: Level, now: number): boolean {
    return now - this.#last >= this.#interval(level)
  }

  /** A collection has ended at `now`; `before` and `after` are the bytes in use. */
  done(level: Level, now: number, before: number, after: number): void {
    this.#last = now
    if (before - after >= WORTHWHILE * before) this.relax()
    else this.#grown[level] = Math.min(this.#intervals[level].max, 2 * this.#interval(level))
  }

  /** Memory has fallen: the next time begins with the shortest interval. */
  relax(): void {
    this.#grown.soft = 0
    this.#grown.hard = 0
  }

  #interval(level: Level): number {
    return Math.max(this.#intervals[level].min, this.#grown[level], this.#least)
  }
}
