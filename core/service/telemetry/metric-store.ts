import type {
  Counter,
  CounterDeclaration,
  Declarations,
  Gauge,
  GaugeDeclaration,
  Histogram,
  HistogramDeclaration,
  InstrumentDeclaration,
  Labels,
  Level,
  Meter,
  Recorder,
  Recorders,
} from '#core/component'
import { NO_VIEWS, type Viewed, type Views } from './views.ts'

/** The instruments of one name and what was recorded, by labels. */
export interface Family {
  readonly declaration: InstrumentDeclaration
  readonly series: ReadonlyMap<string, Series>
}

/** One combination of labels. */
export interface Series {
  readonly labels: Labels
  /** Counters and gauges: the value now. Histograms: the sum. `undefined` when a gauge has nothing to tell. */
  value(): number | undefined
  /** Histograms: one count a bucket, the last above all boundaries. */
  readonly buckets?: readonly number[]
}

const LEVELS: Record<Level | 'none', number> = { none: -1, basic: 0, normal: 1, detailed: 2 }

/** All own metrics of one collector. Recording is an addition to a field; everything else happens when someone reads. */
export class MetricStore {
  readonly #families = new Map<string, MutableFamily>()
  readonly #name: Level | 'none'
  readonly #level: number
  readonly #views: Views
  /** Milliseconds since the Unix epoch at which counting began. */
  readonly startTime: number

  constructor(level: Level | 'none', startTime: number, views: Views = NO_VIEWS) {
    this.#views = views
    this.#name = level
    this.#level = LEVELS[level]
    this.startTime = startTime
  }

  meter(labels: Labels = {}): Meter {
    return { level: this.#name, bind: (declarations, more) => this.#bind(declarations, { ...labels, ...more }) }
  }

  /** Whether instruments of this level exist. */
  has(level: Level): boolean {
    return LEVELS[level] <= this.#level
  }

  /** A counter or gauge without labels whose value is read when someone asks. Returns how to stop it. */
  observe(declaration: CounterDeclaration | GaugeDeclaration, read: () => number | undefined): () => void {
    if (!this.has(declaration.level ?? 'basic')) return () => {}
    const family = this.#family(declaration)
    return family === undefined ? () => {} : new GaugeRecorder(family, {}).observe(read)
  }

  /** Every family with at least one series, in order of first use. */
  families(): Iterable<Family> {
    return this.#families.values()
  }

  #bind<D extends Declarations>(declarations: D, labels: Labels): Recorders<D> {
    const recorders: Record<string, Recorder<InstrumentDeclaration>> = {}
    for (const [key, declaration] of Object.entries(declarations)) {
      recorders[key] = this.has(declaration.level ?? 'basic') ? this.#recorder(declaration, labels) : NOTHING
    }
    return recorders as Recorders<D>
  }

  #recorder(declaration: InstrumentDeclaration, labels: Labels): Recorder<InstrumentDeclaration> {
    const family = this.#family(declaration)
    if (family === undefined) return NOTHING
    const viewed = family.declaration
    if (declaration.kind === 'gauge') return new GaugeRecorder(family, labels)
    if (viewed.kind === 'histogram') return new HistogramRecorder(family, labels, viewed)
    return new CounterRecorder(family, labels)
  }

  /** `undefined` when a view leaves it out, or gives it a name that an instrument of another kind has. */
  #family(declaration: InstrumentDeclaration): MutableFamily | undefined {
    const viewed = this.#views(declaration)
    if (viewed === undefined) return undefined
    const { name } = viewed.declaration
    let family = this.#families.get(name)
    if (family === undefined) {
      family = new MutableFamily(viewed)
      this.#families.set(name, family)
    }
    return family.declaration.kind === declaration.kind ? family : undefined
  }
}

class MutableFamily implements Family {
  readonly declaration: InstrumentDeclaration
  readonly series = new Map<string, Series>()

