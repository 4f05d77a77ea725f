import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'
import type { Signal } from './signal.ts'

/** The messages of OTLP as protobufjs reads and writes them: independent of the tables under test. */
export const OTLP: protobuf.Root = protobuf.parse(
  readFileSync(new URL('testdata/otlp.proto', import.meta.url), 'utf8'),
).root

export const OTLP_SIGNALS = ['traces', 'metrics', 'logs'] as const satisfies readonly Signal[]
export type OtlpSignal = (typeof OTLP_SIGNALS)[number]

const NAMES: Record<OtlpSignal, string> = { traces: 'TracesRequest', metrics: 'MetricsRequest', logs: 'LogsRequest' }

/** The request message of a signal. */
export function requestType(signal: OtlpSignal): protobuf.Type {
  return OTLP.lookupType(NAMES[signal])
}

/** The request as protobufjs reads it, unknown fields included under `$unknowns`; 64-bit integers are decimal
 * strings, empty lists are left out. */
export function decoded(signal: OtlpSignal, bytes: Uint8Array): Record<string, unknown> {
  return plain(requestType(signal).decode(bytes)) as Record<string, unknown>
}

/** The bytes of a request given as a plain object with protobufjs' names. */
export function encoded(signal: OtlpSignal, request: object): Buffer {
  return Buffer.from(requestType(signal).encode(requestType(signal).fromObject(request)).finish())
}

/** Plain objects that `toEqual` compares field by field: no prototypes, bytes as hex, longs as decimal strings. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return `hex:${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  if ('toBigInt' in value && typeof value.toBigInt === 'function') return String(value.toBigInt())
  const result: Record<string, unknown> = {}
  for (const key of [...Object.keys(value), '$unknowns']) {
    const field = (value as Record<string, unknown>)[key]
    if (field === undefined || !Object.hasOwn(value, key) || (Array.isArray(field) && field.length === 0)) continue
    result[key] = plain(field)
  }
  return result
}

const ITEM_PATHS: Record<OtlpSignal, readonly string[]> = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics', '*', 'dataPoints'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
}

/** Items of a decoded request, in order, each with everything around it that is repeated when a payload is split. */
export function itemsOf(signal: OtlpSignal, request: Record<string, unknown>): { item: unknown; header: unknown[] }[] {
  const found: { item: unknown; header: unknown[] }[] = []
  const walk = (node: Record<string, unknown>, path: readonly string[], header: unknown[]): void => {
    const [step, ...rest] = path
    for (const name of step === '*' ? Object.keys(node) : [step!]) {
      const children = node[name]
      if (children === null || typeof children !== 'object') continue
      const { [name]: _, ...around } = node
      const outer = [...header, { [name]: around }]
      for (const child of Array.isArray(children) ? children : [children]) {
        if (rest.length === 0) found.push({ item: child, header: outer })
        else walk(child as Record<string, unknown>, rest, outer)
      }
    }
  }
  walk(request, ITEM_PATHS[signal], [])
  return found
}

export interface Wildness {
  /** Probability of an unknown field in each message. */
  readonly unknown?: number
  /** Probability that fields of a message are out of order. */
  readonly shuffle?: number
  /** Probability of a padded tag, length or number. */
  readonly pad?: number
  /** Probability that a singular field of a message is there more than once. */
  readonly repeat?: number
  /** Probability that a string is not UTF-8. */
  readonly badUtf8?: number
}

/** Everything that may occur in bytes that have passed the door. */
export const WILD: Wildness = { unknown: 0.15, shuffle: 0.3, pad: 0.05 }

const WORDS = [
  '',
  'a',
  'service.name',
  'http.route',
  '/healthz',
  'größe',
  '✓ 測試',
  'x'.repeat(130),
  '\u0000"\\\n',
  '🚀',
]

/** The lists that lead from a request to its items. */
const CONTAINERS = /^(resource|scope)[A-Z]\w+s$|^(spans|logRecords|metrics|dataPoints)$/

/** Random OTLP requests, written byte by byte, so that everything protobuf allows can occur. Equal seeds give equal bytes. */
export class RandomRequests {
  readonly #wildness: Required<Wildness>
  #state: number

  constructor(seed: number, wildness: Wildness = WILD) {
    this.#state = seed | 0
    this.#wildness = { unknown: 0, shuffle: 0, pad: 0, repeat: 0, badUtf8: 0, ...wildness }
  }

