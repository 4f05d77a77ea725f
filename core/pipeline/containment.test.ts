import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ConsumeContext,
  type Consumer,
  type Consumers,
  type Definition,
  defineConnector,
  defineExporter,
  defineExtension,
  defineProcessor,
  defineReceiver,
  type InstanceId,
  NO_CONTEXT,
  PermanentError,
  type PipelineContext,
  type Processor,
  RetryableError,
  RouteError,
  type Router,
  type Status,
} from '#core/component'
import { t } from '#core/config'
import type { Payload } from '#core/data'
import { FakeClock, logs, Sink, settle, traces } from '#core/testing'
import { Graph } from './graph.ts'
import { configured, faultsOf, testDistribution } from './pipeline.test-support.ts'
import { plan } from './plan.ts'
import { TestServices } from './services.test-support.ts'
import { boom, refuse } from './testdata/guest.ts'

const every = { traces: 'stable', logs: 'stable' } as const
const config = t.section({})
const HERE = /, at \S*guest\.ts:\d+:\d+$/

/** Statuses with the sentence of their error. */
class Services extends TestServices {
  readonly told: string[] = []
  override report(instance: InstanceId, status: Status, error?: Error): void {
    super.report(instance, status)
    if (error !== undefined) this.told.push(`${instance.kind} ${instance.id} ${status}: ${error.message}`)
  }
}

type Make = (next: Consumer, context: PipelineContext) => unknown

/** A guest between a receiver and a sink, and a pipeline beside it that shares the receiver. */
class Bench {
  readonly services = new Services(new FakeClock())
  readonly sink = new Sink()
  readonly neighbour = new Sink()
  readonly graph: Graph
  #inlet: Consumers = {}

  constructor(make: Make, guest: Definition = processorOf(make)) {
    const receiver = defineReceiver({
      type: 'in',
      description: 'In.',
      stability: every,
      config,
      create: (_config, next) => {
        this.#inlet = next
        return {}
      },
    })
    const sinks: Record<string, Sink> = { out: this.sink, 'out/neighbour': this.neighbour }
    const exporter = defineExporter({
      type: 'out',
      description: 'Out.',
      stability: every,
      config,
      create: (_config, context) => sinks[context.id.toString()]!,
    })
    const source = Object.assign(Object.create(guest), { source: join(import.meta.dirname, 'testdata/guest.ts') })
    const yaml = `
receivers: { in: }
processors: { ${guest.kind === 'processor' ? 'guest: ' : ''} }
connectors: { ${guest.kind === 'connector' ? 'guest: ' : ''} }
exporters: { out: , out/neighbour: , ${guest.kind === 'exporter' ? 'guest: ' : ''} }
service:
  pipelines:
    traces: { receivers: [in], processors: [${guest.kind === 'processor' ? 'guest' : ''}], exporters: [${guest.kind === 'processor' ? 'out' : 'guest'}] }
    traces/neighbour: { receivers: [in], exporters: [out/neighbour] }
    ${guest.kind === 'connector' ? 'logs: { receivers: [guest], exporters: [out] }' : ''}
`
    const distribution = testDistribution(receiver, exporter, source)
    this.graph = Graph.build(plan(configured(yaml, distribution)), this.services)
  }

  get clock(): FakeClock {
    return this.services.clock as FakeClock
  }

  send(payload: Payload<'traces'> = traces(2), context: ConsumeContext = NO_CONTEXT): Promise<void> {
    return this.#inlet.traces!.consume(payload, context)
  }

  static async start(make: Make, guest?: Definition): Promise<Bench> {
    const bench = new Bench(make, guest)
    await bench.graph.start()
    return bench
  }
}

function processorOf(make: Make): Definition {
  const create = (_config: unknown, _signal: string, next: Consumer, context: PipelineContext) =>
    make(next, context) as Processor
  return defineProcessor({ type: 'guest', description: 'A guest.', stability: every, config, create })
}

