import {
  type Clock,
  type Component,
  type Consumer,
  type Consumers,
  type Context,
  type Distribution,
  defineConnector,
  defineExporter,
  defineExtension,
  defineProcessor,
  defineReceiver,
  type Router,
} from '#core/component'
import { t } from '#core/config'
import type { Payload } from '#core/data'
import { Sink } from '#core/testing'
import { type Change, Graph } from './graph.ts'
import { configured, testDistribution } from './pipeline.test-support.ts'
import { plan } from './plan.ts'
import type { Plan } from './planned.ts'
import { TestServices } from './services.test-support.ts'

const every = { traces: 'stable', metrics: 'stable', logs: 'stable' } as const

const probeConfig = t.section({
  tag: t.string({ default: '', description: 'To tell configurations apart.' }),
  fail: t.list(t.oneOf(['create', 'start', 'stop'], { description: 'A moment.' }), {
    default: [],
    description: 'When to throw.',
  }),
  uses: t.list(t.string({ description: 'An extension.' }), {
    default: [],
    description: 'Extensions asked for at start.',
  }),
  depends: t.list(t.string({ description: 'An extension.' }), { default: [], description: 'Extensions needed.' }),
  drop: t.integer({ default: 0, description: 'Transforms: drops every n-th record.' }),
})
type ProbeConfig = NonNullable<(typeof probeConfig)['~type']>

/** What the queue processor keeps until it stops or is told to flush. */
interface Kept {
  flush(): Promise<void>
}

/**
 * A distribution of small real components that write down what happens to them: `receiver otlp start`. Tests feed
 * through `feed` and look into `sinks`.
 */
export class Lab {
  /** What happened, in order: `<kind> <id> <create|start|stop>`; processors with `@pipeline`. */
  readonly journal: string[] = []
  /** What each running receiver was given. */
  readonly inlets = new Map<string, Consumers>()
  /** The latest instance of each exporter. */
  readonly sinks = new Map<string, Sink>()
  readonly routers = new Map<string, Router>()
  readonly queues = new Map<string, Kept>()
  readonly contexts = new Map<string, Context>()
  /** While an entry is here, stopping that component waits for it. */
  readonly stopGates = new Map<string, Promise<void>>()
  readonly startGates = new Map<string, Promise<void>>()
  /** Called with the name of each component while it is created. */
  created: (name: string) => void = () => {}
  readonly distribution: Distribution

