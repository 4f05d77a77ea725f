import { type CounterDeclaration, counter, gauge } from '#core/component'
import { ITEM_NOUN, SIGNALS, type Signal } from '#core/data'

const UNIT = { traces: '{span}', metrics: '{datapoint}', logs: '{record}', profiles: '{sample}' } as const
const WORDS = { traces: 'spans', metrics: 'metric points', logs: 'log records', profiles: 'profile samples' } as const

type Outcome = 'accepted' | 'refused'

function declare(outcome: Outcome, sentence: string): { readonly [S in Signal]: CounterDeclaration } {
  const entries = SIGNALS.map(signal => [
    signal,
    counter({
      name: `otelcol_processor_memory_limiter_${outcome}_${ITEM_NOUN[signal]}`,
      unit: UNIT[signal],
      description: `Number of ${WORDS[signal]} ${sentence}`,
    }),
  ])
  return Object.fromEntries(entries)
}

/** With the Collector's names. Label: `processor`. */
export const accepted = declare('accepted', 'successfully pushed into the next component in the pipeline.')
/** With the Collector's names. Label: `processor`. */
export const refused = declare('refused', 'that were refused because memory was short.')

/** Label: `processor`. */
export const usageInstruments = {
  used: gauge({
    name: 'otelcol_processor_memory_limiter_used',
    unit: 'By',
    description: 'Memory of objects and buffers at the last look: what is compared with the limits.',
  }),
}

/** Every instrument of the component. */
export const memoryLimiterInstruments = Object.fromEntries(
  [...Object.values(accepted), ...Object.values(refused), ...Object.values(usageInstruments)].map(each => [
    each.name,
    each,
  ]),
)
