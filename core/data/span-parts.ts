import { AttributesView } from './attributes.ts'
import { Each } from './each.ts'
import { readBytes, readFixed64, readText } from './fields.ts'
import { EVENT, LINK } from './levels.ts'
import type { Node } from './node.ts'
import type { Attributes, SpanEvent, SpanLink } from './records.ts'
import { ChildWalk } from './walk.ts'

class SpanEventView implements SpanEvent {
  readonly #node: Node

  constructor(node: Node) {
    this.#node = node
  }

  get name(): string {
    return readText(this.#node, 2)
  }

  get time(): bigint {
    return readFixed64(this.#node, 1)
  }

  get attributes(): Attributes {
    return new AttributesView(this.#node)
  }
}

class SpanLinkView implements SpanLink {
  readonly #node: Node

  constructor(node: Node) {
    this.#node = node
  }

  get traceId(): Uint8Array {
    return readBytes(this.#node, 1)
  }

  get spanId(): Uint8Array {
    return readBytes(this.#node, 2)
  }

  get traceState(): string {
    return readText(this.#node, 3)
  }

  get attributes(): Attributes {
    return new AttributesView(this.#node)
  }
}

/** The events of a span. */
export function eventsOf(span: Node): Iterable<SpanEvent> {
  return new Each(
    () => new ChildWalk(span, EVENT),
    node => new SpanEventView(node),
  )
}

/** The links of a span. */
export function linksOf(span: Node): Iterable<SpanLink> {
  return new Each(
    () => new ChildWalk(span, LINK),
    node => new SpanLinkView(node),
  )
}
