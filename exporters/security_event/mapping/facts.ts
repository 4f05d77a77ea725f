import { hash } from 'node:crypto'
import type { LogRecord, Value } from '#core/data'
import { GatewayEvent, type GatewayNames } from './gateway-event.ts'
import { jsonText } from './json-text.ts'
import { type Shape, shapeOf } from './shape.ts'
import type { Source } from './source.ts'

/**
 * A log record read once: what every format draws on. `time` and `observedTime` are nanoseconds since the epoch, 0 when
 * unset.
 */
export class Facts {
  readonly source: Source
  readonly time: bigint
  readonly observedTime: bigint
  readonly severityNumber: number
  readonly severityText: string
  readonly body: Value | undefined
  readonly eventName: string
  /** In hex, empty when unset. */
  readonly traceId: string
  readonly spanId: string
  /** Names of the record's own attributes. */
  readonly shape: Shape
  /** Values of the record's own attributes, in the order of `names`. */
  readonly values: readonly Value[]
  /** Each attribute as `"name":value`. */
  readonly members: readonly string[]
  /** Body as JSON, empty when there is none. */
  readonly bodyText: string
  /** The record as an agent gateway's security record, when it is one. */
  readonly gateway: GatewayEvent | undefined
  /** When the collector met the record, in nanoseconds: for records that have no time of their own. */
  readonly #now: () => bigint
  #id: string | undefined

  constructor(record: LogRecord, source: Source, now: () => bigint, gatewayNames: GatewayNames) {
    this.source = source
    this.#now = now
    this.time = record.time
    this.observedTime = record.observedTime
    this.severityNumber = record.severityNumber
    this.severityText = record.severityText
    this.body = record.body
    this.eventName = record.eventName
    this.traceId = record.traceIdHex()
    this.spanId = record.spanIdHex()
    const read: string[] = []
    let values: Value[] = []
    for (const [name, value] of record.attributes) {
      read.push(name)
      values.push(value)
    }
    const shape = shapeOf(read)
    if (shape.firsts !== undefined) {
      const all = values
      values = shape.firsts.map(i => all[i]!)
    }
    this.shape = shape
    this.values = values
    this.members = shape.heads.map((head, i) => head + jsonText(values[i]!))
    this.bodyText = this.body === undefined || this.body === null ? '' : jsonText(this.body)
    this.gateway = GatewayEvent.of({ index: shape.index, values }, gatewayNames)
  }

  /** Names of the record's own attributes, each once. */
  get names(): readonly string[] {
    return this.shape.names
  }

  /** When it happened: its time, else when it was observed, else now; nanoseconds since the epoch. */
  get when(): bigint {
    if (this.time !== 0n) return this.time
    return this.observedTime !== 0n ? this.observedTime : this.#now()
  }

  /**
   * The same for the same record, whatever the order of its attributes and however often it is converted: the id that an
   * agent gateway gave its security record, else the first half of a SHA-256 over everything it says, in hex. Needs no
   * quoting in JSON.
   */
  get id(): string {
    this.#id ??= this.gateway?.id ?? hash('sha256', this.#canonical(), 'hex').slice(0, 32)
    return this.#id
  }

  /** An attribute of the record, else of its scope, else of its resource. */
  get(name: string): Value | undefined {
    const at = this.shape.index.get(name)
    if (at !== undefined) return this.values[at]
    return this.source.scope.get(name) ?? this.source.resource.get(name)
  }

  /** Whether the record itself has an attribute. */
  has(name: string): boolean {
    return this.shape.index.has(name)
  }

  /** An attribute, as by `get`, that is a string and not empty. */
  text(name: string): string | undefined {
    const value = this.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  #canonical(): string {
    const { source, members, shape } = this
    let text = `${source.digest}\n${this.time} ${this.observedTime} ${this.severityNumber} ${this.traceId} ${this.spanId}\n${quoted(this.severityText)}${quoted(this.eventName)}\n${this.bodyText}`
    for (const i of shape.order) text += `\n${members[i]}`
    return text
  }
}

const QUOTED = new Map<string, string>()

/** A name as a JSON string. Names repeat, so the latest few thousand short ones are remembered. */
export function quoted(name: string): string {
  const known = QUOTED.get(name)
  if (known !== undefined) return known
  const text = JSON.stringify(name)
  if (name.length > 64) return text
  if (QUOTED.size >= 4096) QUOTED.clear()
  QUOTED.set(name, text)
  return text
}