  /** A number in [0, 1). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** An integer in [0, n). */
  below(n: number): number {
    return Math.floor(this.random() * n)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  request(signal: OtlpSignal): Buffer {
    return this.message(requestType(signal), 0)
  }

  message(type: protobuf.Type, depth: number): Buffer {
    const fields: Buffer[] = []
    const groups = new Set<string>()
    for (const field of type.fieldsArray) {
      field.resolve()
      const group = field.partOf?.name ?? ''
      if (field.partOf && !field.options?.proto3_optional && group[0] !== '_') {
        if (groups.has(group) && this.random() >= this.#wildness.repeat) continue
        if (this.random() < 1 - 1.5 / field.partOf.fieldsArray.length) continue
        groups.add(group)
      } else if (this.random() < (CONTAINERS.test(field.name) ? 0.05 : 0.25)) continue
      let count = field.repeated ? this.#howMany(field) : 1
      if (!field.repeated && this.random() < this.#wildness.repeat) count += 1 + this.below(2)
      if (depth > 12) count = field.resolvedType ? 0 : count
      if (field.repeated && !field.resolvedType && field.type !== 'string') fields.push(...this.#numbers(field, count))
      else for (let i = 0; i < count; i++) fields.push(this.#field(field, depth))
    }
    if (this.random() < this.#wildness.unknown) fields.push(this.#unknown())
    if (this.random() < this.#wildness.shuffle) fields.sort(() => this.random() - 0.5)
    return Buffer.concat(fields)
  }

  #howMany(field: protobuf.Field): number {
    if (field.name === 'attributes') return this.below(5)
    return CONTAINERS.test(field.name) ? 1 + this.below(4) : this.below(3)
  }

  #field(field: protobuf.Field, depth: number): Buffer {
    const value = this.#value(field, depth)
    const wireType = WIRE_TYPES[field.type] ?? 2
    const tag = this.varint(BigInt((field.id << 3) | wireType), 5)
    return wireType === 2
      ? Buffer.concat([tag, this.varint(BigInt(value.length), 5), value])
      : Buffer.concat([tag, value])
  }

  #value(field: protobuf.Field, depth: number): Buffer {
    if (field.resolvedType) return this.message(field.resolvedType as protobuf.Type, depth + 1)
    if (field.type === 'string') return this.#text()
    if (field.type === 'bytes') return this.#bytes(/spanId/i.test(field.name) ? 8 : 16)
    return this.#number(field.type)
  }

  #numbers(field: protobuf.Field, count: number): Buffer[] {
    const values = Array.from({ length: count }, () => this.#number(field.type))
    const wireType = WIRE_TYPES[field.type]!
    if (this.random() < 0.3) {
      return values.map(value => Buffer.concat([this.varint(BigInt((field.id << 3) | wireType), 5), value]))
    }
    const packed = Buffer.concat(values)
    return [Buffer.concat([this.varint(BigInt((field.id << 3) | 2), 5), this.varint(BigInt(packed.length), 5), packed])]
  }

  #number(type: string): Buffer {
    const any = this.pick([0n, 1n, 2n, 127n, 128n, 300n, BigInt(this.below(2 ** 31)), 0x1234_5678_9abc_def0n])
    if (type === 'double') {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(
        this.pick([0, 1, -1.5, 0.1, 1e300, Number.NaN, Number.POSITIVE_INFINITY, this.random() * 1e6]),
      )
      return bytes
    }
    if (type === 'fixed64' || type === 'sfixed64') {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(this.random() < 0.2 ? 0xffff_ffff_ffff_fff0n : any)
      return bytes
    }
    if (type === 'fixed32') {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(Number(any & 0xffff_ffffn))
      return bytes
    }
    if (type === 'bool') return this.varint(any & 1n, 10)
    if (type === 'int64' || type === 'uint64') {
      return this.varint(this.random() < 0.2 ? 0xffff_ffff_ffff_fff0n : any, 10)
    }
    return this.varint(any & 0x7fff_ffffn, 5)
  }

  #text(): Buffer {
    const text = Buffer.from(this.pick(WORDS))
    if (this.random() >= this.#wildness.badUtf8) return text
    const bad = this.pick([[0xff], [0xc3], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]])
    return Buffer.concat([text, Buffer.from(bad), this.random() < 0.5 ? text : Buffer.alloc(0)])
  }

  #bytes(usual: number): Buffer {
    const length = this.random() < 0.85 ? usual : this.pick([0, 1, 33])
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }

  #unknown(): Buffer {
    const number = this.pick([25, 31, 100, 1000, 536870911])
    const wireType = this.pick([0, 1, 2, 5])
    const tag = this.varint(BigInt(number) * 8n + BigInt(wireType), 5)
    if (wireType === 0) return Buffer.concat([tag, this.varint(BigInt(this.below(2 ** 30)), 10)])
    if (wireType === 1) return Buffer.concat([tag, Buffer.alloc(8, 0xee)])
    if (wireType === 5) return Buffer.concat([tag, Buffer.alloc(4, 0xff)])
    const body = this.#bytes(16)
    return Buffer.concat([tag, this.varint(BigInt(body.length), 5), body])
  }

  /** A varint, sometimes longer than it need be, up to `most` bytes. */
  varint(value: bigint, most: number): Buffer {
    const bytes: number[] = []
    for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128)
    bytes.push(Number(value))
    if (this.random() < this.#wildness.pad) {
      const length = bytes.length + this.below(most - bytes.length + 1)
      while (bytes.length < length) {
        bytes[bytes.length - 1]! |= 128
        bytes.push(0)
      }
    }
    return Buffer.from(bytes)
  }
}

const WIRE_TYPES: Record<string, number> = {
  bool: 0,
  double: 1,
  fixed32: 5,
  fixed64: 1,
  int32: 0,
  int64: 0,
  sfixed64: 1,
  sint32: 0,
  uint32: 0,
  uint64: 0,
}
