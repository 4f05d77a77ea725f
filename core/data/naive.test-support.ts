import protobuf from 'protobufjs'
import type { OtlpSignal } from './otlp.test-support.ts'
import { requestType } from './otlp.test-support.ts'
import { type Attributes, Double, type Key, type Value, type ValueKind, type ValueMap } from './records.ts'

/**
 * Drafts done the obvious way: everything is parsed into objects, changed there, and written anew. What the real ones are
 * compared with. Shares nothing with them but the types.
 */

/** One field: a number, fixed bytes, bytes, or a message when the schema knows it as one. */
export interface Part {
  readonly number: number
  readonly wireType: number
  readonly content: bigint | Buffer | Message
}

export class Message {
  readonly type: protobuf.Type
  parts: Part[]
  parent: Message | undefined
  /** Records, or messages with records, when it was parsed. */
  arrived = 0
  dropped = false
  /** Made for something to be put into it: not written while it is empty. */
  made = false

  constructor(type: protobuf.Type, parts: Part[] = []) {
    this.type = type
    this.parts = parts
  }

  number(name: string): number {
    return this.type.fields[name]!.id
  }

  /** The messages in the fields with one of these names, in order. */
  children(...names: string[]): Message[] {
    const found: Message[] = []
    for (const { number, content } of this.parts) {
      const name = this.type.fieldsById[number]?.name
      if (name !== undefined && names.includes(name)) found.push(content as Message)
    }
    return found
  }

  content(name: string): Part['content'] | undefined {
    return this.parts.find(part => part.number === this.number(name))?.content
  }

  /** Puts a field in the place of the one there, or at the end; `undefined` takes it away. */
  put(name: string, wireType: number, content: Part['content'] | undefined): void {
    const number = this.number(name)
    const index = this.parts.findIndex(part => part.number === number)
    const part = content === undefined ? [] : [{ number, wireType, content }]
    if (index < 0) this.parts.push(...part)
    else this.parts.splice(index, 1, ...part)
  }
}

export const VARINT = 0
export const FIXED64 = 1
export const LENGTH = 2

function readVarint(b: Buffer, p: number): [bigint, number] {
  let value = 0n
  for (let shift = 0n; ; shift += 7n) {
    if (p >= b.length || shift > 63n) throw new Error(`no varint at ${p}`)
    const x = b[p++]!
    value |= BigInt(x & 127) << shift
    if (x < 128) return [BigInt.asUintN(64, value), p]
  }
}

export function parse(b: Buffer, type: protobuf.Type, parent?: Message): Message {
  const message = new Message(type)
  message.parent = parent
  for (let p = 0; p < b.length; ) {
    const [tag, body] = readVarint(b, p)
    const number = Number(tag >> 3n)
    const wireType = Number(tag & 7n)
    let content: Part['content']
    if (wireType === VARINT) [content, p] = readVarint(b, body)
    else if (wireType === LENGTH) {
      const [size, from] = readVarint(b, body)
      p = from + Number(size)
      if (p > b.length) throw new Error(`a length over the end at ${body}`)
      content = b.subarray(from, p)
      const field = type.fieldsById[number]?.resolve()
      if (field?.resolvedType instanceof protobuf.Type) content = parse(content as Buffer, field.resolvedType, message)
    } else {
      p = body + (wireType === FIXED64 ? 8 : 4)
      content = b.subarray(body, p)
    }
    message.parts.push({ number, wireType, content })
  }
  message.arrived = members(message).length
  return message
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128)
  return Buffer.from([...bytes, Number(value)])
}

export function serialise(message: Message): Buffer {
  return Buffer.concat(
    message.parts.flatMap(({ number, wireType, content }) => {
      if (content instanceof Message && content.made && content.parts.length === 0) return []
      const tag = varint(BigInt(number * 8 + wireType))
      if (typeof content === 'bigint') return [tag, varint(content)]
      const bytes = content instanceof Message ? serialise(content) : content
      return wireType === LENGTH ? [tag, varint(BigInt(bytes.length)), bytes] : [tag, bytes]
    }),
  )
}

/** Equal for messages that differ only in the order of different fields and in padding. */
export function canonical(message: Message): string {
  const fields: string[] = []
  for (const { number, content } of message.parts) {
    const text =
      content instanceof Message
        ? canonical(content)
        : typeof content === 'bigint'
          ? `${content}`
          : content.toString('latin1')
    const index = Math.min(number, 32)
    fields[index] = `${fields[index] ?? ''}${number}:${text},`
  }
  return `{${fields.join('')}}`
}