  constructor() {
    const common = { type: 'probe', description: 'Writes down what happens to it.', config: probeConfig }
    const receiver = defineReceiver({
      ...common,
      stability: every,
      create: (config, next, context) => {
        const component = this.#component(`receiver ${context.id}`, config, context)
        return {
          ...component,
          start: async host => {
            await component.start?.(host)
            this.inlets.set(context.id.toString(), next as Consumers)
          },
        }
      },
    })
    const pass = defineProcessor({
      ...common,
      stability: every,
      create: (config, _signal, next, context) => ({
        ...this.#component(`processor ${context.id}@${context.pipelines}`, config, context),
        consume: (data: Payload, from) => next.consume(data, from),
      }),
    })
    const transform = defineProcessor({
      ...common,
      type: 'transform',
      stability: every,
      create: (config, _signal, _next, context) => ({
        ...this.#component(`processor ${context.id}@${context.pipelines}`, config, context),
        transform: draft => {
          if (config.fail.includes('start')) throw new TypeError('boom')
          let n = 0
          for (const record of draft.records()) if (config.drop > 0 && ++n % config.drop === 0) record.drop()
        },
      }),
    })
    const queue = defineProcessor({
      ...common,
      type: 'queue',
      stability: every,
      create: (config, signal, next, context) => this.#queue(config, signal, next, context),
    })
    const exporter = defineExporter({
      ...common,
      stability: every,
      create: (config, context) => {
        const component = this.#component(`exporter ${context.id}`, config, context)
        const sink = new Sink()
        this.sinks.set(context.id.toString(), sink)
        const consume: Consumer['consume'] = async (data, from) => {
          await sink.consume(data, from)
          context.ledger.sent(data.signal, data.items)
        }
        return { ...component, consume }
      },
    })
    const connector = defineConnector({
      ...common,
      stability: { traces: every, metrics: every, logs: every },
      create: (config, from, to, next, context) => {
        this.routers.set(context.id.toString(), next)
        const name = `connector ${context.id} ${from}>${to}`
        return { ...this.#component(name, config, context), consume: (data: Payload, c) => next.consume(data, c) }
      },
    })
    const extension = defineExtension({
      ...common,
      stability: 'stable',
      dependencies: config => config.depends,
      create: (config, context) => this.#component(`extension ${context.id}`, config, context),
    })
    this.distribution = testDistribution(receiver, pass, transform, queue, exporter, connector, extension)
  }

  /** Hands a payload to a receiver's pipelines, as the receiver would. */
  feed(receiver: string, data: Payload, context = { metadata: new Map<string, readonly string[]>() }): Promise<void> {
    const inlet = this.inlets.get(receiver)?.[data.signal] as Consumer | undefined
    if (inlet === undefined) throw new Error(`receiver ${receiver} has no way for ${data.signal}`)
    return inlet.consume(data, context)
  }

  /** The journal since the last call. */
  since(): string[] {
    return this.journal.splice(0)
  }

  #component(name: string, config: ProbeConfig, context: Context): Component {
    this.contexts.set(name, context)
    this.created(name)
    const happen = (what: 'create' | 'start' | 'stop') => {
      this.journal.push(`${name} ${what}`)
      if (config.fail.includes(what) && !name.includes('transform')) throw new Error(`${what} says no`)
    }
    happen('create')
    return {
      start: async host => {
        await this.startGates.get(name)
        for (const id of config.uses) host.extension(id)
        happen('start')
      },
      shutdown: async () => {
        await this.stopGates.get(name)
        happen('stop')
      },
    }
  }

  /** Acknowledges at once, keeps, hands on at `flush` and when it stops. What is refused then is dropped. */
  #queue(config: ProbeConfig, signal: Payload['signal'], next: Consumer, context: Context): Component & Consumer {
    const name = `processor ${context.id}@${(context as Context & { pipelines: readonly string[] }).pipelines}`
    const component = this.#component(name, config, context)
    const kept: Payload[] = []
    const flush = async () => {
      for (const data of kept.splice(0)) {
        context.ledger.queued(signal, -data.items)
        try {
          await next.consume(data, { metadata: new Map() })
        } catch {
          context.ledger.dropped(signal, data.items, 'refused')
        }
      }
    }
    this.queues.set(name, { flush })
    return {
      ...component,
      consume: async data => {
        kept.push(data)
        context.ledger.queued(signal, data.items)
      },
      shutdown: async () => {
        await flush()
        await component.shutdown?.()
      },
    }
  }
}

/** A graph of lab components from YAML, with everything around it at hand. */
export class Rig {
  readonly lab = new Lab()
  readonly services: TestServices
  readonly graph: Graph

  constructor(yaml: string, clock?: Clock) {
    this.services = new TestServices(clock)
    this.graph = Graph.build(this.plan(yaml), this.services)
  }

  plan(yaml: string): Plan {
    return plan(configured(yaml, this.lab.distribution))
  }

  /** A rig that runs; its journal begins after the start. */
  static async start(yaml: string, clock?: Clock): Promise<Rig> {
    const rig = new Rig(yaml, clock)
    await rig.graph.start()
    rig.lab.since()
    rig.services.statuses.length = 0
    return rig
  }

  reload(yaml: string, patience = 60_000): Promise<Change> {
    return this.graph.reload(this.plan(yaml), patience)
  }
}
