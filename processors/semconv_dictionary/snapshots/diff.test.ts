import { expect, test } from 'vitest'
import { MemoryStore } from '#core/storage'
import { RecordingLogger } from '#core/testing'
import { DictionaryStore } from '../storage/dictionary-store.ts'
import { diff } from './diff.ts'
import type { Snapshot, SnapshotEntry } from './snapshot.ts'
import { MAX_SNAPSHOTS, Snapshots } from './snapshots.ts'

const BEFORE = 1_000
const AFTER = 2_000

function attribute(name: string, over: Partial<SnapshotEntry> = {}): SnapshotEntry {
  const base = { classification: 'custom', signal_types: ['trace'], type: 'string', cardinality: 1, last_seen: BEFORE }
  return { kind: 'attribute', name, ...base, ...over }
}
const metric = (name: string, over: Partial<SnapshotEntry> = {}): SnapshotEntry => {
  const { type: _, ...rest } = attribute(name, { instrument: 'counter', unit: 's', signal_types: ['metric'], ...over })
  return { ...rest, kind: 'metric' }
}
const seen = (entry: SnapshotEntry, over: Partial<SnapshotEntry> = {}): SnapshotEntry => ({
  ...entry,
  last_seen: AFTER,
  ...over,
})

function changes(before: readonly SnapshotEntry[], after: readonly SnapshotEntry[]) {
  return diff({ id: 'a', created: BEFORE, entries: before }, { id: 'b', created: AFTER, entries: after })
}

test('nothing changed', () => {
  const entries = [attribute('a'), metric('m')]
  expect(
    changes(
      entries,
      entries.map(each => seen(each)),
    ),
  ).toEqual({ attributes: [], metrics: [], events: [] })
})

test.each([
  ['added', [], [seen(attribute('a'))], [{ type: 'added', name: 'a', classification: 'custom' }]],
  [
    'removed from the dictionary',
    [attribute('a')],
    [],
    [{ type: 'removed', name: 'a', last_seen: '1970-01-01T00:00:01.000Z' }],
  ],
  [
    'not seen since',
    [attribute('a')],
    [attribute('a')],
    [{ type: 'removed', name: 'a', last_seen: '1970-01-01T00:00:01.000Z' }],
  ],
  [
    'type, signals and classification',
    [attribute('a')],
    [seen(attribute('a'), { type: 'int', signal_types: ['trace', 'log'], classification: 'type_mismatch' })],
    [
      {
        type: 'updated',
        name: 'a',
        fields: [
          { field: 'type', from: 'string', to: 'int' },
          { field: 'classification', from: 'custom', to: 'type_mismatch' },
          { field: 'signal_types', from: ['trace'], to: ['trace', 'log'] },
        ],
      },
    ],
  ],
  [
    'a jump of cardinality',
    [attribute('a', { cardinality: 80 })],
    [seen(attribute('a'), { cardinality: 180 })],
    [{ type: 'updated', name: 'a', fields: [{ field: 'cardinality', from: 80, to: 180 }] }],
  ],
  [
    'no jump: it has not doubled',
    [attribute('a', { cardinality: 1000 })],
    [seen(attribute('a'), { cardinality: 1900 })],
    [],
  ],
  ['no jump: too few', [attribute('a', { cardinality: 1 })], [seen(attribute('a'), { cardinality: 90 })], []],
  [
    'a rename that is complete',
    [attribute('old', { replacement: 'new' })],
    [attribute('old', { replacement: 'new' }), seen(attribute('new'))],
    [{ type: 'renamed', name: 'new', old_name: 'old', complete: true }],
  ],
  [
    'a rename that is not',
    [attribute('old', { replacement: 'new' })],
    [seen(attribute('old', { replacement: 'new' })), seen(attribute('new'))],
    [{ type: 'renamed', name: 'new', old_name: 'old', complete: false }],
  ],
  [
    'no rename: the new name was there before',
    [attribute('old', { replacement: 'new' }), attribute('new')],
    [seen(attribute('new'))],
    [{ type: 'removed', name: 'old', last_seen: '1970-01-01T00:00:01.000Z' }],
  ],
] as [string, SnapshotEntry[], SnapshotEntry[], object[]][])('%s', (_, before, after, expected) => {
  expect(changes(before, after).attributes).toEqual(expected)
})

test('unit and instrument of a metric', () => {
  const { metrics } = changes([metric('m')], [seen(metric('m'), { unit: 'ms', instrument: 'histogram' })])
  expect(metrics).toEqual([
    {
      type: 'updated',
      name: 'm',
      fields: [
        { field: 'unit', from: 's', to: 'ms' },
        { field: 'instrument', from: 'counter', to: 'histogram' },
      ],
    },
  ])
})

test('so many snapshots are kept, the oldest goes, and damaged ones are left out', async () => {
  const memory = new MemoryStore()
  const keeper = { store: new DictionaryStore(memory) } as unknown as ConstructorParameters<typeof Snapshots>[0]
  const logger = new RecordingLogger()
  const snapshots = new Snapshots(keeper, logger)
  const snapshot = (n: number): Snapshot => ({ id: `s${n}`, created: n, entries: [] })
  for (let n = 0; n <= MAX_SNAPSHOTS; n++) await snapshots.add(snapshot(n))
  expect(snapshots.list()).toHaveLength(MAX_SNAPSHOTS)
  expect(snapshots.get('s0')).toBeUndefined()
  await memory.set('m/snapshot/s7', Buffer.from('{'))
  const again = new Snapshots(keeper, logger)
  await again.load()
  expect(again.list().map(each => each.id)).toEqual(
    snapshots
      .list()
      .map(each => each.id)
      .filter(id => id !== 's7'),
  )
  expect(logger.lines.map(line => line.message)).toEqual(['Snapshot cannot be read'])
})
