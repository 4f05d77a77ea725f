import type { Declarations, InstrumentDeclaration, Labels, Meter, Recorders } from '#core/component'

/** A meter whose values tests can read. Instruments of one name share their series, as in a scrape. */
export class RecordingMeter implements Meter {
  readonly #sums = new Map<string, number>()
  readonly #gauges = new Map<string, Set<() => number | undefined>>()
  readonly #histograms = new Map<string, number[]>()
  /** Every declaration bound so far, by name. */
  readonly declared = new Map<string, InstrumentDeclaration>()

  bind<D extends Declarations>(declarations: D, labels: Labels = {}): Recorders<D> {
    const recorders = Object.entries(declarations).map(([key, declaration]) => {
      this.declared.set(declaration.name, declaration)
      return [key, this.#recorder(declaration, labels)]
    })
    return Object.fromEntries(recorders) as Recorders<D>
  }

  /** Counters: the sum so far, 0 when nothing was added. Gauges: the sum of what the observers tell now. */
  value(name: string, labels: Labels = {}): number {
    this.#check(name)
    const series = seriesOf(name, labels)
    const observers = this.#gauges.get(series)
    if (observers !== undefined) return [...observers].reduce((sum, read) => sum + (read() ?? 0), 0)
    return this.#sums.get(series) ?? 0
  }

  /** Histograms: every recorded value in order. */
  recorded(name: string, labels: Labels = {}): readonly number[] {
    this.#check(name)
    return this.#histograms.get(seriesOf(name, labels)) ?? []
  }

  /** Every series with a value, as `name{label="value"}`: for looking at all at once. */
  snapshot(): Record<string, number | readonly number[]> {
    const gauges = [...this.#gauges].map(([series, all]) => [series, [...all].reduce((sum, f) => sum + (f() ?? 0), 0)])
    return Object.fromEntries([...this.#sums, ...gauges, ...this.#histograms])
  }

  #check(name: string): void {
    if (!this.declared.has(name)) throw new Error(`No instrument ${name} was bound, only ${[...this.declared.keys()]}`)
  }

  #recorder(declaration: InstrumentDeclaration, bound: Labels): unknown {
    const series = (labels: Labels = {}) =>
      seriesOf(declaration.name, checked(declaration, { ...bound, ...labels }, bound))
    switch (declaration.kind) {
      case 'gauge':
        return {
          observe: (read: () => number | undefined, labels?: Labels) => {
            const observers = getOrAdd(this.#gauges, series(labels), () => new Set<() => number | undefined>())
            observers.add(read)
            return () => observers.delete(read)
          },
        }
      case 'histogram':
        return {
          record: (value: number, labels?: Labels) =>
            getOrAdd(this.#histograms, series(labels), (): number[] => []).push(value),
        }
      default:
        return {
          add: (value: number, labels?: Labels) => {
            if (declaration.kind === 'counter' && value < 0) throw new Error(`Counter ${declaration.name} cannot fall`)
            const key = series(labels)
            this.#sums.set(key, (this.#sums.get(key) ?? 0) + value)
          },
        }
    }
  }
}

/** Labels that were not declared are a mistake that a scrape would only show at run time. */
function checked(declaration: InstrumentDeclaration, labels: Labels, bound: Labels): Labels {
  for (const name of Object.keys(labels)) {
    if (name in bound || declaration.labels?.includes(name)) continue
    throw new Error(`Instrument ${declaration.name} does not declare the label ${name}`)
  }
  return labels
}

function seriesOf(name: string, labels: Labels): string {
  const parts = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}="${value}"`)
  return parts.length === 0 ? name : `${name}{${parts.join(',')}}`
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const value = create()
  map.set(key, value)
  return value
}
