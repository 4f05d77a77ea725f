import { expect, test } from 'vitest'
import { defineExporter } from '#core/component'
import { t } from '#core/config'
import { FakeClock, logs, settle, traces } from '#core/testing'
import { Graph } from './graph.ts'
import { Lab, Rig } from './lab.test-support.ts'
import { configured } from './pipeline.test-support.ts'
import { plan } from './plan.ts'
import { TestServices } from './services.test-support.ts'

const WHOLE = `
receivers: { probe: , probe/2: }
processors: { probe: , transform: { drop: 2 } }
exporters: { probe: , probe/2: , probe/unused: }
connectors: { probe/c: }
extensions: { probe/a: { depends: [probe/b] }, probe/b: , probe/unused: }
service:
  extensions: [probe/a, probe/b]
  pipelines:
    traces: { receivers: [probe], processors: [transform, probe], exporters: [probe, probe/c] }
    traces/2: { receivers: [probe/c, probe/2], exporters: [probe/2] }
`
const ORDER = [
  'extension probe/b',
  'extension probe/a',
  'exporter probe',
  'exporter probe/2',
  'connector probe/c traces>traces',
  'processor probe@traces',
  'processor transform@traces',
  'receiver probe',
  'receiver probe/2',
]
const each = (what: string, names: readonly string[] = ORDER) => names.map(name => `${name} ${what}`)

test('extensions start by dependency, then what is fed before what feeds, receivers last; all stop the other way round', async () => {
  const rig = new Rig(WHOLE)
  expect(rig.lab.since()).toEqual(each('create'))
  await rig.graph.start()
  expect(rig.lab.since()).toEqual(each('start'))
  expect(rig.services.log.messages('info')).toEqual([
    'Starting extensions...',
    'Extension is starting...',
    'Extension started.',
    'Extension is starting...',
    'Extension started.',
  ])
  expect(await rig.graph.shutdown()).toEqual({ errors: [], givenUp: [] })
  expect(rig.lab.since()).toEqual(each('stop', ORDER.toReversed()))
  expect(rig.services.host.watchers).toBe(0)
})

test('telemetry takes every way that is wired', async () => {
  const { lab, services, graph } = await Rig.start(WHOLE)
  await lab.feed('probe', traces(4))
  await lab.feed('probe/2', traces(1))
  expect(lab.sinks.get('probe')!.items).toBe(2)
  expect(lab.sinks.get('probe/2')!.items).toBe(3)
  expect(lab.sinks.get('probe/2')!.payloads[0]).toBe(lab.sinks.get('probe')!.payloads[0])
  expect(services.ledger.report()).toMatchObject({
    pipelines: {
      traces: { received: 4, refused: 0, dropped: { transform: 2 }, delivered: 2 },
      'traces/2': { received: 3, delivered: 3 },
    },
    exporters: { probe: { received: 2, sent: 2 }, 'probe/2': { received: 3, sent: 3 } },
  })
  await graph.shutdown()
})

test('every edge counts under the names and labels of the Collector', async () => {
  const { lab, services, graph } = await Rig.start(WHOLE)
  await lab.feed('probe', traces(4))
  lab.sinks.get('probe/2')!.refuse()
  await lab.feed('probe', traces(2)).catch(() => {})
  const value = (name: string, outcome: string, id: string, kind: string, more = {}) =>
    services.recorded.value(name, {
      otelcol_component_outcome: outcome,
      otelcol_component_id: id,
      otelcol_component_kind: kind,
      otelcol_signal: 'traces',
      ...more,
    })
  const pipeline = { otelcol_pipeline_id: 'traces' }
  const output = { otelcol_signal_output: 'traces' }
  expect(value('otelcol_receiver_produced_items', 'success', 'probe', 'receiver')).toBe(4)
  expect(value('otelcol_receiver_produced_items', 'refused', 'probe', 'receiver')).toBe(2)
  expect(value('otelcol_processor_consumed_items', 'success', 'transform', 'processor', pipeline)).toBe(4)
  expect(value('otelcol_processor_produced_items', 'success', 'transform', 'processor', pipeline)).toBe(2)
  expect(value('otelcol_processor_consumed_items', 'refused', 'probe', 'processor', pipeline)).toBe(1)
  expect(value('otelcol_connector_consumed_items', 'refused', 'probe/c', 'connector', output)).toBe(1)
  expect(value('otelcol_connector_produced_items', 'refused', 'probe/c', 'connector', output)).toBe(1)
  expect(value('otelcol_exporter_consumed_items', 'failure', 'probe/2', 'exporter')).toBe(1)
  expect(value('otelcol_exporter_consumed_items', 'success', 'probe', 'exporter')).toBe(3)
  const processor = { processor: 'transform', otel_signal: 'traces' }
  expect(services.recorded.value('otelcol_processor_incoming_items', processor)).toBe(6)
  expect(services.recorded.value('otelcol_processor_outgoing_items', processor)).toBe(3)
  await graph.shutdown()
})

