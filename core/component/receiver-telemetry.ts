import { ITEM_NOUN, SIGNALS, type Signal } from '#core/data'
import { type Counter, type CounterDeclaration, counter, type Meter } from './instruments.ts'

const UNIT = { traces: '{span}', metrics: '{datapoint}', logs: '{record}', profiles: '{sample}' } as const
const WORDS = { traces: 'spans', metrics: 'metric points', logs: 'log records', profiles: 'profile samples' } as const

type Outcome = 'accepted' | 'refused'

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

/** The instruments that every receiver has, with the Collector's names. */
export const receiverInstruments: { readonly [name: string]: CounterDeclaration } = Object.fromEntries(
  [accepted, refused].flatMap(Object.values).map((each: CounterDeclaration) => [each.name, each]),
)

/** Counts what a receiver handed to its pipelines and what they did not take. One for each transport. */
export class ReceiverTelemetry {
  readonly #accepted: { readonly [S in Signal]: Counter }
  readonly #refused: { readonly [S in Signal]: Counter }

  /** `transport` is a word such as `grpc` or `http`. */
  constructor(meter: Meter, transport: string) {
    this.#accepted = meter.bind(accepted, { transport })
    this.#refused = meter.bind(refused, { transport })
  }

  accepted(signal: Signal, items: number): void {
    this.#accepted[signal].add(items)
  }

  refused(signal: Signal, items: number): void {
    this.#refused[signal].add(items)
  }
}
