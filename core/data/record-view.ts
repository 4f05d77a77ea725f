import { AttributesView } from './attributes.ts'
import { drop } from './edit.ts'
import type { Node } from './node.ts'
import type { Attributes, Resource, Scope, TelemetryRecord } from './records.ts'
import { resourceOf, scopeOf } from './resource.ts'

/** What spans, log records and data points have in common. */
export class RecordView implements TelemetryRecord {
  declare protected readonly node: Node

  constructor(node: Node) {
    this.node = node
  }

  get attributes(): Attributes {
    return new AttributesView(this.node)
  }

  get resource(): Resource {
    return resourceOf(this.node)
  }

  get scope(): Scope {
    return scopeOf(this.node)
  }

  get bytes(): Uint8Array {
    return this.node.draft.b.subarray(this.node.start, this.node.end)
  }

  drop(): void {
    drop(this.node, 1)
  }
}
