import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { type Clock, type Component, defineExtension, type InstanceId, type StatusEvent } from '#core/component'
import { ConfigError, t } from '#core/config'
import { FakeClock, settle, traces } from '#core/testing'
import { Lab } from '../pipeline/lab.test-support.ts'
import { Collector, type CollectorOptions } from './collector.ts'

const PIPELINES = 'pipelines: { traces: { receivers: [probe], processors: [queue], exporters: [probe] } }'
const QUIET = 'metrics: { level: none }, logs: { encoding: json, sampling: { enabled: false } }'

function yaml({ exporter = '', telemetry = QUIET, receiver = '', extension = '', service = PIPELINES } = {}): string {
  return `
receivers: { probe: ${receiver} }
processors: { queue: }
exporters: { probe: ${exporter} }
extensions: { probe: ${extension} }
service: { telemetry: { ${telemetry} }, extensions: [probe], ${service} }`
}

/** A collector of lab components whose only source can be rewritten, and whose log lines are kept. */
class Bench implements AsyncDisposable {
  readonly lab = new Lab()
  readonly lines: { readonly level: string; readonly msg: string; readonly [field: string]: unknown }[] = []
  readonly collector: Collector
  text: string

  constructor(
    text: string,
    options: { clock?: Clock; extensions?: CollectorOptions['distribution']['extensions'] } = {},
  ) {
    this.text = text
    const { extensions = [], ...rest } = options
    const output = { write: (line: string) => this.lines.push(JSON.parse(line)) }
    const { distribution } = this.lab
    this.collector = new Collector({
      ...rest,
      distribution: { ...distribution, extensions: [...extensions, ...distribution.extensions] },
      sources: ['config.yaml'],
      env: {},
      resolve: { readFile: async () => this.text },
      streams: { stdout: output, stderr: output },
    })
  }

  static async start(...args: ConstructorParameters<typeof Bench>): Promise<Bench> {
    const bench = new Bench(...args)
    await bench.collector.start()
    bench.lab.since()
    return bench
  }

  messages(level?: string): string[] {
    return this.lines.filter(line => level === undefined || line.level === level).map(line => line.msg)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.collector.shutdown().catch(() => {})
  }
}

test('a collector starts, carries telemetry and stops, and says so in the words of the Collector', async () => {
  const bench = new Bench(yaml())
  expect(bench.collector.state).toBe('Starting')
  await bench.collector.start()
  expect(bench.collector.state).toBe('Running')
  await bench.lab.feed('probe', traces(3))
  const closed = bench.collector.shutdown()
  expect(bench.collector.state).toBe('Closing')
  await closed
  expect(bench.collector.state).toBe('Closed')
  expect(bench.lab.sinks.get('probe')!.items).toBe(3)
  expect(bench.messages()).toEqual([
    'Starting test...',
    'Starting extensions...',
    'Extension is starting...',
    'Extension started.',
    'Everything is ready. Begin running and processing data.',
    'Starting shutdown...',
    'Stopping extensions...',
    'Shutdown complete.',
  ])
  expect(bench.lines[0]).toMatchObject({ Version: '1.2.3', NumCPU: expect.any(Number) })
  expect(bench.collector.host.ledger().pipelines.traces).toMatchObject({ received: 3, delivered: 3, queued: 0 })
})

test('a collector can be made from an object, and two live side by side', async () => {
  const [one, two] = [new Lab(), new Lab()]
  const config = {
    receivers: { probe: { tag: `\${env:WHO}` } },
    exporters: { probe: null },
    service: {
      telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
      pipelines: { traces: { receivers: ['probe'], exporters: ['probe'] } },
    },
  }
  await using first = new Collector({ distribution: one.distribution, config, env: { WHO: 'first' } })
  await using second = new Collector({ distribution: two.distribution, config, env: { WHO: 'second' } })
  await Promise.all([first.start(), second.start()])
  await one.feed('probe', traces(1))
  expect([one.sinks.get('probe')!.items, two.sinks.get('probe')!.items]).toEqual([1, 0])
  expect(first.host.ledger().pipelines.traces!.received).toBe(1)
  expect(second.host.ledger().pipelines.traces?.received).toBe(0)
})

