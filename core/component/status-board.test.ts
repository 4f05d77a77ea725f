import { expect, test } from 'vitest'
import type { InstanceId, Kind, Status } from './status.ts'
import { StatusBoard } from './status-board.ts'

function board(...events: readonly (readonly [Kind, string, string[], Status])[]): StatusBoard {
  const all = new StatusBoard()
  for (const [kind, id, pipelines, status] of events) {
    const instance: InstanceId = { kind, id, pipelines }
    all.record(instance, { status, time: 0 })
  }
  return all
}

const cases: readonly (readonly [string, StatusBoard, Status])[] = [
  ['nothing known yet', board(), 'Starting'],
  ['only extensions run', board(['extension', 'x', [], 'OK']), 'Starting'],
  ['an exporter runs, but no receiver', board(['exporter', 'x', ['traces'], 'OK']), 'Starting'],
  [
    'everything runs',
    board(['extension', 'x', [], 'OK'], ['exporter', 'x', ['traces'], 'OK'], ['receiver', 'r', ['traces'], 'OK']),
    'OK',
  ],
  [
    'one of two pipelines has its receiver',
    board(['exporter', 'x', ['traces', 'logs'], 'OK'], ['receiver', 'r', ['traces'], 'OK']),
    'Starting',
  ],
  [
    'a connector feeds the second pipeline',
    board(
      ['exporter', 'x', ['traces/b'], 'OK'],
      ['connector', 'forward', ['traces/a', 'traces/b'], 'OK'],
      ['receiver', 'r', ['traces/a'], 'OK'],
    ),
    'OK',
  ],
  [
    'an error wins over starting',
    board(['exporter', 'x', ['traces'], 'PermanentError'], ['receiver', 'r', ['traces'], 'Starting']),
    'PermanentError',
  ],
  [
    'a fatal error wins over all',
    board(['exporter', 'x', ['traces'], 'FatalError'], ['receiver', 'r', ['traces'], 'PermanentError']),
    'FatalError',
  ],
  [
    'a recoverable error',
    board(['exporter', 'x', ['traces'], 'RecoverableError'], ['receiver', 'r', ['traces'], 'OK']),
    'RecoverableError',
  ],
  [
    'a component that was removed',
    board(
      ['exporter', 'old', ['traces/old'], 'Stopped'],
      ['exporter', 'x', ['traces'], 'OK'],
      ['receiver', 'r', ['traces'], 'OK'],
    ),
    'OK',
  ],
  [
    'the receiver has stopped, the exporter drains',
    board(['receiver', 'r', ['traces'], 'Stopped'], ['exporter', 'x', ['traces'], 'OK']),
    'Starting',
  ],
  [
    'all have stopped',
    board(['receiver', 'r', ['traces'], 'Stopped'], ['exporter', 'x', ['traces'], 'Stopped']),
    'Stopped',
  ],
]

test.each(cases)('%s', (_, all, expected) => {
  expect(all.status).toBe(expected)
})

test('components that have stopped are not listed', () => {
  const all = board(['receiver', 'old', ['traces'], 'Stopped'], ['receiver', 'r', ['traces'], 'OK'])
  expect(all.components.map(({ instance }) => instance.id)).toEqual(['r'])
})
