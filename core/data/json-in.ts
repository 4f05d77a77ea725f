import { type AdmitOptions, type Admitted, admit } from './admit.ts'
import { decimalHigh, decimalLow, parseInteger } from './decimal.ts'
import { ForwardWriter } from './forward-writer.ts'
import { type JsonField, type JsonPlan, jsonPlan, nameHash } from './json-plan.ts'
import { JsonScanner } from './json-scanner.ts'
import { Malformed } from './malformed.ts'
import type { FieldKind, MessageType } from './message-type.ts'
import type { Signal } from './signal.ts'
import { REQUEST } from './tables.ts'
import { MAX_DEPTH } from './validation-plan.ts'

/**
 * The protobuf bytes of an OTLP/JSON request (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), to be
 * handed to `admit`. Read in one pass: 64-bit integers stay exact, given as strings or as numbers; ids are hex of either
 * case; enums are numbers; `null` is the same as absent; unknown names are ignored. Original proto names are unknown
 * names. A key given twice is a field given twice. Bytes that are not UTF-8 are passed on for the door to judge.
 *
 * @throws {Malformed} with the position in the text, for all but such a request; for profiles always.
 */
export function fromJson(signal: Signal, json: Buffer | string): Buffer {
  if (signal === 'profiles') throw new Malformed('profiles cannot be read from JSON', 0)
  return messageFromJson(REQUEST[signal], json)
}

/** The bytes of a message of any type, by the same rules. */
export function messageFromJson(type: MessageType, json: Buffer | string): Buffer {
  const reader = new JsonReader(json)
  try {
    return reader.read(jsonPlan(type))
  } finally {
    reader.release()
  }
}

