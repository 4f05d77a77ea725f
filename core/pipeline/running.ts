import { isDeepStrictEqual } from 'node:util'
import type { Component, Consumer, InstanceId, PipelineContext, Router, Transform } from '#core/component'
import type { Signal } from '#core/data'
import { assertComponent } from './assert-component.ts'
import { Cell } from './cell.ts'
import { contextFor } from './context.ts'
import { describe } from './describe.ts'
import { Guard } from './guard.ts'
import { instanceAt } from './instance.ts'
import type { PipelineId } from './pipeline-id.ts'
import type { PlanNode } from './planned.ts'
import type { GraphServices } from './services.ts'
import type { SharedStates } from './shared-states.ts'
import { noticeStability } from './stability-notice.ts'
import { told } from './told.ts'

/** A component that was created, with its place in the plan and the outlets that it was given. */
export class Running {
  readonly component: Component
  /** By what they carry: receivers have one for each signal, processors and connectors one. */
  readonly outlets: ReadonlyMap<Signal, Cell>
  /** Connectors have one more for each pipeline that they begin. */
  readonly routes: ReadonlyMap<string, Cell>
  /** Ids of the extensions that it asked the host for; `*` once it listed them. */
  readonly asked = new Set<string>()
  readonly guard: Guard
  /** Whether it has started and is not about to stop. */
  started = false
  #node: PlanNode
  #instance: InstanceId

  /**
   * Creates the component of a node; nothing is opened yet.
   * @throws {Error} naming the component when it cannot be created
   */
  constructor(node: PlanNode, services: GraphServices, states: SharedStates) {
    this.#node = node
    this.#instance = instanceAt(node)
    this.guard = new Guard(this, services)
    const outlet = (signal: Signal) => new Cell(undefined, { guard: this.guard, signal })
    this.outlets = new Map(outletSignals(node).map(signal => [signal, outlet(signal)]))
    this.routes = new Map(node.kind === 'connector' ? node.outputs.map(id => [id, outlet(node.signals[1])]) : [])
    const context = contextFor(this, services, states)
    noticeStability(node, context.logger)
    try {
      this.component = assertComponent(create(node, this.outlets, this.routes, context), node)
    } catch (cause) {
      throw new Error(`failed to create ${describe(node)}: ${told(cause, node)}`, { cause })
    }
  }

  get node(): PlanNode {
    return this.#node
  }

  get instance(): InstanceId {
    return this.#instance
  }

  /** Stands at this place of a new plan from now on. Serving other pipelines, it is another instance to those outside. */
  serve(node: PlanNode, services: GraphServices): void {
    this.#node = node
    if (isDeepStrictEqual(this.#instance.pipelines, node.pipelines)) return
    const before = this.#instance
    this.#instance = instanceAt(node)
    services.moved(before, this.#instance)
  }

  /** What the component is fed through. Receivers, extensions and transforms have nothing of the kind. */
  get consumer(): Consumer {
    return this.component as Component & Consumer
  }

  get transform(): Transform | undefined {
    return this.#node.kind === 'processor' && 'transform' in this.component ? (this.component as Transform) : undefined
  }

  /** What it hands on inside, or into, this pipeline leaves through these. */
  *outletsTo(pipeline: PipelineId): Generator<Cell> {
    const outlet = this.outlets.get(pipeline.signal)
    if (outlet !== undefined) yield outlet
    const route = this.routes.get(pipeline.toString())
    if (route !== undefined) yield route
  }
}

function outletSignals(node: PlanNode): readonly Signal[] {
  switch (node.kind) {
    case 'receiver':
    case 'processor':
      return node.signals
    case 'connector':
      return [node.signals[1]]
    default:
      return []
  }
}

function create(
  node: PlanNode,
  outlets: ReadonlyMap<Signal, Cell>,
  routes: ReadonlyMap<string, Cell>,
  context: PipelineContext,
): Component {
  const { config } = node.configured
  switch (node.kind) {
    case 'receiver':
      return node.configured.definition.create(config, Object.fromEntries(outlets), context)
    case 'processor': {
      const [signal] = node.signals
      return node.configured.definition.create(config, signal, outlets.get(signal)!, context)
    }
    case 'exporter':
      return node.configured.definition.create(config, context)
    case 'connector': {
      const [from, to] = node.signals
      const all = outlets.get(to)!
      const router: Router = { consume: (data, consumeContext) => all.consume(data, consumeContext), pipelines: routes }
      return node.configured.definition.create(config, from, to, router, context)
    }
    case 'extension':
      return node.configured.definition.create(config, context)
  }
}
