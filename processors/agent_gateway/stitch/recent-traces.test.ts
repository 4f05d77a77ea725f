import { expect, test } from 'vitest'
import { RecentTraces } from './recent-traces.ts'

test('a trace is found by its id, by those it was joined from, and by its run', () => {
  const recent = new RecentTraces(10)
  const trace = recent.touch('t1', 'root', ['t2', 'run r'])
  recent.add(trace, 'a')
  for (const handle of ['t1', 't2', 'run r']) expect(recent.find(handle)).toBe(trace)
  expect(recent.touch('t1', 'other', ['t3'])).toBe(trace)
  expect(recent.find('t3')?.root).toBe('root')
})

test('beyond the capacity the trace that was touched longest ago is forgotten, with all its handles', () => {
  const recent = new RecentTraces(4)
  for (const id of ['t1', 't2']) {
    const trace = recent.touch(id, 'root', [`run ${id}`])
    for (const span of ['a', 'b']) recent.add(trace, span)
  }
  recent.touch('t1', 'root', [])
  recent.add(recent.touch('t3', 'root', []), 'a')
  expect(['t1', 't2', 'run t2', 't3'].map(handle => recent.find(handle) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('a trace that alone is larger than the capacity is forgotten, and what is added to it no more', () => {
  const recent = new RecentTraces(2)
  const trace = recent.touch('t1', 'root', [])
  for (const span of ['a', 'b', 'c', 'd']) recent.add(trace, span)
  expect(recent.find('t1')).toBeUndefined()
  const next = recent.touch('t2', 'root', [])
  for (const span of ['a', 'b']) recent.add(next, span)
  expect(recent.find('t2')).toBe(next)
})

test('spans that did not get through are forgotten, and with the last the trace', () => {
  const recent = new RecentTraces(10)
  const trace = recent.touch('t1', 'root', ['run r'])
  for (const span of ['a', 'b']) recent.add(trace, span)
  recent.remove(trace, 'a')
  expect(recent.find('t1')?.spans.size).toBe(1)
  recent.remove(trace, 'b')
  expect(recent.find('run r')).toBeUndefined()
})

test('a trace is found by so many handles, however many its spans name', () => {
  const recent = new RecentTraces(10)
  for (let n = 0; n < 3000; n++) recent.add(recent.touch('t1', 'root', [`run ${n}`]), 'a')
  expect(recent.find('run 0')).toBe(recent.find('t1'))
  expect(recent.find('run 2999')).toBeUndefined()
})
