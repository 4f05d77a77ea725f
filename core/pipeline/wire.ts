import type { Consumer } from '#core/component'
import type { Signal } from '#core/data'
import { consumedBy, entering, leaving, producedBy } from './edge-meters.ts'
import { fanOut } from './fan-out.ts'
import { type EdgeMeter, Link } from './link.ts'
import type { PlanNode, PlannedPipeline } from './planned.ts'
import type { Running } from './running.ts'
import type { GraphServices } from './services.ts'
import { type Stage, TransformChain } from './transform-chain.ts'

type Services = Pick<GraphServices, 'meter' | 'ledger'>

/**
 * Computes where every outlet leads. Running components keep their outlets over a reload, so a new wiring is a matter
 * of connecting them anew; payloads under way are not disturbed.
 */
export class Wiring {
  readonly #pipelines: ReadonlyMap<string, PlannedPipeline>
  readonly #running: ReadonlyMap<string, Running>
  readonly #services: Services
  /** The way into each pipeline. */
  readonly #inlets = new Map<string, Link>()
  /** Where each processor leads. */
  readonly #after = new Map<string, Link>()

  constructor(
    pipelines: ReadonlyMap<string, PlannedPipeline>,
    running: ReadonlyMap<string, Running>,
    services: Services,
  ) {
    this.#pipelines = pipelines
    this.#running = running
    this.#services = services
    for (const [id, pipeline] of pipelines) this.#inlets.set(id, this.#enter(id, pipeline))
  }

  /** Connects the outlets of one component. */
  connect(running: Running): void {
    const { node } = running
    if (node.kind === 'processor') {
      running.outlets.get(node.signals[0])!.connect(this.#after.get(node.key)!)
      return
    }
    for (const [signal, cell] of running.outlets) {
      const meters = producedBy(node, this.#services.meter(), signal)
      cell.connect(Link.to(fanOut(this.#fedBy(node, signal).map(id => this.#inlets.get(id)!)), meters))
    }
    for (const [id, cell] of running.routes) {
      const meters = producedBy(node, this.#services.meter(), node.signals[1]!)
      cell.connect(Link.to(this.#inlets.get(id)!, meters))
    }
  }

  #fedBy(node: PlanNode, signal: Signal): string[] {
    return [...this.#pipelines]
      .filter(([, { id, sources }]) => id.signal === signal && sources.includes(node.key))
      .map(([id]) => id)
  }

  /** From the last hop of a pipeline back to the first. */
  #enter(id: string, pipeline: PlannedPipeline): Link {
    const { signal } = pipeline.id
    const account = this.#services.ledger.pipeline(id)
    const targets = pipeline.targets.map(key => this.#handOver(this.#running.get(key)!, signal))
    let next: Consumer = Link.to(fanOut(targets), [leaving(account)])
    let stages: Stage[] = []
    for (const key of pipeline.processors.toReversed()) {
      const running = this.#running.get(key)!
      const produced = producedBy(running.node, this.#services.meter(), signal)
      const consumed = consumedBy(running.node, this.#services.meter(), signal)
      const { transform } = running
      if (transform === undefined) {
        next = Link.to(chain(stages, next), produced)
        stages = []
        this.#after.set(key, next as Link)
        next = Link.to(running.consumer, consumed, running.guard)
      } else {
        this.#after.set(key, Link.to(chain(stages, next), produced))
        stages = [this.#stage(running, transform, consumed, produced), ...stages]
      }
    }
    return Link.to(chain(stages, next), [entering(account)])
  }

  #handOver(running: Running, signal: Signal): Link {
    const meters = consumedBy(running.node, this.#services.meter(), signal)
    if (running.node.kind === 'exporter') meters.unshift(entering(this.#services.ledger.exporter(running.instance.id)))
    return Link.to(running.consumer, meters, running.guard)
  }

  #stage(running: Running, transform: Stage['transform'], before: EdgeMeter[], after: EdgeMeter[]): Stage {
    const { guard, instance } = running
    const { id } = instance
    const ledger = this.#services.ledger.component(instance)
    return {
      id,
      transform,
      before,
      after,
      guard,
      dropped: items => ledger.dropped(running.node.signals[0]!, items, id),
    }
  }
}

function chain(stages: readonly Stage[], next: Consumer): Consumer {
  return stages.length === 0 ? next : new TransformChain(stages, next)
}
