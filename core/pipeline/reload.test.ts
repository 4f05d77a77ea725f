import { expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { FakeClock, logs, settle, traces } from '#core/testing'
import { NotRestored } from './graph.ts'
import { Rig } from './lab.test-support.ts'
import { type Parts, usual, yaml } from './reload.test-support.ts'

/** Components that run under the usual configuration. */
const ALL = 10
/** What changed, the change, what happens in order, and nothing else. */
const matrix: readonly (readonly [string, Partial<Parts>, readonly string[]])[] = [
  ['nothing', {}, []],
  ['only spelling', { receivers: '"probe": {}, probe/2: { tag: "" } ' }, []],
  ['an unused component', { exporters: 'probe: , probe/2: , probe/unused: { tag: x }' }, []],
  ['one exporter', { exporters: 'probe: { tag: new }, probe/2: ' }, ['exporter probe stop', 'exporter probe start']],
  ['one receiver', { receivers: 'probe: { tag: new }, probe/2: ' }, ['receiver probe stop', 'receiver probe start']],
  [
    'a processor',
    { processors: 'probe: { tag: new }, queue: , transform: ' },
    ['processor probe@traces/2 stop', 'processor probe@traces/2 start'],
  ],
  [
    'a transform',
    { processors: 'probe: , queue: , transform: { drop: 3 }' },
    ['processor transform@traces stop', 'processor transform@traces start'],
  ],
  [
    'a connector',
    { connectors: 'probe/c: { tag: new }' },
    ['connector probe/c traces>traces stop', 'connector probe/c traces>traces start'],
  ],
  [
    'an exporter and a receiver',
    { exporters: 'probe: { tag: new }, probe/2: ', receivers: 'probe: , probe/2: { tag: new }' },
    ['receiver probe/2 stop', 'exporter probe stop', 'exporter probe start', 'receiver probe/2 start'],
  ],
  [
    'an extension nobody asked for',
    { extensions: 'probe: { tag: new }, probe/auth: ' },
    ['extension probe stop', 'extension probe start'],
  ],
  [
    'an exporter more in a pipeline',
    {
      exporters: 'probe: , probe/2: , probe/3: ',
      pipelines: usual.pipelines.replace('[probe, probe/c]', '[probe, probe/3, probe/c]'),
    },
    ['exporter probe/3 start'],
  ],
  [
    'a processor less',
    { pipelines: usual.pipelines.replace('[transform, queue]', '[transform]') },
    ['processor queue@traces stop'],
  ],
  [
    'processors in another order',
    { pipelines: usual.pipelines.replace('[transform, queue]', '[queue, transform]') },
    [],
  ],
  [
    'a receiver feeds one pipeline more of its signal',
    { pipelines: usual.pipelines.replace('[probe/c, probe/2]', '[probe/c, probe/2, probe]') },
    [],
  ],
  [
    'a receiver gains a signal',
    { pipelines: `${usual.pipelines}\n    logs: { receivers: [probe], exporters: [probe/2] }` },
    ['receiver probe stop', 'exporter probe/2 stop', 'exporter probe/2 start', 'receiver probe start'],
  ],
  [
    'a connector feeds another pipeline',
    { pipelines: `${usual.pipelines}\n    traces/3: { receivers: [probe/c], exporters: [probe/2] }` },
    ['connector probe/c traces>traces stop', 'connector probe/c traces>traces start'],
  ],
  [
    'a pipeline less',
    { pipelines: '\n    traces/2: { receivers: [probe/2], processors: [probe], exporters: [probe/2] }' },
    [
      'receiver probe stop',
      'processor transform@traces stop',
      'processor queue@traces stop',
      'connector probe/c traces>traces stop',
      'exporter probe stop',
    ],
  ],
]

test.each(matrix)('reload when this changed: %s', async (_what, over, expected) => {
  const rig = await Rig.start(yaml())
  const change = await rig.reload(yaml(over))
  expect(rig.lab.since().filter(entry => !entry.endsWith('create'))).toEqual(expected)
  const stops = expected.filter(entry => entry.endsWith('stop')).length
  expect(change.stopped).toHaveLength(stops)
  expect(change.kept).toHaveLength(ALL - stops)
  await rig.lab.feed('probe/2', traces(2))
  expect(rig.lab.sinks.get('probe/2')!.items).toBe(2)
  await rig.graph.shutdown()
  expect(rig.services.statuses.filter(entry => entry.endsWith('Error'))).toEqual([])
})

test('after a reload telemetry takes the new ways', async () => {
  const rig = await Rig.start(yaml())
  await rig.reload(
    yaml({
      exporters: 'probe: , probe/2: , probe/3: ',
      pipelines: usual.pipelines.replaceAll('probe/2]', 'probe/3]').replace('probe/c, probe/3', 'probe/c, probe/2'),
    }),
  )
  await rig.lab.feed('probe/2', traces(3))
  expect([rig.lab.sinks.get('probe/2')!.items, rig.lab.sinks.get('probe/3')!.items]).toEqual([0, 3])
  await rig.graph.shutdown()
})

test('what waits in a queue goes to where it was going when its exporter is replaced', async () => {
  const rig = await Rig.start(yaml())
  await rig.lab.feed('probe', traces(3))
  const old = rig.lab.sinks.get('probe')!
  await rig.reload(
    yaml({ exporters: 'probe: { tag: new }, probe/2: ', processors: 'probe: , queue: { tag: new }, transform: ' }),
  )
  expect(old.items).toBe(3)
  await rig.lab.feed('probe', traces(2))
  await rig.graph.shutdown()
  expect([old.items, rig.lab.sinks.get('probe')!.items]).toEqual([3, 2])
})

test('senders wait while what they feed is replaced, and their telemetry arrives at the new one', async () => {
  const rig = await Rig.start(yaml())
  const gate = Promise.withResolvers<void>()
  rig.lab.stopGates.set('exporter probe/2', gate.promise)
  const reloaded = rig.reload(yaml({ exporters: 'probe: , probe/2: { tag: new }' }))
  await settle()
  const sent = rig.lab.feed('probe/2', traces(4))
  const other = rig.lab.feed('probe', traces(1))
  await other
  await settle()
  expect(rig.lab.sinks.get('probe/2')!.items).toBe(0)
  gate.resolve()
  await Promise.all([reloaded, sent])
  expect(rig.lab.sinks.get('probe/2')!.items).toBe(4)
  await rig.graph.shutdown()
})

test('signals and pipelines that do not lead to what is replaced are not held up', async () => {
  const pipelines = `
    traces: { receivers: [probe], exporters: [probe/c] }
    traces/2: { receivers: [probe/c], processors: [transform], exporters: [probe/2] }
    traces/3: { receivers: [probe/c], exporters: [probe] }
    logs: { receivers: [probe], exporters: [probe] }`
  const rig = await Rig.start(yaml({ pipelines }))
  const gate = Promise.withResolvers<void>()
  rig.lab.stopGates.set('exporter probe/2', gate.promise)
  const reloaded = rig.reload(yaml({ pipelines, exporters: 'probe: , probe/2: { tag: new }' }))
  await settle()
  await rig.lab.feed('probe', logs(1))
  const router = rig.lab.routers.get('probe/c')!
  await router.pipelines.get('traces/3')!.consume(traces(1), NO_CONTEXT)
  const waiting = [router.pipelines.get('traces/2')!.consume(traces(2), NO_CONTEXT), rig.lab.feed('probe', traces(4))]
  await settle()
  expect([rig.lab.sinks.get('probe')!.items, rig.lab.sinks.get('probe/2')!.items]).toEqual([2, 0])
  gate.resolve()
  await Promise.all([reloaded, ...waiting])
  expect([rig.lab.sinks.get('probe')!.items, rig.lab.sinks.get('probe/2')!.items]).toEqual([6, 6])
  await rig.graph.shutdown()
})

test('an old component that drains for long is not waited for beyond patience, but until shutdown', async () => {
  const clock = new FakeClock()
  const rig = await Rig.start(yaml(), clock)
  const gate = Promise.withResolvers<void>()
  rig.lab.stopGates.set('exporter probe/2', gate.promise)
  let done = false
  const reloaded = rig.reload(yaml({ exporters: 'probe: , probe/2: { tag: new }' }), 5_000).then(() => {
    done = true
  })
  await clock.advance(4_999)
  expect(done).toBe(false)
  rig.lab.stopGates.delete('exporter probe/2')
  await clock.advance(1)
  await reloaded
  expect(rig.services.statuses).toEqual([
    'exporter probe/2 Stopping',
    'exporter probe/2 gone',
    'exporter probe/2 Starting',
    'exporter probe/2 OK',
  ])
  await rig.lab.feed('probe/2', traces(1))
  expect(rig.lab.sinks.get('probe/2')!.items).toBe(1)
  let closed = false
  const ending = rig.graph.shutdown().then(() => {
    closed = true
  })
  await settle()
  expect(closed).toBe(false)
  gate.resolve()
  await ending
})

const unstartable: readonly (readonly [string, Partial<Parts>, string])[] = [
  [
    'an exporter',
    { exporters: 'probe: , probe/2: { fail: [start] }' },
    'cannot start pipelines: failed to start "probe/2" exporter: start says no',
  ],
  [
    'a receiver, after everything else was switched',
    { exporters: 'probe: { tag: new } , probe/2: ', receivers: 'probe: , probe/2: { fail: [start] }' },
    'cannot start pipelines: failed to start "probe/2" receiver: start says no',
  ],
  [
    'an extension',
    { extensions: 'probe: { fail: [start] }, probe/auth: ', processors: 'probe: { tag: new } , queue: , transform: ' },
    'failed to start extensions: failed to start "probe" extension: start says no',
  ],
  [
    'a new exporter',
    {
      exporters: 'probe: , probe/2: , probe/3: { fail: [start] }',
      pipelines: usual.pipelines.replace('exporters: [probe/2]', 'exporters: [probe/3]'),
    },
    'failed to start "probe/3" exporter',
  ],
  [
    'one that cannot even be created',
    { exporters: 'probe: { tag: new }, probe/2: { fail: [create] }' },
    'failed to create "probe/2" exporter: create says no',
  ],
]
test.each(unstartable)('what ran before is brought back when this does not start: %s', async (_what, over, message) => {
  const rig = await Rig.start(yaml())
  const before = rig.graph.plan
  const sinks = [rig.lab.sinks.get('probe'), rig.lab.sinks.get('probe/2')]
  await expect(rig.reload(yaml(over))).rejects.toThrow(message)
  expect(rig.graph.plan).toBe(before)
  await rig.lab.feed('probe/2', traces(5))
  await rig.lab.feed('probe', traces(2))
  await rig.graph.shutdown()
  const arrived = [...new Set([...sinks, ...rig.lab.sinks.values()])].reduce((sum, sink) => sum + sink!.items, 0)
  expect(arrived).toBe(5 + 2 + 2)
  const running = new Set<string>()
  for (const entry of rig.lab.journal) {
    const name = entry.slice(0, entry.lastIndexOf(' '))
    if (entry.endsWith('start')) running.add(name)
    if (entry.endsWith('stop')) running.delete(name)
  }
  expect([...running]).toEqual([])
})

test('components that are untouched by a failed reload never noticed', async () => {
  const rig = await Rig.start(yaml())
  await rig.reload(yaml({ exporters: 'probe: , probe/2: { fail: [start] }' })).catch(() => {})
  expect(rig.lab.since()).toEqual([
    'exporter probe/2 create',
    'exporter probe/2 stop',
    'exporter probe/2 start',
    'exporter probe/2 create',
    'exporter probe/2 stop',
    'exporter probe/2 start',
  ])
  await rig.graph.shutdown()
})

test('when not even the old can be brought back, that is said, and nobody waits for ever', async () => {
  const rig = await Rig.start(yaml({ exporters: 'probe: , probe/2: ' }))
  const gate = Promise.withResolvers<void>()
  rig.lab.startGates.set('exporter probe/2', gate.promise)
  const reloaded = rig.reload(yaml({ exporters: 'probe: , probe/2: { fail: [start] }' }))
  const failed = expect(reloaded).rejects.toThrow(NotRestored)
  await settle()
  const waiting = rig.lab.feed('probe/2', traces(1))
  gate.reject(new Error('port taken'))
  await failed
  await waiting.catch(() => {})
  await rig.graph.shutdown()
})

test('components that asked for an extension restart with it, and only they', async () => {
  const over = {
    receivers: 'probe: { uses: [probe/auth] }, probe/2: ',
    exporters: 'probe: , probe/2: { uses: [probe/none] }',
    extensions: 'probe: { uses: [probe/auth] }, probe/auth: ',
  }
  const rig = await Rig.start(yaml(over))
  await rig.reload(yaml({ ...over, extensions: 'probe: { uses: [probe/auth] }, probe/auth: { tag: new }' }))
  expect(rig.lab.since().filter(entry => entry.endsWith('start'))).toEqual([
    'extension probe start',
    'extension probe/auth start',
    'receiver probe start',
  ])
  await rig.reload(
    yaml({ ...over, extensions: `${over.extensions}, probe/none: `, enabled: 'probe, probe/auth, probe/none' }),
  )
  expect(rig.lab.since().filter(entry => entry.endsWith('start'))).toContain('exporter probe/2 start')
  await rig.graph.shutdown()
})

test('shared state outlives the restart of an instance with the same configuration, not a new configuration', async () => {
  const states: object[] = []
  const disposed: object[] = []
  const rig = new Rig(yaml())
  const ask = (name: string) => {
    if (name !== 'receiver probe') return
    const state = rig.lab.contexts
      .get(name)!
      .shared(() => ({ [Symbol.asyncDispose]: async () => void disposed.push(state) }))
    states.push(state)
  }
  rig.lab.created = ask
  ask('receiver probe')
  await rig.graph.start()
  const more = `${usual.pipelines}\n    logs: { receivers: [probe], exporters: [probe/2] }`
  await rig.reload(yaml({ pipelines: more }))
  await rig.reload(yaml({ receivers: 'probe: { tag: new }, probe/2: ', pipelines: more }))
  const [first, second, third] = states
  expect([second === first, third === second]).toEqual([true, false])
  expect(disposed).toEqual([first])
  await rig.graph.shutdown()
  expect(disposed).toEqual([first, third])
})

test('those outside see a component that serves other pipelines under its new identity', async () => {
  const rig = await Rig.start(yaml())
  await rig.reload(yaml({ pipelines: usual.pipelines.replace('[probe/c, probe/2]', '[probe/c, probe/2, probe]') }))
  expect(rig.services.statuses).toEqual(['receiver probe serves traces,traces/2'])
  expect(rig.lab.contexts.get('receiver probe')).toMatchObject({ pipelines: ['traces', 'traces/2'] })
  await rig.graph.shutdown()
  expect(rig.services.statuses).toContain('receiver probe Stopped')
})

test('a shutdown in the middle of a reload ends it, and nothing is left running', async () => {
  const rig = await Rig.start(yaml())
  const gate = Promise.withResolvers<void>()
  rig.lab.stopGates.set('exporter probe/2', gate.promise)
  const over = { exporters: 'probe: , probe/2: { tag: new }', receivers: 'probe: { tag: new }, probe/2: ' }
  const reloaded = expect(rig.reload(yaml(over))).rejects.toThrow('the collector is shutting down')
  await settle()
  const closed = rig.graph.shutdown()
  gate.resolve()
  await Promise.all([reloaded, closed])
  const running = new Set(rig.lab.journal.filter(entry => entry.endsWith('start')))
  expect([...running]).toEqual([])
  expect(rig.lab.journal.filter(entry => entry.startsWith('exporter probe/2'))).toContain('exporter probe/2 stop')
})
