import { AttributesView } from './attributes.ts'
import { drop } from './edit.ts'
import {
  readBytes,
  readDifference,
  readFixed32,
  readFixed64,
  readHex,
  readStatus,
  readText,
  readVarint,
  writeBytes,
  writeFixed64,
  writeStatus,
  writeText,
  writeVarint,
} from './fields.ts'
import { RECORD_RANK } from './levels.ts'
import type { Node } from './node.ts'
import { bytesOf } from './node.ts'
import type { Attributes, Resource, Scope, Span, SpanEvent, SpanLink } from './records.ts'
import { resourceOf, scopeOf } from './resource.ts'
import { eventsOf, linksOf } from './span-parts.ts'
import { type Chunks, Walk } from './walk.ts'

const TRACE_ID = 1
const SPAN_ID = 2
const TRACE_STATE = 3
const PARENT_SPAN_ID = 4
const NAME = 5
const KIND = 6
const START_TIME = 7
const END_TIME = 8
const STATUS = 15
const FLAGS = 16

/** A span. Extends nothing, like the other records: a derived constructor would double the cost of a walk. */
export class SpanView implements Span {
  readonly #node: Node

  constructor(node: Node) {
    this.#node = node
  }

  get attributes(): Attributes {
    return new AttributesView(this.#node)
  }

  get resource(): Resource {
    return resourceOf(this.#node)
  }

  get scope(): Scope {
    return scopeOf(this.#node)
  }

  get bytes(): Uint8Array {
    return bytesOf(this.#node)
  }

  drop(): void {
    drop(this.#node, 1)
  }

  get name(): string {
    return readText(this.#node, NAME)
  }

  set name(name: string) {
    writeText(this.#node, NAME, name)
  }

  get kind(): number {
    return readVarint(this.#node, KIND)
  }

  set kind(kind: number) {
    writeVarint(this.#node, KIND, kind)
  }

  get traceId(): Uint8Array {
    return readBytes(this.#node, TRACE_ID)
  }

  set traceId(id: Uint8Array) {
    writeBytes(this.#node, TRACE_ID, id)
  }

  get spanId(): Uint8Array {
    return readBytes(this.#node, SPAN_ID)
  }

  get parentSpanId(): Uint8Array {
    return readBytes(this.#node, PARENT_SPAN_ID)
  }

  set parentSpanId(id: Uint8Array) {
    writeBytes(this.#node, PARENT_SPAN_ID, id)
  }

  get traceState(): string {
    return readText(this.#node, TRACE_STATE)
  }

  set traceState(state: string) {
    writeText(this.#node, TRACE_STATE, state)
  }

  get flags(): number {
    return readFixed32(this.#node, FLAGS)
  }

  get startTime(): bigint {
    return readFixed64(this.#node, START_TIME)
  }

  set startTime(time: bigint) {
    writeFixed64(this.#node, START_TIME, time)
  }

  get endTime(): bigint {
    return readFixed64(this.#node, END_TIME)
  }

  set endTime(time: bigint) {
    writeFixed64(this.#node, END_TIME, time)
  }

  get durationNanos(): number {
    return readDifference(this.#node, START_TIME, END_TIME)
  }

  get status(): { readonly code: number; readonly message: string } {
    return readStatus(this.#node, STATUS)
  }

  setStatus(code: number, message = ''): void {
    writeStatus(this.#node, STATUS, code, message)
  }

  traceIdHex(): string {
    return readHex(this.#node, TRACE_ID)
  }

  spanIdHex(): string {
    return readHex(this.#node, SPAN_ID)
  }

  get events(): Iterable<SpanEvent> {
    return eventsOf(this.#node)
  }

  get links(): Iterable<SpanLink> {
    return linksOf(this.#node)
  }
}

/** Every span of a draft. */
export class SpanIterator implements IterableIterator<Span> {
  readonly #walk: Walk

  constructor(chunks: Chunks) {
    this.#walk = new Walk(RECORD_RANK, null, chunks)
  }

  next(): IteratorResult<Span, undefined> {
    const node = this.#walk.next()
    return node === undefined ? { done: true, value: undefined } : { done: false, value: new SpanView(node) }
  }

  [Symbol.iterator](): this {
    return this
  }
}
