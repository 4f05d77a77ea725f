/** What is remembered of a series: the last point, and when it came in milliseconds of a monotonic clock. */
export interface Series<V> {
  time: bigint
  value: V
  seen: number
  /** Grows with each point, so that an undo knows whether it is the last word. */
  version: number
}

/** Series forgotten lately that are recognised when they come back. */
const RECOGNISED = 100_000

/**
 * All series by identity. One of which nothing came for `maxStaleness` milliseconds (0: for ever) is forgotten; of the
 * forgotten only the identity is kept for a while: one that comes back must not pass for new, or all it ever counted would
 * be counted again.
 */
export class SeriesStore {
  readonly #maxStaleness: number
  // biome-ignore lint/suspicious/noExplicitAny: the type of metric, part of the identity, decides on the type of value
  readonly #series = new Map<string, Series<any>>()
  readonly #forgotten = new Set<string>()

  constructor(maxStaleness: number) {
    this.#maxStaleness = maxStaleness
  }

  /** Series that are remembered. */
  get size(): number {
    return this.#series.size
  }

  /** The series, unless it is not known or stale by now. */
  get<V>(id: string, now: number): Series<V> | undefined {
    const series = this.#series.get(id)
    if (series === undefined || !this.#isStale(series, now)) return series
    this.#forget(id)
    return undefined
  }

  set<V>(id: string, series: Series<V>): void {
    this.#series.set(id, series)
    this.#forgotten.delete(id)
  }

  /** Takes back the first `set` of a series. */
  delete(id: string, forgotten: boolean): void {
    this.#series.delete(id)
    if (forgotten) this.#forgotten.add(id)
  }

  /** Whether the series was known once. */
  wasForgotten(id: string): boolean {
    return this.#forgotten.has(id)
  }

  /** Forgets all that is stale. */
  sweep(now: number): void {
    for (const [id, series] of this.#series) if (this.#isStale(series, now)) this.#forget(id)
  }

  #isStale({ seen }: Series<unknown>, now: number): boolean {
    return this.#maxStaleness > 0 && now - seen > this.#maxStaleness
  }

  #forget(id: string): void {
    this.#series.delete(id)
    this.#forgotten.add(id)
    if (this.#forgotten.size <= RECOGNISED) return
    const [oldest] = this.#forgotten
    this.#forgotten.delete(oldest!)
  }
}
