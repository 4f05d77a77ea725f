import { errorPlace } from '#core/component'
import type { Cell } from './cell.ts'
import { describe, sentence } from './describe.ts'
import { keepable } from './difference.ts'
import { startComponent, stopInOrder } from './lifecycle.ts'
import { outletsInto } from './outlets-into.ts'
import type { Plan, PlanNode } from './planned.ts'
import { Running } from './running.ts'
import type { GraphServices } from './services.ts'
import { SharedStates } from './shared-states.ts'
import { Wiring } from './wire.ts'

/** What a reload did, as descriptions of components. */
export interface Change {
  readonly kept: readonly string[]
  readonly stopped: readonly string[]
  readonly started: readonly string[]
}

/** How a graph ended. */
export interface Ending {
  /** What components said that failed to shut down. */
  readonly errors: readonly Error[]
  /** Descriptions of the components that had not finished when patience ended. */
  readonly givenUp: readonly string[]
}

/** A reload failed and what ran before could not be brought back: telemetry is no longer flowing everywhere. */
export class NotRestored extends Error {
  override name = 'NotRestored'
}

/** The components of one collector, wired as a plan says. Calls must not overlap, except that `shutdown` may cut in. */
export class Graph {
  readonly #services: GraphServices
  readonly #states = new SharedStates()
  readonly #held = new Set<Cell>()
  /** Components of earlier plans that a reload did not wait for any longer. */
  readonly #departing = new Map<Running, Promise<void>>()
  #closing = false
  #plan: Plan
  #running: ReadonlyMap<string, Running>

  private constructor(plan: Plan, services: GraphServices) {
    this.#plan = plan
    this.#services = services
    this.#running = this.#create(plan, new Map())
  }

  /**
   * Creates every component of the plan. Nothing is opened yet.
   * @throws {Error} when a component cannot be created
   */
  static build(plan: Plan, services: GraphServices): Graph {
    return new Graph(plan, services)
  }

  /** What runs, or is about to. */
  get plan(): Plan {
    return this.#plan
  }

