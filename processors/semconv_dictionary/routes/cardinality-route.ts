import type { Route } from '#core/component'
import { bit, ENTRY_KINDS, SIGNAL_TYPES, wordsOf } from '../analysis/vocabulary.ts'
import type { Entry } from '../dictionary/entry.ts'
import { COUNT, FLAG, list, object, query, SIGNAL, TEXT } from './schemas.ts'
import type { View } from './view.ts'

interface Asked {
  readonly threshold: number
  readonly type?: (typeof SIGNAL_TYPES)[number]
  readonly limit: number
}

/** Which entries have the most different values, and how much of the budget is used. */
export function cardinalityRoute({ dictionary }: View): Route {
  return {
    method: 'GET',
    path: '/api/v1/cardinality',
    summary: 'Entries with many different values, and the use of the budget',
    query: query({
      threshold: { type: 'number', default: 100, description: 'Only entries with at least so many different values.' },
      type: SIGNAL,
      limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000 },
    }),
    responses: {
      200: {
        description: 'The entries with the most different values first; percentages are of the budget and of the cap',
        schema: object({
          utilization_pct: { type: 'number' },
          global_budget: object({ used: COUNT, limit: COUNT, utilization_pct: { type: 'number' } }),
          threshold: { type: 'number' },
          total: COUNT,
          overflowed: COUNT,
          attributes: list(ATTRIBUTE),
        }),
      },
    },
    handle({ query }) {
      const { threshold, type, limit } = query as unknown as Asked
      const { budget, perAttributeCap: cap } = dictionary.options
      const used = dictionary.usedSlots
      const signal = type === undefined ? 0 : bit(SIGNAL_TYPES, type)
      const found: { readonly entry: Entry; readonly cardinality: number }[] = []
      let overflowed = 0
      for (const entry of dictionary.sorted()) {
        const { cardinality } = entry.sketch
        if (cardinality > cap) overflowed++
        if (cardinality >= threshold && (signal === 0 || (entry.signals & signal) !== 0))
          found.push({ entry, cardinality })
      }
      found.sort((a, b) => b.cardinality - a.cardinality)
      const shown = found.slice(0, limit).map(({ entry, cardinality }) => ({
        name: entry.name,
        kind: entry.kind,
        signal_types: wordsOf(SIGNAL_TYPES, entry.signals),
        cardinality,
        estimated: entry.sketch.estimated,
        cap,
        utilization_pct: percent(cardinality, cap),
        overflowed: cardinality > cap,
      }))
      const utilization = percent(used, budget)
      return {
        body: {
          utilization_pct: utilization,
          global_budget: { used, limit: budget, utilization_pct: utilization },
          threshold,
          total: found.length,
          overflowed,
          attributes: shown,
        },
      }
    },
  }
}

/** With two digits behind the point. */
function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100
}

const ATTRIBUTE = object({
  name: TEXT,
  kind: { enum: ENTRY_KINDS },
  signal_types: list({ enum: SIGNAL_TYPES }),
  cardinality: COUNT,
  estimated: FLAG,
  cap: COUNT,
  utilization_pct: { type: 'number' },
  overflowed: FLAG,
})