test('a configuration with faults does not start, and all faults are told', async () => {
  const bench = new Bench('receivers: { probe: { tga: 1 } }\nservice: {}')
  await expect(bench.collector.start()).rejects.toThrow(ConfigError)
  expect(bench.collector.state).toBe('Closed')
  await bench.collector.shutdown()
  await expect(bench.collector.start()).rejects.toThrow('a collector starts only once')
})

const failing: readonly (readonly [string, string, string])[] = [
  [
    'created',
    yaml({ exporter: '{ fail: [create] }' }),
    'failed to build pipelines: failed to create "probe" exporter: create says no',
  ],
  [
    'started',
    yaml({ exporter: '{ fail: [start] }' }),
    'cannot start pipelines: failed to start "probe" exporter: start says no',
  ],
  [
    'started (extension)',
    yaml({ extension: '{ fail: [start] }' }),
    'failed to start extensions: failed to start "probe" extension: start says no',
  ],
]
test.each(failing)('a component that cannot be %s ends the start', async (_when, text, message) => {
  const bench = new Bench(text)
  await expect(bench.collector.start()).rejects.toThrow(message)
  expect(bench.collector.state).toBe('Closed')
})

test('a reload restarts what changed and keeps the rest', async () => {
  await using bench = await Bench.start(yaml())
  await bench.lab.feed('probe', traces(2))
  bench.text = yaml({ exporter: '{ tag: new }' })
  const change = await bench.collector.reload()
  expect(change).toMatchObject({ started: ['"probe" exporter'], stopped: ['"probe" exporter'] })
  expect(bench.lab.since()).toEqual(['exporter probe create', 'exporter probe stop', 'exporter probe start'])
  expect(bench.messages().at(-1)).toBe('Config updated')
  await bench.collector.shutdown()
  expect(bench.lab.sinks.get('probe')!.items).toBe(2)
})

test('reloads asked for at the same time happen one after the other', async () => {
  await using bench = await Bench.start(yaml())
  bench.text = yaml({ exporter: '{ tag: new }' })
  const [first, second] = await Promise.all([bench.collector.reload(), bench.collector.reload()])
  expect([first.started.length, second.started.length]).toEqual([1, 0])
})

const bad: readonly (readonly [string, string, string])[] = [
  ['is not YAML', 'receivers: [', 'config.yaml:1'],
  ['has faults', yaml({ exporter: '{ tga: x }' }), 'has invalid keys: tga'],
  ['cannot be created', yaml({ exporter: '{ fail: [create] }' }), 'create says no'],
  ['does not start', yaml({ exporter: '{ fail: [start] }' }), 'start says no'],
  [
    'does not start under another telemetry',
    yaml({ exporter: '{ fail: [start] }', telemetry: `${QUIET}, resource: { a: b }` }),
    'start says no',
  ],
]
test.each(bad)('a new configuration that %s leaves the old one running and is told', async (_what, text, message) => {
  await using bench = await Bench.start(yaml())
  bench.text = text
  await expect(bench.collector.reload()).rejects.toThrow(message)
  expect(bench.collector.state).toBe('Running')
  const line = bench.lines.find(one => one.msg === 'Config not updated, the previous one keeps running')
  expect(JSON.stringify(line)).toContain(message)
  await bench.lab.feed('probe', traces(4))
  await bench.collector.shutdown()
  expect(bench.lab.sinks.get('probe')!.items).toBe(4)
})

test('a change of own telemetry restarts everything', async () => {
  await using bench = await Bench.start(yaml())
  await bench.lab.feed('probe', traces(1))
  const old = bench.lab.sinks.get('probe')!
  bench.text = yaml({ telemetry: `${QUIET}, resource: { region: north }` })
  const { kept, started } = await bench.collector.reload()
  expect([kept, started.length]).toEqual([[], 4])
  expect(old.items).toBe(1)
  expect(bench.messages('warn')).toEqual(['Config updated, restart service'])
  expect(JSON.stringify(bench.lines.at(-1))).toContain('north')
  await bench.lab.feed('probe', traces(2))
  expect(bench.collector.host.extension('probe')).toBeDefined()
  expect(bench.collector.host.ledger().pipelines.traces!.received).toBe(3)
  expect(bench.collector.plan!.configuration.telemetry).toMatchObject({ resource: { region: 'north' } })
})

