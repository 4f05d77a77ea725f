import { AttributesView } from './attributes.ts'
import { Each } from './each.ts'
import { readText } from './fields.ts'
import { ENTRY_RANK, RESOURCE, SCOPE_RANK } from './levels.ts'
import { ancestor, childOrNew, type Node } from './node.ts'
import type { Attributes, Resource, Scope } from './records.ts'
import { ScopeView } from './scope.ts'
import { Walk } from './walk.ts'

const SCHEMA_URL = 3

/** A resource, over its top-level entry. */
export class ResourceView implements Resource {
  readonly #entry: Node

  constructor(entry: Node) {
    this.#entry = entry
  }

  get attributes(): Attributes {
    return new AttributesView(childOrNew(this.#entry, RESOURCE))
  }

  get schemaUrl(): string {
    return readText(this.#entry, SCHEMA_URL)
  }

  get bytes(): Uint8Array {
    return this.#entry.draft.b.subarray(this.#entry.tagAt, this.#entry.end)
  }

  get scopes(): Iterable<Scope> {
    const entry = this.#entry
    return new Each(
      () => new Walk(SCOPE_RANK, entry, null),
      node => new ScopeView(node, this),
    )
  }
}

/** The resource of any message below a top-level entry. */
export function resourceOf(node: Node): ResourceView {
  return new ResourceView(ancestor(node, ENTRY_RANK))
}

/** The scope of any message below a scope's entry. */
export function scopeOf(node: Node): ScopeView {
  const entry = ancestor(node, SCOPE_RANK)
  return new ScopeView(entry, resourceOf(entry))
}
