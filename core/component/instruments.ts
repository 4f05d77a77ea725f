/**
 * How a component declares its own metrics: once, beside it, in `telemetry.ts`. Binding gives typed recorders; the
 * declaration also prints the README's table.
 * @module
 */

/** How much of the collector's own metrics a configuration wants; an instrument exists from its level up. */
export type Level = 'basic' | 'normal' | 'detailed'

interface Declaration {
  /** The full name as scraped, for example `otelcol_processor_batch_batch_send_size`. */
  readonly name: string
  /** UCUM, or an annotation such as `{span}`. */
  readonly unit: string
  readonly description: string
  /** Default `basic`. */
  readonly level?: Level
  /** Label names, beside those that binding adds. */
  readonly labels?: readonly string[]
}

export interface CounterDeclaration extends Declaration {
  readonly kind: 'counter'
}
export interface UpDownCounterDeclaration extends Declaration {
  readonly kind: 'updowncounter'
}
/** Read when scraped: `observe` of its recorder registers the function that tells the value. */
export interface GaugeDeclaration extends Declaration {
  readonly kind: 'gauge'
}
export interface HistogramDeclaration extends Declaration {
  readonly kind: 'histogram'
  readonly boundaries: readonly number[]
}
export type InstrumentDeclaration =
  | CounterDeclaration
  | UpDownCounterDeclaration
  | GaugeDeclaration
  | HistogramDeclaration

export type Labels = { readonly [name: string]: string }

/** Adds to a counter. Cheap enough to be called once a request, not once an item. */
export interface Counter {
  add(value: number, labels?: Labels): void
}
export interface Gauge {
  /** Registers what tells the current value. `undefined`: nothing to tell now. Returns how to stop it. */
  observe(read: () => number | undefined, labels?: Labels): () => void
}
export interface Histogram {
  record(value: number, labels?: Labels): void
}

/** The recorder that belongs to each declaration. */
export type Recorder<D extends InstrumentDeclaration> = D extends GaugeDeclaration
  ? Gauge
  : D extends HistogramDeclaration
    ? Histogram
    : Counter

export type Declarations = { readonly [key: string]: InstrumentDeclaration }
export type Recorders<D extends Declarations> = { readonly [K in keyof D]: Recorder<D[K]> }

export function counter(declaration: Declaration): CounterDeclaration {
  return { kind: 'counter', ...declaration }
}
export function upDownCounter(declaration: Declaration): UpDownCounterDeclaration {
  return { kind: 'updowncounter', ...declaration }
}
export function gauge(declaration: Declaration): GaugeDeclaration {
  return { kind: 'gauge', ...declaration }
}
export function histogram(declaration: Declaration & { readonly boundaries: readonly number[] }): HistogramDeclaration {
  return { kind: 'histogram', ...declaration }
}

/** The meter of one component instance: its recorders carry the component's id as label. */
export interface Meter {
  /** The level the configuration asks for, where known: for labels and sizes that are recorded at `detailed` only. */
  readonly level?: Level | 'none'
  bind<D extends Declarations>(declarations: D, labels?: Labels): Recorders<D>
}