/** The door for OTLP/JSON: `fromJson`, then `admit`. */
export function admitJson<S extends Signal>(signal: S, json: Buffer | string, options?: AdmitOptions): Admitted<S> {
  return admit(signal, fromJson(signal, json), options)
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

class JsonReader {
  readonly #in: JsonScanner
  readonly #out = new ForwardWriter()

  constructor(json: Buffer | string) {
    this.#in = new JsonScanner(json)
  }

  release(): void {
    this.#in.release()
    this.#out.release()
  }

  read(plan: JsonPlan): Buffer {
    this.#object(plan, 0)
    this.#in.peek()
    if (this.#in.p < this.#in.end) throw this.#in.malformed('text goes on behind the request')
    return this.#out.finish()
  }

  #object(plan: JsonPlan, depth: number): void {
    const input = this.#in
    if (depth > MAX_DEPTH) throw input.malformed('messages nest too deeply')
    input.expect(OPEN_OBJECT)
    if (input.accept(CLOSE_OBJECT)) return
    let last: JsonField | null = null
    do {
      const field: JsonField | null = this.#key(plan, last === null ? plan.first : last.follower)
      if (field === null) {
        input.skip(depth + 1)
        continue
      }
      if (last !== null) last.follower = field
      last = field
      if (input.acceptNull()) continue
      if (field.repeated) this.#list(field, depth)
      else this.#field(field, depth)
    } while (input.accept(COMMA))
    input.expect(CLOSE_OBJECT)
  }

  /** Passes a key and its colon. Null for a name that is not the message's. */
  #key(plan: JsonPlan, expected: JsonField | null): JsonField | null {
    const input = this.#in
    if (input.peek() !== QUOTE) throw input.malformed('expected a key')
    if (expected !== null) {
      const end = input.p + 1 + expected.name.length
      if (input.b[end] === QUOTE && sameName(input.b, input.p + 1, expected.name)) {
        input.p = end + 1
        input.expect(COLON)
        return expected
      }
    }
    input.string()
    const { source, from } = input
    const size = input.to - from
    input.expect(COLON)
    if (size === 0) return null
    let field = plan.slots[nameHash(size, source[from]!, source[from + size - 1]!)] ?? null
    while (field !== null && !(field.name.length === size && sameName(source, from, field.name))) field = field.sibling
    return field
  }

  #list(field: JsonField, depth: number): void {
    const input = this.#in
    input.expect(OPEN_LIST)
    if (input.accept(CLOSE_LIST)) return
    if (field.packed) {
      this.#out.varint(field.tag)
      const start = this.#out.open(1)
      do this.#number(field.kind)
      while (input.accept(COMMA))
      this.#out.close(start, 1)
    } else {
      do {
        // An element cannot be absent: null among messages is an empty one, as other receivers read it.
        if (field.plan !== null && input.acceptNull()) {
          this.#out.varint(field.tag)
          this.#out.byte(0)
        } else this.#field(field, depth)
      } while (input.accept(COMMA))
    }
    input.expect(CLOSE_LIST)
  }

  #field(field: JsonField, depth: number): void {
    const out = this.#out
    out.varint(field.tag)
    const plan = field.plan
    if (plan !== null) {
      const start = out.open(plan.width)
      this.#object(plan, depth + 1)
      out.close(start, plan.width)
    } else if (field.kind === 'string') this.#string()
    else if (field.kind === 'id') this.#id()
    else if (field.kind === 'bytes') this.#base64()
    else this.#number(field.kind)
  }

  #string(): void {
    const input = this.#in
    input.string()
    const { source, from, to } = input
    this.#out.varint(to - from)
    this.#out.copy(source, from, to)
  }

  #id(): void {
    const input = this.#in
    input.string()
    const { source, from, to, start } = input
    const size = (to - from) / 2
    if (!Number.isInteger(size)) throw input.malformed('id has an odd number of hex digits', start)
    this.#out.varint(size)
    for (let p = from; p < to; p += 2) {
      const byte = (HEX[source[p]!]! << 4) | HEX[source[p + 1]!]!
      if (byte < 0) throw input.malformed('id is not hex', start)
      this.#out.byte(byte)
    }
  }

  #base64(): void {
    const input = this.#in
    input.string()
    const text = input.source.toString('latin1', input.from, input.to)
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw input.malformed('bytes are not base64', input.start)
    const bytes = Buffer.from(text, 'base64')
    this.#out.varint(bytes.length)
    this.#out.copy(bytes, 0, bytes.length)
  }

  /** Any number or boolean. */
  #number(kind: FieldKind): void {
    const input = this.#in
    const out = this.#out
    if (kind === 'double') out.double(this.#double())
    else if (kind === 'bool') {
      const letter = input.peek()
      if (letter !== 116 && letter !== 102) throw input.malformed('expected true or false')
      input.word(letter === 116 ? 'true' : 'false')
      out.byte(letter === 116 ? 1 : 0)
    } else {
      this.#integer(kind)
      const low = decimalLow
      if (kind === 'int64' || kind === 'uint64') out.varint64(low, decimalHigh)
      else if (kind === 'fixed64' || kind === 'sfixed64') out.fixed64(low, decimalHigh)
      else if (kind === 'fixed32') out.fixed32(low)
      else if (kind === 'uint32') out.varint(low >>> 0)
      else if (kind === 'sint32') out.varint(((low << 1) ^ (low >> 31)) >>> 0)
      else out.varint64(low, low >> 31)
    }
  }
  #double(): number {
    const input = this.#in
    if (input.peek() !== QUOTE) {
      const at = input.numeral()
      return input.number(input.b, at, input.p, at)
    }
    input.string()
    const { source, from, to, start } = input
    const word = to - from > 9 ? '' : source.toString('latin1', from, to)
    if (word === 'NaN') return Number.NaN
    if (word === 'Infinity') return Number.POSITIVE_INFINITY
    if (word === '-Infinity') return Number.NEGATIVE_INFINITY
    return input.number(source, from, to, start)
  }

  /** Leaves an integer in the registers of `parseInteger`. */
  #integer(kind: FieldKind): void {
    const input = this.#in
    let source = input.b
    let from = 0
    let to = 0
    let at = 0
    if (input.peek() === QUOTE) {
      input.string()
      source = input.source
      from = input.from
      to = input.to
      at = input.start
    } else {
      at = input.numeral()
      from = at
      to = input.p
      const first = source[at] === 45 ? at + 1 : at
      if (to > first + 1 && source[first] === 48 && source[first + 1]! >= 48) throw input.malformed('not a number', at)
    }
    const { bits, signed } = INTEGERS[kind]!
    if (parseInteger(source, from, to, bits, signed)) return
    // 1e3 and 1.0 are integers as well, where a double holds them exactly.
    const value = input.number(source, from, to, at)
    const plain = Number.isSafeInteger(value) ? Buffer.from(String(value)) : Buffer.alloc(0)
    if (!parseInteger(plain, 0, plain.length, bits, signed)) {
      throw input.malformed(`not ${signed ? 'an' : 'an unsigned'} integer of ${bits} bits`, at)
    }
  }
}

const INTEGERS: Partial<Record<FieldKind, { bits: 32 | 64; signed: boolean }>> = {
  enum: { bits: 32, signed: true },
  fixed32: { bits: 32, signed: false },
  fixed64: { bits: 64, signed: false },
  int32: { bits: 32, signed: true },
  int64: { bits: 64, signed: true },
  sfixed64: { bits: 64, signed: true },
  sint32: { bits: 32, signed: true },
  uint32: { bits: 32, signed: false },
  uint64: { bits: 64, signed: false },
}

/** The value of each hex digit; a negative number for all other bytes. */
const HEX = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

function sameName(b: Buffer, from: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) if (b[from + i] !== name[i]) return false
  return true
}
