import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkCumulativeToDelta, cumulativeToDeltaConfig } from './config.ts'

const faults = (written: object) => [...checkCumulativeToDelta(configure(cumulativeToDeltaConfig, written))]

test('the defaults are those of the Collector', () => {
  expect(configure(cumulativeToDeltaConfig)).toMatchObject({
    max_staleness: 3_600_000,
    initial_value: 'auto',
    include: { metrics: [] },
  })
  expect(faults({})).toEqual([])
})

test.each<[object, string]>([
  [{ include: { metrics: ['a'] } }, 'include: match_type must be set if metrics are supplied'],
  [{ exclude: { match_type: 'strict' } }, 'exclude: metrics must be supplied if match_type is set'],
  [
    { include: { metric_types: ['gauge'] } },
    'include::metric_types: found invalid metric type in include.metric_types: gauge. Valid values are [exponentialhistogram histogram sum]',
  ],
  [
    { include: { match_type: 'regexp', metrics: ['('] } },
    'include::metrics: error parsing regexp: missing closing ): `(`',
  ],
])('%j is refused', (written, fault) => {
  expect(faults(written)).toEqual([fault])
})

test.each<[object, string]>([
  [{ initial_value: 'guess' }, 'initial_value'],
  [{ include: { match_type: 'expr', metrics: ['a'] } }, 'match_type'],
])('%j is refused by the schema', (written, word) => {
  expect(() => configure(cumulativeToDeltaConfig, written)).toThrow(word)
})

test('filters may have the Collector’s cache settings', () => {
  expect(
    faults({
      include: { match_type: 'regexp', metrics: ['a'], regexp: { cacheenabled: true, cachemaxnumentries: 9 } },
    }),
  ).toEqual([])
})
