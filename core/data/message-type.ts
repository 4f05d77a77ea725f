/**
 * How a field is written and shown. The names are protobuf's, except `id`: `bytes` that OTLP/JSON shows as hex
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
 */
export type FieldKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'enum'
  | 'fixed32'
  | 'fixed64'
  | 'id'
  | 'int32'
  | 'int64'
  | 'message'
  | 'sfixed64'
  | 'sint32'
  | 'string'
  | 'uint32'
  | 'uint64'

/** One field of a message. */
export interface Field {
  /** 1 to 31 in every OTLP message. */
  readonly number: number
  /** The name in OTLP/JSON: lowerCamelCase. */
  readonly name: string
  readonly kind: FieldKind
  /** The message in it, when `kind` is `message`. */
  readonly type?: MessageType
  readonly repeated: boolean
  /** The group of which a message holds at most one member. */
  readonly oneof?: string
}

/** A protobuf message as a table of fields: what the door, OTLP/JSON and the builder are written over. */
export class MessageType {
  readonly name: string
  readonly #declare: () => readonly Field[]
  #fields: readonly Field[] | undefined
  #byNumber: (Field | undefined)[] | undefined

  /** `declare` is called at the first look at the fields, so that messages may contain one another. */
  constructor(name: string, declare: () => readonly Field[]) {
    this.name = name
    this.#declare = declare
  }

  /** In the order of declaration. */
  get fields(): readonly Field[] {
    this.#fields ??= this.#declare()
    return this.#fields
  }

  /** The field with the given number, if it is known. */
  field(number: number): Field | undefined {
    if (this.#byNumber === undefined) {
      this.#byNumber = new Array(32).fill(undefined)
      for (const field of this.fields) this.#byNumber[field.number] = field
    }
    return number < 32 ? this.#byNumber[number] : undefined
  }
}

/** A singular scalar field. */
export function one(number: number, name: string, kind: Exclude<FieldKind, 'message'>): Field {
  return { number, name, kind, repeated: false }
}

/** A repeated scalar field. Numbers are packed when written, and read either way. */
export function many(number: number, name: string, kind: Exclude<FieldKind, 'message'>): Field {
  return { number, name, kind, repeated: true }
}

/** A singular message field. */
export function nested(number: number, name: string, type: MessageType): Field {
  return { number, name, kind: 'message', type, repeated: false }
}

/** A repeated message field. */
export function list(number: number, name: string, type: MessageType): Field {
  return { number, name, kind: 'message', type, repeated: true }
}

/** Fields of which the last one present counts. */
export function oneof(group: string, fields: readonly Field[]): Field[] {
  return fields.map(field => ({ ...field, oneof: group }))
}
