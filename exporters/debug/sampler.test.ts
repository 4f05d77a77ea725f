import { expect, test } from 'vitest'
import { FakeClock } from '#core/testing'
import { Sampler } from './sampler.ts'

function allowed(sampler: Sampler, times: number, message = 'Traces'): number[] {
  return Array.from({ length: times }, (_, i) => i + 1).filter(() => sampler.allows(message))
}

test('after the first few every n-th is let through', () => {
  expect(allowed(new Sampler(5, 200, new FakeClock()), 1_000)).toEqual([1, 2, 3, 4, 5, 205, 405, 605, 805])
})

test('one thereafter lets everything through', () => {
  expect(allowed(new Sampler(2, 1, new FakeClock()), 10)).toHaveLength(10)
})

test('zero thereafter lets nothing more through', () => {
  expect(allowed(new Sampler(2, 0, new FakeClock()), 10)).toEqual([1, 2])
})

test('each second begins anew', async () => {
  const clock = new FakeClock()
  const sampler = new Sampler(1, 0, clock)
  const seen = [sampler.allows('x')]
  await clock.advance(999)
  seen.push(sampler.allows('x'))
  await clock.advance(1)
  seen.push(sampler.allows('x'))
  expect(seen).toEqual([true, false, true])
})

test('different messages are counted apart', () => {
  const sampler = new Sampler(1, 0, new FakeClock())
  expect(['Traces', 'Logs', 'Traces'].map(message => sampler.allows(message))).toEqual([true, true, false])
})