test('a fatal error of a component is told, and the collector shuts itself down', async () => {
  const bench = await Bench.start(yaml())
  bench.lab.contexts.get('exporter probe')!.report('FatalError', new Error('disk is gone'))
  expect(await bench.collector.fatal).toMatchObject({ message: 'disk is gone' })
  await bench.collector.shutdown()
  expect(bench.collector.state).toBe('Closed')
  expect(bench.messages('error')).toEqual(['Asynchronous error received, terminating process'])
  expect(bench.lab.since()).toContain('receiver probe stop')
})

test('a component that fails fatally while it starts ends the start with what it said', async () => {
  const bench = new Bench(yaml())
  const gate = Promise.withResolvers<void>()
  bench.lab.startGates.set('exporter probe', gate.promise)
  const started = expect(bench.collector.start()).rejects.toThrow('disk is gone')
  await settle()
  bench.lab.contexts.get('exporter probe')!.report('FatalError', new Error('disk is gone'))
  bench.lab.contexts.get('extension probe')!.report('FatalError', new Error('one more'))
  gate.resolve()
  await started
  await bench.collector.shutdown()
  expect(bench.messages('error')).toEqual(['Asynchronous error received, terminating process'])
})

test('a metrics page that cannot open ends the start, and what was created is shut down', async () => {
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const page = `{ pull: { exporter: { prometheus: { host: 127.0.0.1, port: ${port} } } } }`
  const bench = new Bench(yaml({ telemetry: `metrics: { readers: [${page}] }, logs: { encoding: json }` }))
  await expect(bench.collector.start()).rejects.toThrow('address already in use')
  expect(bench.collector.state).toBe('Closed')
  expect(bench.lab.since().filter(entry => entry.endsWith('stop'))).toHaveLength(4)
})

test('a watcher that throws disturbs nobody', async () => {
  await using bench = await Bench.start(yaml())
  const { host } = bench.collector
  host.onContributionsChanged(() => {
    throw new Error('never mind')
  })
  host.onStatus(() => {
    throw new Error('watcher is broken')
  })
  bench.text = yaml({ exporter: '{ tag: new }' })
  await bench.collector.reload()
  expect(new Set(bench.messages('error'))).toEqual(new Set(['A component failed to take in what it watches']))
})

test('a reload after which nothing runs is fatal', async () => {
  const bench = await Bench.start(yaml())
  const gate = Promise.withResolvers<void>()
  bench.lab.startGates.set('exporter probe', gate.promise)
  bench.text = yaml({ exporter: '{ fail: [start] }' })
  const failed = expect(bench.collector.reload()).rejects.toThrow('cannot bring back the previous configuration')
  gate.reject(new Error('port taken'))
  await failed
  expect(await bench.collector.fatal).toMatchObject({ name: 'NotRestored' })
  await bench.collector.shutdown()
  expect(bench.collector.state).toBe('Closed')
})

test('when the deadline of a shutdown passes, what remains is given up and named with what was queued', async () => {
  const clock = new FakeClock()
  const bench = await Bench.start(yaml(), { clock })
  await bench.lab.feed('probe', traces(5))
  bench.lab.contexts.get('exporter probe')!.ledger.queued('traces', 7)
  const hanging = Promise.withResolvers<void>()
  bench.lab.stopGates.set('exporter probe', hanging.promise)
  const closed = bench.collector.shutdown(30_000)
  await clock.advance(29_999)
  expect(bench.collector.state).toBe('Closing')
  await clock.advance(1)
  await closed
  expect(bench.collector.state).toBe('Closed')
  expect(bench.lines.find(line => line.level === 'warn')).toMatchObject({
    msg: 'Shutdown deadline passed, giving up what has not finished',
    components: ['"probe" exporter'],
    queued: { probe: 7 },
  })
  hanging.resolve()
})

