import { type Accumulation, isDifference } from './accumulation.ts'
import type { Series, SeriesStore } from './series.ts'

/** What one point did to its series. */
interface Step<V> {
  readonly id: string
  readonly series: Series<V>
  /** The series as it was, `undefined` when the point was its first. */
  readonly before: Omit<Series<V>, 'seen'> | undefined
  /** Whether the series had been known and forgotten before. */
  readonly forgotten: boolean
  readonly accumulation: Accumulation<V>
  /** What the point was to say, `undefined` when it was left out. */
  readonly owed: V | undefined
}

interface Entry<V> extends Step<V> {
  /** What the step left behind. */
  readonly after: V
  readonly version: number
}

/** Takes back what the points of a refused payload did to their series, so that nothing they counted is lost. */
export class Undo {
  // biome-ignore lint/suspicious/noExplicitAny: steps of series of many types
  readonly #entries: Entry<any>[] = []

  /** Enters a step just made. */
  add<V>(step: Step<V>): void {
    this.#entries.push({ ...step, after: step.series.value, version: step.series.version })
  }

  /** The last step first. */
  run(store: SeriesStore): void {
    for (const entry of this.#entries.reverse()) undo(entry, store)
    this.#entries.length = 0
  }
}

/**
 * A series that has not moved since is as it was. Where later payloads have gone by, what was refused is taken off what
 * is remembered, and so becomes part of the next difference; in whatever order refusals come, the total is right.
 */
function undo<V>({ id, series, before, after, version, forgotten, accumulation, owed }: Entry<V>, store: SeriesStore) {
  const latest = series.version === version
  if (latest && before === undefined) return store.delete(id, forgotten)
  if (latest && before !== undefined && series.value === after) series.value = before.value
  else if (owed !== undefined) {
    const lowered = accumulation.since(series.value, owed)
    if (isDifference(lowered)) series.value = accumulation.remember(lowered, series.value)
  }
  if (latest && before !== undefined) {
    series.time = before.time
    series.version = before.version
  }
}
