import { ITEM_NOUN, SIGNALS, type Signal } from '#core/data'
import { type Counter, type CounterDeclaration, counter, type Meter } from './instruments.ts'

const UNIT = { traces: '{span}', metrics: '{datapoint}', logs: '{record}', profiles: '{sample}' } as const
const WORDS = { traces: 'spans', metrics: 'metric points', logs: 'log records', profiles: 'profile samples' } as const

type Outcome = 'accepted' | 'refused' | 'failed'

function declare<O extends Outcome>(outcome: O, sentence: string): { readonly [S in Signal]: CounterDeclaration } {
  const entries = SIGNALS.map(signal => [
    signal,
    counter({
      name: `otelcol_receiver_${outcome}_${ITEM_NOUN[signal]}`,
      unit: UNIT[signal],
      description: `Number of ${WORDS[signal]} ${sentence}`,
      labels: ['transport'],
    }),
  ])
  return Object.fromEntries(entries)
}

const accepted = declare('accepted', 'successfully pushed into the pipeline.')
const refused = declare('refused', 'that could not be pushed into the pipeline.')
const failed = declare('failed', 'that failed in the receiver itself; always 0, since every error counts as refused.')

/** The instruments that every receiver has, with the Collector's names. */
export const receiverInstruments: { readonly [name: string]: CounterDeclaration } = Object.fromEntries(
  [accepted, refused, failed].flatMap(Object.values).map((each: CounterDeclaration) => [each.name, each]),
)

/**
 * Counts what a receiver handed to its pipelines and what they did not take. One for each transport. All counters of a
 * signal exist from its first request on, so that those at 0 can be seen too.
 */
export class ReceiverTelemetry {
  readonly #accepted: { readonly [S in Signal]: Counter }
  readonly #refused: { readonly [S in Signal]: Counter }
  readonly #failed: { readonly [S in Signal]: Counter }

  /** `transport` is a word such as `grpc` or `http`. */
  constructor(meter: Meter, transport: string) {
    this.#accepted = meter.bind(accepted, { transport })
    this.#refused = meter.bind(refused, { transport })
    this.#failed = meter.bind(failed, { transport })
  }

  accepted(signal: Signal, items: number): void {
    this.#count(signal, items, 0)
  }

  refused(signal: Signal, items: number): void {
    this.#count(signal, 0, items)
  }

  #count(signal: Signal, accepted: number, refused: number): void {
    this.#accepted[signal].add(accepted)
    this.#refused[signal].add(refused)
    this.#failed[signal].add(0)
  }
}