  readonly #labels: Viewed['labels']

  constructor({ declaration, labels }: Viewed) {
    this.declaration = declaration
    this.#labels = labels
  }

  /** The series with these labels, as far as they are shown; two recorders bound alike share one. */
  find<T extends Series>(all: Labels, make: (labels: Labels) => T): T {
    const labels = this.#labels(all)
    const key = JSON.stringify(Object.entries(labels).sort())
    const found = this.series.get(key) as T | undefined
    if (found !== undefined) return found
    const made = make(labels)
    this.series.set(key, made)
    return made
  }
}

/** A recorder whose calls may add labels: the series without extra labels is at hand, others are looked up. */
abstract class Bound<T extends Series> {
  readonly #family: MutableFamily
  readonly #labels: Labels
  #plain: T | undefined
  readonly #byIdentity = new WeakMap<Labels, T>()

  constructor(family: MutableFamily, labels: Labels) {
    this.#family = family
    this.#labels = labels
  }

  protected abstract make(labels: Labels): T

  protected series(labels: Labels | undefined): T {
    if (labels === undefined) {
      this.#plain ??= this.#family.find(this.#labels, labels => this.make(labels))
      return this.#plain
    }
    let series = this.#byIdentity.get(labels)
    if (series === undefined) {
      const all = { ...this.#labels, ...labels }
      series = this.#family.find(all, labels => this.make(labels))
      this.#byIdentity.set(labels, series)
    }
    return series
  }
}

class NumberSeries implements Series {
  readonly labels: Labels
  total = 0
  constructor(labels: Labels) {
    this.labels = labels
  }
  value(): number {
    return this.total
  }
}

class CounterRecorder extends Bound<NumberSeries> implements Counter {
  protected make(labels: Labels): NumberSeries {
    return new NumberSeries(labels)
  }
  add(value: number, labels?: Labels): void {
    this.series(labels).total += value
  }
}

class HistogramSeries implements Series {
  readonly labels: Labels
  readonly buckets: number[]
  sum = 0
  constructor(labels: Labels, boundaries: number) {
    this.labels = labels
    this.buckets = new Array<number>(boundaries + 1).fill(0)
  }
  value(): number {
    return this.sum
  }
}

class HistogramRecorder extends Bound<HistogramSeries> implements Histogram {
  readonly #boundaries: readonly number[]
  constructor(family: MutableFamily, labels: Labels, declaration: HistogramDeclaration) {
    super(family, labels)
    this.#boundaries = declaration.boundaries
  }
  protected make(labels: Labels): HistogramSeries {
    return new HistogramSeries(labels, this.#boundaries.length)
  }
  record(value: number, labels?: Labels): void {
    const series = this.series(labels)
    const boundaries = this.#boundaries
    let low = 0
    let high = boundaries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (boundaries[middle]! < value) low = middle + 1
      else high = middle
    }
    series.buckets[low]!++
    series.sum += value
  }
}

class GaugeSeries implements Series {
  readonly labels: Labels
  readonly reads = new Set<() => number | undefined>()
  constructor(labels: Labels) {
    this.labels = labels
  }
  /** Several observers of one series, for instance one queue before and one after a reload, are added up. */
  value(): number | undefined {
    let sum: number | undefined
    for (const read of this.reads) {
      const value = read()
      if (value !== undefined) sum = (sum ?? 0) + value
    }
    return sum
  }
}

class GaugeRecorder extends Bound<GaugeSeries> implements Gauge {
  protected make(labels: Labels): GaugeSeries {
    return new GaugeSeries(labels)
  }
  observe(read: () => number | undefined, labels?: Labels): () => void {
    const { reads } = this.series(labels)
    reads.add(read)
    return () => void reads.delete(read)
  }
}

/** Stands for an instrument above the configured level. */
const NOTHING: Counter & Gauge & Histogram = { add() {}, record() {}, observe: () => () => {} }
