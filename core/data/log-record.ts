import { AttributesView } from './attributes.ts'
import { drop } from './edit.ts'
import {
  readAny,
  readBytes,
  readFixed32,
  readFixed64,
  readHex,
  readText,
  readVarint,
  writeAny,
  writeFixed64,
  writeText,
  writeVarint,
} from './fields.ts'
import { RECORD_RANK } from './levels.ts'
import type { Node } from './node.ts'
import { bytesOf } from './node.ts'
import type { Attributes, LogRecord, Resource, Scope, Value } from './records.ts'
import { resourceOf, scopeOf } from './resource.ts'
import { type Chunks, Walk } from './walk.ts'

const TIME = 1
const SEVERITY_NUMBER = 2
const SEVERITY_TEXT = 3
const BODY = 5
const FLAGS = 8
const TRACE_ID = 9
const SPAN_ID = 10
const OBSERVED_TIME = 11
const EVENT_NAME = 12

/** A log record. */
export class LogRecordView implements LogRecord {
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

  get time(): bigint {
    return readFixed64(this.#node, TIME)
  }

  set time(time: bigint) {
    writeFixed64(this.#node, TIME, time)
  }

  get observedTime(): bigint {
    return readFixed64(this.#node, OBSERVED_TIME)
  }

  set observedTime(time: bigint) {
    writeFixed64(this.#node, OBSERVED_TIME, time)
  }

  get severityNumber(): number {
    return readVarint(this.#node, SEVERITY_NUMBER)
  }

  set severityNumber(severity: number) {
    writeVarint(this.#node, SEVERITY_NUMBER, severity)
  }

  get severityText(): string {
    return readText(this.#node, SEVERITY_TEXT)
  }

  set severityText(severity: string) {
    writeText(this.#node, SEVERITY_TEXT, severity)
  }

  get body(): Value | undefined {
    return readAny(this.#node, BODY)
  }

  set body(body: Value | undefined) {
    writeAny(this.#node, BODY, body)
  }

  get eventName(): string {
    return readText(this.#node, EVENT_NAME)
  }

  set eventName(name: string) {
    writeText(this.#node, EVENT_NAME, name)
  }

  get traceId(): Uint8Array {
    return readBytes(this.#node, TRACE_ID)
  }

  get spanId(): Uint8Array {
    return readBytes(this.#node, SPAN_ID)
  }

  get flags(): number {
    return readFixed32(this.#node, FLAGS)
  }

  traceIdHex(): string {
    return readHex(this.#node, TRACE_ID)
  }

  spanIdHex(): string {
    return readHex(this.#node, SPAN_ID)
  }
}

/** Every log record of a draft. */
export class LogRecordIterator implements IterableIterator<LogRecord> {
  readonly #walk: Walk

  constructor(chunks: Chunks) {
    this.#walk = new Walk(RECORD_RANK, null, chunks)
  }

  next(): IteratorResult<LogRecord, undefined> {
    const node = this.#walk.next()
    return node === undefined ? { done: true, value: undefined } : { done: false, value: new LogRecordView(node) }
  }

  [Symbol.iterator](): this {
    return this
  }
}
