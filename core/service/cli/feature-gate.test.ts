import { expect, test } from 'vitest'
import { enabledGates, FEATURE_GATES, type FeatureGate } from './feature-gate.ts'

const gates: readonly FeatureGate[] = (['Alpha', 'Beta', 'Stable', 'Deprecated'] as const).map(stage => ({
  id: stage.toLowerCase(),
  stage,
  description: 'A gate',
  fromVersion: 'v0.1.0',
}))

test.each([
  [[], ['beta', 'stable']],
  [[''], ['beta', 'stable']],
  [['alpha'], ['alpha', 'beta', 'stable']],
  [['+alpha,-beta'], ['alpha', 'stable']],
  [
    ['alpha', '-alpha'],
    ['beta', 'stable'],
  ],
  [['stable,-deprecated'], ['beta', 'stable']],
] as [string[], string[]][])('%j switches on %j', (values, expected) => {
  expect([...enabledGates(values, gates)].toSorted()).toEqual(expected)
})

test.each([
  ['x', 'no such feature gate "x". valid gates: [alpha beta stable deprecated]'],
  ['-x', 'no such feature gate "x". valid gates: [alpha beta stable deprecated]'],
  ['-stable', 'feature gate "stable" is stable, can not be disabled'],
  ['deprecated', 'feature gate "deprecated" is deprecated, can not be enabled'],
  ['alpha,', 'empty feature gate identifier at index 1'],
])('%s is refused: %s', (value, message) => {
  expect(() => enabledGates([value], gates)).toThrow(message)
})

test('gates are listed in the order of their ids, and each once', () => {
  const ids = FEATURE_GATES.map(gate => gate.id)
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
})
