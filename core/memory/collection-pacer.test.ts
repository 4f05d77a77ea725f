import { expect, test } from 'vitest'
import { CollectionPacer } from './collection-pacer.ts'

const INTERVALS = { soft: { min: 10_000, max: 30_000 }, hard: { min: 0, max: 8000 } }
const FREED = [100, 90] as const
const IN_VAIN = [100, 96] as const

function firstDue(pacer: CollectionPacer, level: 'soft' | 'hard', from: number): number {
  for (let wait = 0; wait < 100_000; wait += 50) if (pacer.due(level, from + wait)) return wait
  throw new Error('never due')
}

test('the first collection is due at once, the next after the minimum', () => {
  const pacer = new CollectionPacer(INTERVALS, 1000)
  expect(pacer.due('soft', 0)).toBe(true)
  pacer.done('soft', 0, ...FREED)
  expect(firstDue(pacer, 'soft', 0)).toBe(10_000)
})

test('a minimum of zero is an interval between looks, however often somebody looks in between', () => {
  const pacer = new CollectionPacer(INTERVALS, 1000)
  pacer.done('hard', 0, ...FREED)
  expect(firstDue(pacer, 'hard', 0)).toBe(950)
})

test('intervals double while collections free nothing, up to the maximum, until one does', () => {
  const pacer = new CollectionPacer(INTERVALS, 1000)
  const waits = [1, 2, 3, 4, 5].map(() => {
    pacer.done('hard', 0, ...IN_VAIN)
    return firstDue(pacer, 'hard', 0)
  })
  expect(waits).toEqual([1900, 3800, 7600, 8000, 8000])
  pacer.done('hard', 0, ...FREED)
  expect(firstDue(pacer, 'hard', 0)).toBe(950)
})

test('memory that falls by itself resets them too', () => {
  const pacer = new CollectionPacer(INTERVALS, 1000)
  pacer.done('soft', 0, ...IN_VAIN)
  expect(firstDue(pacer, 'soft', 0)).toBe(20_000)
  pacer.relax()
  expect(firstDue(pacer, 'soft', 0)).toBe(10_000)
})

test('a maximum of zero keeps the minimum', () => {
  const pacer = new CollectionPacer({ ...INTERVALS, hard: { min: 2000, max: 0 } }, 1000)
  for (let i = 0; i < 5; i++) pacer.done('hard', 0, ...IN_VAIN)
  expect(firstDue(pacer, 'hard', 0)).toBe(2000)
})