const CONTAINERS = ['resourceSpans', 'scopeSpans', 'resourceLogs', 'scopeLogs', 'resourceMetrics', 'scopeMetrics']
const DATA = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']
const MEMBERS = [...CONTAINERS, 'spans', 'logRecords', 'metrics', ...DATA, 'dataPoints']
const RECORDS = new Set(
  ['Span', 'LogRecord', 'NumberDataPoint', 'HistogramDataPoint', 'SummaryDataPoint'].concat(
    'ExponentialHistogramDataPoint',
  ),
)

/** The messages that have them. */
const HOLDERS =
  /^(.*Request|(Resource|Scope)(Spans|Metrics|Logs)|Metric|Gauge|Sum|Histogram|ExponentialHistogram|Summary)$/

function members(message: Message): Message[] {
  return HOLDERS.test(message.type.name) ? message.children(...MEMBERS) : []
}

/** A draft that changes objects. */
export class NaiveDraft {
  readonly root: Message

  constructor(signal: OtlpSignal, bytes: Buffer) {
    this.root = parse(bytes, requestType(signal))
  }

  /** Records that have not been dropped, in order. */
  records(from = this.root): Message[] {
    if (RECORDS.has(from.type.name)) return [from]
    return members(from).flatMap(member => this.records(member))
  }

  metrics(): Message[] {
    return this.resources().flatMap(entry => this.scopes(entry).flatMap(scope => scope.children('metrics')))
  }

  resources(): Message[] {
    return members(this.root)
  }

  scopes(entry: Message): Message[] {
    return members(entry)
  }

  drop(message: Message): void {
    message.dropped = true
    const parent = message.parent!
    parent.parts = parent.parts.filter(part => part.content !== message)
  }

  /** Leaves out what has become empty. */
  seal(): Buffer {
    prune(this.root)
    return serialise(this.root)
  }
}

function prune(message: Message): void {
  for (const member of members(message)) {
    prune(member)
    if (member.arrived > 0 && members(member).length === 0) {
      message.parts = message.parts.filter(part => part.content !== member)
    }
  }
}

/** The resource or scope in its entry, made when it is to be changed. */
export function inner(entry: Message, name: 'resource' | 'scope', make: boolean): Message {
  const found = entry.children(name)[0]
  if (found !== undefined) return found
  const message = new Message(entry.type.fields[name]!.resolve().resolvedType as protobuf.Type)
  message.made = true
  if (make) entry.put(name, LENGTH, message)
  return message
}

export function above(message: Message, pattern: RegExp): Message {
  let x = message
  while (!pattern.test(x.type.name)) x = x.parent!
  return x
}

/** The attributes of a message; `message(true)` is called before something is added. */
export class NaiveAttributes implements Attributes {
  readonly #message: (make: boolean) => Message

  constructor(message: Message | ((make: boolean) => Message)) {
    this.#message = message instanceof Message ? () => message : message
  }

  #entries(): { part: Part; key: string; value: Message | undefined }[] {
    const message = this.#message(false)
    const number = attributesNumber(message)
    return message.parts
      .filter(part => part.number === number)
      .map(part => {
        const pair = part.content as Message
        const name = pair.content('key') as Buffer | undefined
        return { part, key: name?.toString() ?? '', value: pair.content('value') as Message | undefined }
      })
  }

  #remove(part: Part): void {
    const message = this.#message(false)
    message.parts.splice(message.parts.indexOf(part), 1)
  }

  get size(): number {
    return this.#entries().length
  }

  get(key: string | Key): Value | undefined {
    const found = this.#entries().find(entry => entry.key === nameOf(key))
    return found && valueIn(found.value)
  }

  is(key: string | Key, text: string): boolean {
    return this.get(key) === text
  }

  has(key: string | Key): boolean {
    return this.#entries().some(entry => entry.key === nameOf(key))
  }

  kind(key: string | Key): ValueKind | undefined {
    const found = this.#entries().find(entry => entry.key === nameOf(key))
    return found && KINDS[found.value?.parts.filter(part => part.number <= 7).at(-1)?.number ?? 0]
  }

  set(key: string | Key, value: Value | Double): void {
    if (!this.update(key, value)) this.append(key, value)
  }

  insert(key: string | Key, value: Value | Double): boolean {
    if (this.has(key)) return false
    this.append(key, value)
    return true
  }

  update(key: string | Key, value: Value | Double): boolean {
    const [first, ...others] = this.#entries().filter(entry => entry.key === nameOf(key))
    if (first === undefined) return false
    const message = this.#message(false)
    message.parts[message.parts.indexOf(first.part)] = this.#pair(message, nameOf(key), value)
    for (const other of others) this.#remove(other.part)
    return true
  }

  append(key: string | Key, value: Value | Double): void {
    const message = this.#message(true)
    message.parts.push(this.#pair(message, nameOf(key), value))
  }

  #pair(message: Message, name: string, value: Value | Double): Part {
    const number = attributesNumber(message)
    const type = message.type.fieldsById[number]!.resolve().resolvedType as protobuf.Type
    const pair = new Message(type)
    pair.put('key', LENGTH, Buffer.from(name))
    pair.put('value', LENGTH, anyValue(value))
    return { number, wireType: LENGTH, content: pair }
  }

  delete(key: string | Key): boolean {
    const found = this.#entries().filter(entry => entry.key === nameOf(key))
    for (const entry of found) this.#remove(entry.part)
    return found.length > 0
  }

  rename(from: string | Key, to: string | Key): boolean {
    if (nameOf(from) === nameOf(to)) return this.has(from)
    const [first, ...others] = this.#entries().filter(entry => entry.key === nameOf(from))
    if (first === undefined) return false
    for (const other of others) this.#remove(other.part)
    this.delete(to)
    ;(first.part.content as Message).put('key', LENGTH, Buffer.from(nameOf(to)))
    return true
  }

  *[Symbol.iterator](): Iterator<[string, Value]> {
    for (const { key, value } of this.#entries()) yield [key, valueIn(value)]
  }
}