describe('what a guest does wrong with telemetry is its own, and its neighbour goes on', () => {
  test.each<[string, Make, string]>([
    ['throws in transform', () => ({ transform: () => boom() }), 'boom'],
    ['rejects in transform', () => ({ transform: async () => boom() }), 'boom'],
    ['throws in consume', () => ({ consume: () => boom() }), 'boom'],
    ['rejects in consume', () => ({ consume: async () => boom() }), 'boom'],
    ['rejects with no error', () => ({ consume: () => Promise.reject('a word') }), 'a word'],
    ['rejects with nothing', () => ({ consume: () => Promise.reject(undefined) }), 'undefined'],
    ['does not answer with a promise', () => ({ consume: () => 42 }), 'consume returned a number, not a promise'],
    ['forgets to return what it waits for', () => ({ consume() {} }), 'consume returned nothing, not a promise'],
    ['answers in transform', () => ({ transform: () => false }), 'transform returned a boolean: it edits the draft'],
    ['answers later in transform', () => ({ transform: async () => [] }), 'transform returned a list: it edits'],
    [
      'hands on nothing',
      next => ({ consume: () => next.consume(undefined as never, NO_CONTEXT) }),
      'cannot hand on nothing',
    ],
    [
      'hands on another signal',
      next => ({ consume: () => next.consume(logs(1), NO_CONTEXT) }),
      'cannot hand on a payload of logs: a payload of traces is needed',
    ],
    [
      'hands on without a context',
      next => ({ consume: (data: Payload) => next.consume(data, undefined as never) }),
      'cannot hand on telemetry with nothing: the context',
    ],
  ])('%s', async (_, make, message) => {
    const { services, neighbour, sink, send } = await bound(make)
    const error = await send().catch((error: unknown) => error)
    expect(String((error as Error | undefined)?.message ?? error)).toContain(message)
    expect(error).not.toBeInstanceOf(PermanentError)
    expect([neighbour.items, sink.items]).toEqual([2, 0])
    expect(services.told).toEqual([expect.stringContaining(`processor guest RecoverableError: ${message}`)])
    expect(services.log.messages('error')).toEqual(['Component failed'])
    expect(services.ledger.report().pipelines).toMatchObject({
      traces: { refused: 2 },
      'traces/neighbour': { delivered: 2 },
    })
  })

  test('names the place in its code', async () => {
    const { services, send } = await bound(() => ({ transform: () => boom() }))
    await expect(send()).rejects.toThrow('processor "guest" failed: boom')
    expect(services.told[0]).toMatch(HERE)
  })

  test('a refusal of its own is an answer, and so is one that it passes on', async () => {
    const { services, send } = await bound(() => ({ transform: () => refuse() }))
    await expect(send()).rejects.toBeInstanceOf(PermanentError)
    const passing = await bound(next => ({
      consume: (...all: Parameters<Consumer['consume']>) => next.consume(...all),
    }))
    passing.sink.refuse(new Error('no disk'))
    await expect(passing.send()).rejects.toThrow('no disk')
    expect([...services.told, ...passing.services.told].filter(text => text.includes('guest'))).toEqual([])
  })

  test('is well again once it works', async () => {
    let works = false
    const { services, send } = await bound(() => ({ transform: () => (works ? undefined : boom()) }))
    for (let i = 0; i < 3; i++) await expect(send()).rejects.toThrow('boom')
    works = true
    await send()
    expect(services.statuses.filter(text => text.startsWith('processor guest')).slice(2)).toEqual([
      'processor guest RecoverableError',
      'processor guest OK',
    ])
  })

  test('an exporter and a connector are guarded alike', async () => {
    const exporter = defineExporter({
      type: 'guest',
      description: 'A guest.',
      stability: every,
      config,
      create: () => ({ consume: () => boom() }),
    })
    const stability = { traces: { logs: 'beta' } } as const
    const create = (_config: unknown, _from: string, _to: string, next: Router) => ({
      consume: (data: Payload, context: ConsumeContext) => next.consume(data, context),
    })
    const connector = defineConnector({ type: 'guest', description: 'A guest.', stability, config, create })
    for (const [guest, message] of [
      [exporter, 'boom'],
      [connector, 'a payload of logs is needed'],
    ] as const) {
      const { send, services, neighbour } = await bound(() => undefined, guest)
      await expect(send()).rejects.toThrow(message)
      expect(services.told).toEqual([expect.stringContaining(`${guest.kind} guest RecoverableError`)])
      expect(neighbour.items).toBe(2)
    }
  })
})

describe('a guest that never answers', () => {
  const never = () => new Promise<void>(() => {})

  test.each<[string, Make]>([
    ['consume', () => ({ consume: never })],
    ['transform', () => ({ transform: never })],
  ])('%s: the sender is told to try again, and the neighbour has it', async (_, make) => {
    const { services, clock, neighbour, send } = await bound(make)
    const answer = send().catch((error: unknown) => error)
    await settle()
    expect(neighbour.items).toBe(2)
    await clock.advance(45_000)
    expect(await answer).toBeInstanceOf(RetryableError)
    expect(services.told).toEqual(['processor guest RecoverableError: processor "guest" has not answered within 30 s'])
    expect(clock.pending).toBe(0)
  })

  test('is not blamed for those behind it', async () => {
    const { services, sink, clock, send } = await bound(next => ({
      consume: (...all: Parameters<Consumer['consume']>) => next.consume(...all),
    }))
    sink.hold()
    const answer = send()
    await clock.advance(300_000)
    expect(services.told).toEqual([])
    sink.release()
    await answer
  })

  test('does not keep a start or a shutdown from ending', async () => {
    const starting = new Bench(() => ({ transform() {}, start: never }))
    const failed = expect(starting.graph.start()).rejects.toThrow(
      'failed to start "guest" processor: it did not start within 30 s',
    )
    await starting.clock.advance(30_000)
    await failed
    const { graph, clock } = await bound(() => ({ transform() {}, shutdown: never }))
    const ending = graph.shutdown()
    await clock.advance(30_000)
    expect((await ending).errors).toMatchObject([
      { message: expect.stringContaining('it did not shut down within 30 s') },
    ])
  })
})