test('a receiver is given a consumer for each wired signal and no other', async () => {
  const { lab, graph } = await Rig.start(`
receivers: { probe: }
exporters: { probe: , probe/2: }
service: { pipelines: { traces: { receivers: [probe], exporters: [probe] }, logs: { receivers: [probe], exporters: [probe, probe/2] } } }`)
  expect(Object.keys(lab.inlets.get('probe')!)).toEqual(['traces', 'logs'])
  await lab.feed('probe', logs(2))
  expect([lab.sinks.get('probe')!.items, lab.sinks.get('probe/2')!.items]).toEqual([2, 2])
  await graph.shutdown()
})

test('a connector reaches all its pipelines at once and each by id', async () => {
  const { lab, graph } = await Rig.start(`
receivers: { probe: }
exporters: { probe/a: , probe/b: }
connectors: { probe/c: }
service:
  pipelines:
    traces/in: { receivers: [probe], exporters: [probe/c] }
    traces/a: { receivers: [probe/c], exporters: [probe/a] }
    traces/b: { receivers: [probe/c], exporters: [probe/b] }`)
  const router = lab.routers.get('probe/c')!
  expect([...router.pipelines.keys()]).toEqual(['traces/a', 'traces/b'])
  await router.pipelines.get('traces/b')!.consume(traces(1), { metadata: new Map() })
  await lab.feed('probe', traces(2))
  expect([lab.sinks.get('probe/a')!.items, lab.sinks.get('probe/b')!.items]).toEqual([2, 3])
  await graph.shutdown()
})

const withExporter = (exporter: string, extension = '') => `
receivers: { probe: }
processors: { probe: }
exporters: { probe: ${exporter} , probe/2: }
extensions: { probe: ${extension} }
service: { extensions: [probe], pipelines: { traces: { receivers: [probe], processors: [probe], exporters: [probe/2, probe] } } }`

test('a component that does not start ends the start, and everything that was created is shut down', async () => {
  const { lab, services, graph } = new Rig(withExporter('{ fail: [start] }'))
  lab.since()
  await expect(graph.start()).rejects.toThrow('cannot start pipelines: failed to start "probe" exporter: start says no')
  expect(lab.since()).toEqual([
    'extension probe start',
    'exporter probe/2 start',
    'exporter probe start',
    'receiver probe stop',
    'processor probe@traces stop',
    'exporter probe stop',
    'exporter probe/2 stop',
    'extension probe stop',
  ])
  expect(services.statuses).toEqual([
    'extension probe Starting',
    'extension probe OK',
    'exporter probe/2 Starting',
    'exporter probe/2 OK',
    'exporter probe Starting',
    'exporter probe PermanentError',
    'exporter probe Stopping',
    'exporter probe Stopped',
    'exporter probe/2 Stopping',
    'exporter probe/2 Stopped',
    'extension probe Stopping',
    'extension probe Stopped',
  ])
  expect(services.log.lines.find(line => line.level === 'error')).toMatchObject({
    message: 'Failed to start component',
    fields: { 'otelcol.component.id': 'probe', 'otelcol.component.kind': 'exporter' },
  })
})

test('an extension that does not start says so', async () => {
  const { graph, services } = new Rig(withExporter('', '{ fail: [start] }'))
  await expect(graph.start()).rejects.toThrow(
    'failed to start extensions: failed to start "probe" extension: start says no',
  )
  expect(services.log.messages('error')).toEqual(['Failed to start extension'])
})

test('a component that cannot be created is named', () => {
  expect(() => new Rig(withExporter('{ fail: [create] }'))).toThrow('failed to create "probe" exporter: create says no')
})

test('a component that fails to shut down does not keep the others from it', async () => {
  const { lab, services, graph } = await Rig.start(withExporter('{ fail: [stop] }', '{ fail: [stop] }'))
  const { errors } = await graph.shutdown()
  expect(errors.map(error => error.message)).toEqual([
    'failed to shut down "probe" exporter: stop says no',
    'failed to shut down "probe" extension: stop says no',
  ])
  expect(lab.since().map(entry => entry.split(' ').slice(0, 2).join(' '))).toEqual([
    'receiver probe',
    'processor probe@traces',
    'exporter probe',
    'exporter probe/2',
    'extension probe',
  ])
  expect(services.statuses.slice(4, 6)).toEqual(['exporter probe Stopping', 'exporter probe PermanentError'])
})

