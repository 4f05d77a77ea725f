import { AttributesView } from './attributes.ts'
import { readText } from './fields.ts'
import { SCOPE } from './levels.ts'
import { childOf, childOrNew, type Node } from './node.ts'
import type { Attributes, Resource, Scope } from './records.ts'

const NAME = 1
const VERSION = 2
const SCHEMA_URL = 3

/** An instrumentation scope, over its entry in the resource's. */
export class ScopeView implements Scope {
  readonly resource: Resource
  readonly #entry: Node

  constructor(entry: Node, resource: Resource) {
    this.#entry = entry
    this.resource = resource
  }

  get name(): string {
    return this.#text(NAME)
  }

  get version(): string {
    return this.#text(VERSION)
  }

  get schemaUrl(): string {
    return readText(this.#entry, SCHEMA_URL)
  }

  get attributes(): Attributes {
    return new AttributesView(childOrNew(this.#entry, SCOPE))
  }

  #text(field: number): string {
    const scope = childOf(this.#entry, SCOPE)
    return scope === undefined ? '' : readText(scope, field)
  }
}