  /** Descriptions of everything that runs, in start order. */
  get components(): readonly string[] {
    return describeAll(this.#running, () => true)
  }

  /**
   * Starts extensions, then exporters, processors and connectors, receivers last of all.
   * @throws {Error} in the Collector's words when one does not start; everything has been stopped again then
   */
  async start(): Promise<void> {
    try {
      this.#services.logger().info('Starting extensions...')
      await this.#start(new Set())
    } catch (error) {
      await stopInOrder(this.#stopOrder(), this.#services, this.#states, never())
      throw error
    }
  }

  /**
   * Stops receivers first and exporters last, then the extensions; one that fails does not keep the others from it.
   * @param patience when it resolves, the rest is told to stop at once and given up
   */
  async shutdown(patience: Promise<void> = never()): Promise<Ending> {
    this.#closing = true
    const logger = this.#services.logger()
    const all = this.#stopOrder()
    const extensions = all.filter(running => running.node.kind === 'extension')
    const components = all.filter(running => running.node.kind !== 'extension')
    const first = await stopInOrder(components, this.#services, this.#states, patience)
    logger.info('Stopping extensions...')
    const second = await stopInOrder(extensions, this.#services, this.#states, patience)
    await Promise.race([Promise.all(this.#departing.values()), patience])
    this.#release()
    const unfinished = [first.unfinished, second.unfinished, this.#departing].flatMap(some => [...some.keys()])
    return {
      errors: [...first.errors, ...second.errors],
      givenUp: unfinished.map(running => describe(running.node)),
    }
  }

  /**
   * Becomes another plan. Components that need not change go on running; of the others, the old ones stop, then the
   * new ones start, and telemetry on its way to them waits. When that fails, what ran before is brought back.
   * @param patience milliseconds to wait for old components; a queue that needs longer goes on draining meanwhile
   * @throws {Error} why the new plan could not be taken; the old one is running
   * @throws {NotRestored} when not even that succeeded
   */
  async reload(plan: Plan, patience: number): Promise<Change> {
    const before = this.#plan
    try {
      return await this.#become(plan, patience)
    } catch (cause) {
      if (this.#closing) {
        await stopInOrder(this.#stopOrder(), this.#services, this.#states, never())
        throw cause
      }
      try {
        await Promise.all(this.#departing.values())
        await this.#become(before, Number.POSITIVE_INFINITY)
      } catch (error) {
        this.#release()
        const message = `cannot bring back the previous configuration: ${sentence(error)} (after: ${sentence(cause)})`
        throw new NotRestored(message, { cause })
      }
      throw cause
    }
  }

  /**
   * Lays an error that nobody caught, thrown by a timer or a promise that nobody waits for, at the door of the component
   * whose code it comes from.
   * @returns whether it comes from a component that was loaded from a file or package
   */
  blame(error: unknown): boolean {
    const suspects = [...this.#running.values()].flatMap(running => {
      const { source } = running.node.configured.definition
      const place = source === undefined ? undefined : errorPlace(error, source)
      return place === undefined ? [] : [{ running, own: place.startsWith(`${source}:`) }]
    })
    // Several components may lie in one folder.
    const guilty = suspects.find(({ own }) => own) ?? suspects[0]
    guilty?.running.guard.failed(error)
    return guilty !== undefined
  }

  async #become(plan: Plan, patience: number): Promise<Change> {
    const { clock } = this.#services
    const kept = keepable(this.#running, plan)
    const next = this.#create(plan, new Map([...this.#running].filter(([key]) => kept.has(key))))
    const leaving = this.#stopOrder().filter(running => !kept.has(running.node.key))
    const over = Promise.withResolvers<void>()
    const timer = Number.isFinite(patience) ? clock.after(patience, over.resolve) : undefined
    const stopped = await stopInOrder(leaving, this.#services, this.#states, over.promise, running => {
      this.#hold(running, kept)
      return next.has(running.node.key)
    })
    timer?.cancel()
    for (const [running, end] of stopped.unfinished) {
      this.#services.gone(running.instance)
      this.#departing.set(running, end)
      void end.then(() => this.#departing.delete(running))
    }
    this.#plan = plan
    this.#running = next
    for (const node of nodesOf(plan)) next.get(node.key)!.serve(node, this.#services)
    await this.#start(kept)
    return {
      kept: describeAll(next, key => kept.has(key)),
      started: describeAll(next, key => !kept.has(key)),
      stopped: leaving.map(running => describe(running.node)),
    }
  }

  /** The components of a plan: those in `kept`, and new ones for the rest. Extensions come first. */
  #create(plan: Plan, kept: ReadonlyMap<string, Running>): ReadonlyMap<string, Running> {
    const created: [string, Running][] = []
    try {
      for (const node of nodesOf(plan)) {
        created.push([node.key, kept.get(node.key) ?? new Running(node, this.#services, this.#states)])
      }
    } catch (error) {
      const orphans = created.flatMap(([key, running]) => (kept.has(key) ? [] : running))
      void stopInOrder(orphans, this.#services, this.#states, never())
      throw error
    }
    return new Map(created)
  }

  /** Connects everything and starts what is not in `kept`. */
  async #start(kept: ReadonlySet<string>): Promise<void> {
    const { extensions, components, pipelines } = this.#plan
    const fresh = (node: PlanNode) => !kept.has(node.key)
    const wiring = new Wiring(pipelines, this.#running, this.#services)
    for (const node of components.filter(fresh)) wiring.connect(this.#running.get(node.key)!)

    await this.#startEach('failed to start extensions', extensions.filter(fresh))
    const isReceiver = (node: PlanNode) => node.kind === 'receiver'
    await this.#startEach(
      'cannot start pipelines',
      components.filter(node => fresh(node) && !isReceiver(node)),
    )
    for (const node of components) if (!fresh(node)) wiring.connect(this.#running.get(node.key)!)
    this.#release()
    await this.#startEach(
      'cannot start pipelines',
      components.filter(node => fresh(node) && isReceiver(node)),
    )
  }

  async #startEach(failure: string, nodes: readonly PlanNode[]): Promise<void> {
    for (const { key } of nodes) {
      const running = this.#running.get(key)!
      try {
        if (!this.#closing) await startComponent(running, this.#services)
      } catch (cause) {
        throw new Error(`${failure}: ${sentence(cause)}`, { cause })
      }
      if (!this.#closing) continue
      await stopInOrder([running], this.#services, this.#states, never())
      throw new Error(`${failure}: the collector is shutting down`)
    }
  }

  /** Makes those who feed a component wait, right before it stops: whoever feeds them has stopped or stays. */
  #hold(stopping: Running, kept: ReadonlySet<string>): void {
    for (const [feeder, outlet] of outletsInto(stopping.node.key, this.#plan.pipelines.values(), this.#running)) {
      if (!kept.has(feeder.node.key)) continue
      outlet.hold()
      this.#held.add(outlet)
    }
  }

  #release(): void {
    for (const cell of this.#held) cell.release()
    this.#held.clear()
  }

  #stopOrder(): Running[] {
    return nodesOf(this.#plan)
      .toReversed()
      .map(node => this.#running.get(node.key)!)
  }
}

/** In start order. */
function nodesOf(plan: Plan): PlanNode[] {
  return [...plan.extensions, ...plan.components]
}

function describeAll(running: ReadonlyMap<string, Running>, which: (key: string) => boolean): string[] {
  return [...running].filter(([key]) => which(key)).map(([, one]) => describe(one.node))
}

function never(): Promise<void> {
  return new Promise(() => {})
}