test('when patience ends, the rest is told to stop at once, and what does not finish is named', async () => {
  const clock = new FakeClock()
  const { lab, graph } = await Rig.start(withExporter(''), clock)
  const hanging = Promise.withResolvers<void>()
  lab.stopGates.set('processor probe@traces', hanging.promise)
  const over = Promise.withResolvers<void>()
  const ending = graph.shutdown(over.promise)
  await settle()
  expect(lab.since()).toEqual(['receiver probe stop'])
  over.resolve()
  expect(await ending).toEqual({ errors: [], givenUp: ['"probe" processor, in pipeline "traces"'] })
  expect(lab.since()).toEqual(['exporter probe stop', 'exporter probe/2 stop', 'extension probe stop'])
  hanging.resolve()
})

test('what a component reports of itself while it starts is not overwritten', async () => {
  const { lab, services, graph } = new Rig(withExporter(''))
  const gate = Promise.withResolvers<void>()
  lab.startGates.set('exporter probe', gate.promise)
  const started = graph.start()
  await settle()
  lab.contexts.get('exporter probe')!.report('RecoverableError', new Error('not yet'))
  gate.resolve()
  await started
  expect(services.statuses.filter(entry => entry.startsWith('exporter probe '))).toEqual([
    'exporter probe Starting',
    'exporter probe RecoverableError',
  ])
  await graph.shutdown()
})

test('a shutdown in the middle of a start ends it', async () => {
  const { lab, graph } = new Rig(withExporter(''))
  const gate = Promise.withResolvers<void>()
  lab.startGates.set('exporter probe', gate.promise)
  const started = graph.start()
  const failed = expect(started).rejects.toThrow('the collector is shutting down')
  await settle()
  await graph.shutdown()
  gate.resolve()
  await failed
  const journal = lab.since()
  expect(journal).not.toContain('receiver probe start')
  expect(journal.lastIndexOf('exporter probe stop')).toBeGreaterThan(journal.indexOf('exporter probe start'))
})

test('instances of one id share state that ends with the last of them', async () => {
  const { lab, graph } = new Rig(`
receivers: { probe: }
processors: { probe: , probe/other: }
exporters: { probe: }
service:
  pipelines:
    traces: { receivers: [probe], processors: [probe, probe/other], exporters: [probe] }
    logs: { receivers: [probe], processors: [probe], exporters: [probe] }`)
  const disposed: string[] = []
  const ask = (name: string) =>
    lab.contexts.get(name)!.shared(() => ({ made: name, [Symbol.dispose]: () => void disposed.push(name) }))
  const state = ask('processor probe@traces')
  expect(ask('processor probe@logs')).toBe(state)
  expect(ask('processor probe@traces')).toBe(state)
  expect(ask('processor probe/other@traces')).not.toBe(state)
  await graph.start()
  lab.stopGates.set(
    'processor probe@logs',
    Promise.resolve().then(() => void disposed.push('before the last')),
  )
  await graph.shutdown()
  expect(disposed.toSorted()).toEqual(['before the last', 'processor probe/other@traces', 'processor probe@traces'])
  expect(disposed.indexOf('before the last')).toBeLessThan(disposed.indexOf('processor probe@traces'))
})

test('a component knows who it is and where it stands', async () => {
  const { lab, services, graph } = new Rig(WHOLE)
  const context = lab.contexts.get('connector probe/c traces>traces')!
  expect(context).toMatchObject({ signals: ['traces', 'traces'], pipelines: ['traces', 'traces/2'] })
  context.logger.info('hello')
  expect(services.log.lines.at(-1)!.fields).toEqual({
    'otelcol.component.id': 'probe/c',
    'otelcol.component.kind': 'connector',
    'otelcol.signal': 'traces',
    'otelcol.signal.output': 'traces',
  })
  lab.contexts.get('processor probe@traces')!.logger.info('hello')
  expect(services.log.lines.at(-1)!.fields).toEqual({
    'otelcol.component.id': 'probe',
    'otelcol.component.kind': 'processor',
    'otelcol.pipeline.id': 'traces',
    'otelcol.signal': 'traces',
  })
  await graph.shutdown()
})

test('components that are not to be relied on say so', async () => {
  const shaky = defineExporter({
    type: 'shaky',
    description: 'Changes every day.',
    stability: { traces: 'development', metrics: 'beta', logs: 'development' },
    config: t.section({}),
    create: () => ({ consume: async () => {} }),
  })
  const lab = new Lab()
  const services = new TestServices()
  const distribution = { ...lab.distribution, exporters: [shaky] }
  const pipelines = ['traces', 'metrics', 'logs'].map(id => `${id}: { receivers: [probe], exporters: [shaky] }`)
  const yaml = `receivers: { probe: }\nexporters: { shaky: }\nservice: { pipelines: { ${pipelines.join(', ')} } }`
  Graph.build(plan(configured(yaml, distribution)), services)
  expect(services.log.lines.map(({ level, message, fields }) => [level, message, fields.signals])).toEqual([
    ['info', 'Component is in development and may change or break at any time', ['traces', 'logs']],
    ['debug', 'Component is beta', ['metrics']],
    ['debug', 'Component is stable', ['traces', 'metrics', 'logs']],
  ])
})
