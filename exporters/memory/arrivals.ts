import { systemClock } from '#core/component'
import { type FlatRecord, flatRecords, type Payload, type Signal } from '#core/data'

/** Milliseconds that `received` waits unless told otherwise. */
const PATIENCE = 10_000

/** What arrived, in order. */
export class Arrivals {
  #all: { readonly payload: Payload; readonly id: string }[] = []
  #refusal: Error | undefined
  readonly #watchers = new Set<() => void>()

  /** @throws what `refuse` was told */
  add(payload: Payload, id: string): void {
    if (this.#refusal !== undefined) throw this.#refusal
    this.#all.push({ payload, id })
    for (const look of this.#watchers) look()
  }

  /** Payloads as they came; of the exporter `id` only, when there are several. */
  payloads(id?: string): readonly Payload[] {
    return this.#all.filter(each => id === undefined || each.id === id).map(each => each.payload)
  }

  /** How many spans, data points and log records came. */
  get items(): number {
    return this.#all.reduce((sum, { payload }) => sum + payload.items, 0)
  }

  /** Every span, with the attributes of its resource and its scope. */
  spans(id?: string): readonly FlatRecord[] {
    return this.#records('traces', id)
  }

  /** Every data point, with its metric. */
  dataPoints(id?: string): readonly FlatRecord[] {
    return this.#records('metrics', id)
  }

  logRecords(id?: string): readonly FlatRecord[] {
    return this.#records('logs', id)
  }

  /** Forgets what arrived. */
  clear(): void {
    this.#all = []
  }

  /** From now on refuses with `error`; with `undefined` takes everything again. */
  refuse(error: Error | undefined): void {
    this.#refusal = error
  }

  /**
   * Resolves once at least `items` spans, data points and log records are there.
   * @param patience milliseconds
   * @throws {Error} when they are not there by then
   */
  received(items: number, patience = PATIENCE): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const over = () => reject(new Error(`Waited ${patience} ms for ${items} items, ${this.items} came`))
    const timer = systemClock.after(patience, over)
    const look = () => {
      if (this.items >= items) resolve()
    }
    this.#watchers.add(look)
    look()
    return promise.finally(() => {
      timer.cancel()
      this.#watchers.delete(look)
    })
  }

  #records(signal: Signal, id: string | undefined): readonly FlatRecord[] {
    return this.payloads(id).flatMap(payload => (payload.signal === signal ? flatRecords(payload) : []))
  }
}
