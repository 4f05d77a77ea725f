import type { InstanceId, Kind } from '#core/component'
import type { Signal } from '#core/data'
import type { PlanNode } from './planned.ts'

/** The identity of one running component. Stays the same object while the component runs; a reload may change its pipelines. */
export class Instance implements InstanceId {
  readonly kind: Kind
  readonly id: string
  readonly signals: readonly Signal[]
  #pipelines: readonly string[]

  constructor(node: PlanNode) {
    this.kind = node.kind
    this.id = node.configured.id.toString()
    this.signals = node.signals
    this.#pipelines = node.pipelines
  }

  get pipelines(): readonly string[] {
    return this.#pipelines
  }

  /** Takes over the place of `node`, which must be of the same component. */
  serve(node: PlanNode): void {
    this.#pipelines = node.pipelines
  }
}