test('a second shutdown may bring a shorter deadline', async () => {
  const clock = new FakeClock()
  const bench = await Bench.start(yaml(), { clock })
  bench.lab.stopGates.set('receiver probe', new Promise(() => {}))
  const first = bench.collector.shutdown()
  const second = bench.collector.shutdown(10)
  await clock.advance(10)
  await Promise.all([first, second])
  expect(bench.collector.state).toBe('Closed')
})

test('components that fail to shut down are told at the end', async () => {
  const bench = await Bench.start(yaml({ exporter: '{ fail: [stop] }' }))
  await expect(bench.collector.shutdown()).rejects.toThrow(
    'failed to shutdown pipelines: failed to shut down "probe" exporter: stop says no',
  )
  expect(bench.collector.state).toBe('Closed')
})

test('a collector can be shut down at any moment', async () => {
  const early = new Bench(yaml())
  await early.collector.shutdown()
  expect(early.collector.state).toBe('Closed')

  const reading = new Bench(yaml())
  const started = expect(reading.collector.start()).rejects.toThrow('the collector is Closing')
  await reading.collector.shutdown()
  await started
  expect(reading.lab.since()).toEqual([])

  const starting = new Bench(yaml())
  const gate = Promise.withResolvers<void>()
  starting.lab.startGates.set('exporter probe', gate.promise)
  const failed = expect(starting.collector.start()).rejects.toThrow('shutting down')
  await settle()
  const closed = starting.collector.shutdown()
  gate.resolve()
  await Promise.all([failed, closed])
  expect(starting.collector.state).toBe('Closed')

  const reloading = await Bench.start(yaml())
  reloading.lab.startGates.set('exporter probe', gate.promise)
  reloading.text = yaml({ exporter: '{ tag: new }' })
  const reloaded = expect(reloading.collector.reload()).rejects.toThrow('not Running')
  await reloading.collector.shutdown()
  await reloaded
  await expect(reloading.collector.reload()).rejects.toThrow('the collector is Closed, not Running')
})

test('warnings about the configuration are logged with their place', async () => {
  await using bench = await Bench.start(yaml({ receiver: `{ tag: "\${env:UNSET}" }` }))
  expect(bench.lines.find(line => line.level === 'warn')).toMatchObject({
    msg: 'Configuration references unset environment variable',
    name: 'UNSET',
  })
})

test('the host shows extensions, contributions and statuses of what runs', async () => {
  const seen: string[] = []
  let changes = 0
  const console = defineExtension({
    type: 'console',
    description: 'Offers a route and watches.',
    stability: 'stable',
    config: t.section({}),
    create: (): Component => ({
      routes: [{ method: 'GET', path: '/x', summary: 'X', handle: () => ({}) }],
      readiness: [{ name: 'x', read: () => ({ state: 'OK' }) }],
      start: async host => {
        host.onStatus((instance: InstanceId, event: StatusEvent) => seen.push(`${instance.id} ${event.status}`))
        host.onContributionsChanged(() => changes++)
      },
    }),
  })
  const text = yaml()
    .replace('extensions: { probe', 'extensions: { console: , probe')
    .replace('[probe], pipe', '[console, probe], pipe')
  const bench = await Bench.start(text, { extensions: [console] })
  const { host } = bench.collector
  expect([...host.extensions.keys()]).toEqual(['console', 'probe'])
  expect(host.extension('nothing')).toBeUndefined()
  expect(host.routes().map(route => route.path)).toEqual(['/x'])
  expect(host.readiness().map(part => part.name)).toEqual(['x'])
  expect(host.build).toEqual({ command: 'test', description: 'A distribution for tests', version: '1.2.3' })
  expect((await host.metricsText()).contentType).toContain('text/plain')
  expect(changes).toBe(1)
  await bench.collector.shutdown()
  expect([host.extensions.size, host.routes().length, changes]).toEqual([0, 0, 2])
  expect(seen.slice(0, 3)).toEqual(['console Starting', 'console OK', 'probe Starting'])
  expect(seen.at(-1)).toBe('console Stopped')
})