describe('a guest that cannot be created or started is named with its place', () => {
  test.each<[string, Make, RegExp]>([
    [
      'create throws',
      () => boom(),
      /^failed to create "guest" processor, in pipeline "traces": boom, at \S+guest\.ts:\d+:\d+$/,
    ],
    ['create returns nothing', () => undefined, /: create returned nothing, not a component$/],
    [
      'create returns half a component',
      () => ({ start() {} }),
      /: create returned a component without transform or consume$/,
    ],
    [
      'start is no function',
      () => ({ transform() {}, start: 1 }),
      /: create returned a component whose start is not a function$/,
    ],
  ])('%s', (_, make, message) => {
    expect(() => new Bench(make)).toThrow(message)
  })

  test.each<[string, Make, RegExp]>([
    [
      'start throws',
      () => ({ transform() {}, start: () => boom() }),
      /^cannot start pipelines: failed to start "guest" processor: boom, at \S+$/,
    ],
    [
      'its routes are none',
      () => ({ transform() {}, routes: [{ path: 1 }] }),
      /its routes are not a list of method, path and handle$/,
    ],
    [
      'its readiness throws',
      () => ({
        transform() {},
        get readiness() {
          return boom()
        },
      }),
      /: boom, at \S+$/,
    ],
  ])('%s', async (_, make, message) => {
    await expect(new Bench(make).graph.start()).rejects.toThrow(message)
  })
})

test('a guest that cannot check its options or tell its dependencies is a fault with its place', () => {
  const source = join(import.meta.dirname, 'testdata/guest.ts')
  const common = { type: 'guest', description: 'A guest.', config, create: () => ({}), source }
  const processor = {
    ...defineProcessor({ ...common, stability: every, create: () => ({ transform() {} }) }),
    check: boom,
  }
  const extension = { ...defineExtension({ ...common, stability: 'beta' }), dependencies: boom }
  const yaml = (name: string) => `
receivers: { nop: }
exporters: { nop: }
${name}: { guest: }
service: { extensions: [${name === 'extensions' ? 'guest' : ''}], pipelines: { traces: { receivers: [nop], exporters: [nop] } } }
`
  const faults = (name: string) => faultsOf(() => plan(configured(yaml(name), testDistribution(processor, extension))))
  expect(faults('processors')).toEqual([
    expect.stringMatching(/^processors::guest: cannot be checked: boom, at \S+guest\.ts:\d+:\d+$/),
  ])
  expect(faults('extensions')).toEqual([
    expect.stringMatching(/cannot tell its dependencies: boom, at \S+guest\.ts:\d+:\d+$/),
  ])
})

describe('a route of a guest', () => {
  const request = { params: {}, query: {}, body: undefined, headers: {} }
  const routed = async (handle: () => unknown) => {
    const route = { method: 'GET', path: '/a', summary: 'A.', handle }
    const bench = await bound(() => ({ transform() {}, routes: [route] }))
    const [offered] = bench.services.host.routes()
    return { ...bench, get: async () => offered!.handle(request) }
  }

  test.each<[string, () => unknown, string]>([
    ['throws', () => boom(), 'boom'],
    ['rejects with no error', () => Promise.reject('a word'), 'a word'],
    ['answers nothing', () => undefined, 'the route /a answered nothing, not an object'],
  ])('%s', async (_, handle, message) => {
    const { services, get } = await routed(handle)
    const error = await get().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ message: expect.stringContaining(message) })
    expect(services.told).toEqual([expect.stringContaining(`processor guest RecoverableError: ${message}`)])
  })

  test('never answers', async () => {
    const { services, clock, get } = await routed(() => new Promise(() => {}))
    const answer = expect(get()).rejects.toThrow('has not answered within 30 s')
    await clock.advance(45_000)
    await answer
    expect(services.told).toHaveLength(1)
  })

  test('may refuse, and is offered once however often it is asked for', async () => {
    const { services, get } = await routed(() => {
      throw new RouteError(404, 'NOT_FOUND', 'No such thing')
    })
    await expect(get()).rejects.toBeInstanceOf(RouteError)
    expect(services.told).toEqual([])
    expect(services.host.routes()[0]).toBe(services.host.routes()[0])
  })
})

test("what a timer of a guest throws is laid at its door, and nobody else's", async () => {
  const { graph, services } = await bound(() => ({ transform() {} }))
  let error: unknown
  try {
    boom()
  } catch (thrown) {
    error = thrown
  }
  expect(graph.blame(error)).toBe(true)
  expect(services.told[0]).toMatch(HERE)
  expect(graph.blame(Object.assign(new Error('ours'), { stack: 'Error: ours\n    at /elsewhere/a.ts:1:1' }))).toBe(
    false,
  )
})

async function bound(make: Make, guest?: Definition) {
  const bench = await Bench.start(make, guest)
  const { services, sink, neighbour, clock, graph } = bench
  return { services, sink, neighbour, clock, graph, send: () => bench.send() }
}
