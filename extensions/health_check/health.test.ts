import { expect, test } from 'vitest'
import type { InstanceId, Kind, Status } from '#core/component'
import { Health, isHealthy } from './health.ts'

function health(...events: readonly (readonly [Kind, string, string[], Status])[]): Health {
  const all = new Health()
  for (const [kind, id, pipelines, status] of events) {
    const instance: InstanceId = { kind, id, pipelines }
    all.record(instance, { status, time: 0 })
  }
  return all
}

const cases: readonly (readonly [string, Health, Status])[] = [
  ['nothing known yet', health(), 'Starting'],
  ['only extensions run', health(['extension', 'x', [], 'OK']), 'Starting'],
  ['an exporter runs, but no receiver', health(['exporter', 'x', ['traces'], 'OK']), 'Starting'],
  [
    'everything runs',
    health(['extension', 'x', [], 'OK'], ['exporter', 'x', ['traces'], 'OK'], ['receiver', 'r', ['traces'], 'OK']),
    'OK',
  ],
  [
    'one of two pipelines has its receiver',
    health(['exporter', 'x', ['traces', 'logs'], 'OK'], ['receiver', 'r', ['traces'], 'OK']),
    'Starting',
  ],
  [
    'a connector feeds the second pipeline',
    health(
      ['exporter', 'x', ['traces/b'], 'OK'],
      ['connector', 'forward', ['traces/a', 'traces/b'], 'OK'],
      ['receiver', 'r', ['traces/a'], 'OK'],
    ),
    'OK',
  ],
  [
    'an error wins over starting',
    health(['exporter', 'x', ['traces'], 'PermanentError'], ['receiver', 'r', ['traces'], 'Starting']),
    'PermanentError',
  ],
  [
    'a fatal error wins over all',
    health(['exporter', 'x', ['traces'], 'FatalError'], ['receiver', 'r', ['traces'], 'PermanentError']),
    'FatalError',
  ],
  [
    'a recoverable error',
    health(['exporter', 'x', ['traces'], 'RecoverableError'], ['receiver', 'r', ['traces'], 'OK']),
    'RecoverableError',
  ],
  [
    'a component that was removed',
    health(
      ['exporter', 'old', ['traces/old'], 'Stopped'],
      ['exporter', 'x', ['traces'], 'OK'],
      ['receiver', 'r', ['traces'], 'OK'],
    ),
    'OK',
  ],
  [
    'the receiver has stopped, the exporter drains',
    health(['receiver', 'r', ['traces'], 'Stopped'], ['exporter', 'x', ['traces'], 'OK']),
    'Starting',
  ],
  [
    'all have stopped',
    health(['receiver', 'r', ['traces'], 'Stopped'], ['exporter', 'x', ['traces'], 'Stopped']),
    'Stopped',
  ],
]

test.each(cases)('%s', (_, all, expected) => {
  expect(all.status).toBe(expected)
})

test('errors that are not fatal leave the collector healthy', () => {
  const statuses: Status[] = [
    'Starting',
    'OK',
    'RecoverableError',
    'PermanentError',
    'FatalError',
    'Stopping',
    'Stopped',
  ]
  expect(statuses.filter(isHealthy)).toEqual(['OK', 'RecoverableError', 'PermanentError'])
})
