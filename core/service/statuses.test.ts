import { expect, test } from 'vitest'
import type { InstanceId, Status } from '#core/component'
import { FakeClock } from '#core/testing'
import { Statuses } from './statuses.ts'

const exporter: InstanceId = { kind: 'exporter', id: 'otlp_grpc', pipelines: ['traces'] }

function told(...moves: readonly Status[]): string[] {
  const statuses = new Statuses(new FakeClock())
  const seen: string[] = []
  statuses.subscribe((_instance, event) => seen.push(event.status))
  for (const status of moves) statuses.report(exporter, status)
  return seen
}

/** Moves, and which of them are told. The Collector's table of transitions. */
const cases: readonly (readonly [readonly Status[], readonly Status[]])[] = [
  [['OK'], []],
  [['Starting', 'Starting'], ['Starting']],
  [
    ['Starting', 'OK', 'OK'],
    ['Starting', 'OK', 'OK'],
  ],
  [
    ['Starting', 'RecoverableError', 'RecoverableError', 'OK'],
    ['Starting', 'RecoverableError', 'RecoverableError', 'OK'],
  ],
  [
    ['Starting', 'PermanentError', 'OK', 'RecoverableError', 'Stopping', 'Stopped'],
    ['Starting', 'PermanentError', 'Stopping', 'Stopped'],
  ],
  [
    ['Starting', 'FatalError', 'OK', 'Stopping', 'Stopped'],
    ['Starting', 'FatalError'],
  ],
  [
    ['Starting', 'OK', 'Stopped', 'Stopping', 'OK', 'PermanentError', 'Stopped'],
    ['Starting', 'OK', 'Stopping', 'PermanentError'],
  ],
  [
    ['Starting', 'Stopping', 'Stopped', 'Starting', 'OK'],
    ['Starting', 'Stopping', 'Stopped'],
  ],
]
test.each(cases)('%j', (moves, expected) => {
  expect(told(...moves)).toEqual(expected)
})

test('who begins to listen is told the present state of each first, with its error and time', () => {
  const clock = new FakeClock(1000)
  const statuses = new Statuses(clock)
  const error = new Error('backend away')
  statuses.report(exporter, 'Starting')
  statuses.report(exporter, 'RecoverableError', error)
  const seen: unknown[] = []
  const stop = statuses.subscribe((instance, event) => seen.push([instance, event]))
  expect(seen).toEqual([[exporter, { status: 'RecoverableError', error, time: 1000 }]])
  stop()
  statuses.report(exporter, 'OK')
  expect(seen).toHaveLength(1)
})

test('an instance that serves other pipelines ends under its old identity and goes on under the new one', () => {
  const statuses = new Statuses(new FakeClock())
  const wider: InstanceId = { ...exporter, pipelines: ['traces', 'logs'] }
  statuses.report(exporter, 'Starting')
  statuses.report(exporter, 'OK')
  const seen: string[] = []
  statuses.subscribe((instance, event) => seen.push(`${instance.pipelines} ${event.status}`))
  statuses.move(exporter, wider)
  expect(seen).toEqual(['traces OK', 'traces Stopped', 'traces,logs OK'])
  expect([statuses.statusOf(exporter), statuses.statusOf(wider)]).toEqual([undefined, 'OK'])
})

test('an instance that is forgotten without having stopped is told to have stopped', () => {
  const statuses = new Statuses(new FakeClock())
  for (const status of ['Starting', 'OK', 'Stopping'] as const) statuses.report(exporter, status)
  const seen: string[] = []
  statuses.subscribe((_instance, event) => seen.push(event.status))
  statuses.forget(exporter)
  statuses.forget(exporter)
  statuses.report(exporter, 'Stopped')
  expect(seen).toEqual(['Stopping', 'Stopped'])
})

test('an instance that is forgotten may begin anew', () => {
  const statuses = new Statuses(new FakeClock())
  for (const status of ['Starting', 'Stopping', 'Stopped'] as const) statuses.report(exporter, status)
  statuses.forget(exporter)
  expect(statuses.report(exporter, 'Starting')).toBe(true)
})