const KINDS: readonly ValueKind[] = ['empty', 'string', 'bool', 'int', 'double', 'array', 'map', 'bytes']

function attributesNumber(message: Message): number {
  return (message.type.fields.attributes ?? message.type.fields.filteredAttributes)!.id
}

function nameOf(key: string | Key): string {
  return typeof key === 'string' ? key : key.name
}

export function valueIn(any: Message | undefined): Value {
  const part = any?.parts.filter(candidate => candidate.number <= 7).at(-1)
  if (part === undefined) return null
  const content = part.content
  if (content instanceof Message) {
    if (part.number === 5) return content.children('values').map(valueIn)
    const map: Record<string, Value> = {}
    for (const pair of content.children('values')) {
      const name = (pair.content('key') as Buffer | undefined)?.toString() ?? ''
      if (!(name in map)) map[name] = valueIn(pair.content('value') as Message | undefined)
    }
    return map
  }
  if (typeof content === 'bigint') {
    if (part.number === 2) return content !== 0n
    const signed = BigInt.asIntN(64, content)
    return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed
  }
  if (part.number === 4) return content.readDoubleLE()
  return part.number === 1 ? content.toString() : content
}

export function anyValue(value: Value | Double): Message {
  const type = requestType('traces').root.lookupType('AnyValue')
  const any = new Message(type)
  if (value === null) return any
  if (typeof value === 'string') any.put('stringValue', LENGTH, Buffer.from(value))
  else if (typeof value === 'boolean') any.put('boolValue', VARINT, value ? 1n : 0n)
  else if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    any.put('intValue', VARINT, BigInt.asUintN(64, BigInt(value as number)))
  } else if (typeof value === 'number' || value instanceof Double) {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(typeof value === 'number' ? value : value.value)
    any.put('doubleValue', FIXED64, bytes)
  } else if (value instanceof Uint8Array) any.put('bytesValue', LENGTH, Buffer.from(value))
  else if (Array.isArray(value)) {
    const list = new Message(type.root.lookupType('ArrayValue'))
    const number = list.number('values')
    for (const element of value) list.parts.push({ number, wireType: LENGTH, content: anyValue(element) })
    any.put('arrayValue', LENGTH, list)
  } else {
    const list = new Message(type.root.lookupType('KeyValueList'))
    const number = list.number('values')
    for (const [name, element] of Object.entries(value as ValueMap)) {
      const pair = new Message(type.root.lookupType('KeyValue'))
      pair.put('key', LENGTH, Buffer.from(name))
      pair.put('value', LENGTH, anyValue(element))
      list.parts.push({ number, wireType: LENGTH, content: pair })
    }
    any.put('kvlistValue', LENGTH, list)
  }
  return any
}

/** A value as text that is equal for equal values, types included. */
export function printed(value: unknown): string {
  if (value instanceof Uint8Array) return `hex:${Buffer.from(value).toString('hex')}`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(printed).join()}]`
  if (value === null || typeof value !== 'object') return Object.is(value, -0) ? '-0' : String(value)
  return `{${Object.entries(value)
    .map(([name, element]) => `${JSON.stringify(name)}:${printed(element)}`)
    .join()}}`
}
