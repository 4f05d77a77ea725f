import type { Value } from '#core/data'

/** What of a record's attributes a gateway event is read from. */
export interface RecordAttributes {
  readonly index: ReadonlyMap<string, number>
  readonly values: readonly Value[]
}

/** The names of the attributes of an agent gateway's security records: `<prefix>.security.<name>`. */
export class GatewayNames {
  readonly #begin: string
  readonly #names = new Map<string, string>()

  constructor(prefix: string) {
    this.#begin = `${prefix}.security.`
  }

  of(name: string): string {
    let full = this.#names.get(name)
    if (full === undefined) {
      full = this.#begin + name
      this.#names.set(name, full)
    }
    return full
  }
}

/** The security record of an agent gateway, or of what watches over one: a record with a category or an action. */
export class GatewayEvent {
  readonly #names: GatewayNames
  readonly #record: RecordAttributes

  private constructor(names: GatewayNames, record: RecordAttributes) {
    this.#names = names
    this.#record = record
  }

  /** `undefined` for any other record. */
  static of(record: RecordAttributes, names: GatewayNames): GatewayEvent | undefined {
    const { index } = record
    if (!index.has(names.of('action')) && !index.has(names.of('category'))) return undefined
    return new GatewayEvent(names, record)
  }

  /** The full name of one of its attributes. */
  name(name: string): string {
    return this.#names.of(name)
  }

  /** One of its attributes that is a string; empty when it is not there. */
  text(name: string): string {
    const at = this.#record.index.get(this.#names.of(name))
    const value = at === undefined ? undefined : this.#record.values[at]
    return typeof value === 'string' ? value : ''
  }

  /** The first of several attributes that is there, and its short name. */
  first(...names: readonly string[]): { readonly name: string; readonly text: string } | undefined {
    for (const name of names) {
      const text = this.text(name)
      if (text !== '') return { name, text }
    }
    return undefined
  }

  /** The id that the source has given the event, if it can be one everywhere; else `undefined`. */
  get id(): string | undefined {
    const id = this.text('event_id')
    return /^[\w.:-]{8,128}$/.test(id) ? id : undefined
  }

  /** In lower case: success, failure, denied or error. */
  get outcome(): string {
    return this.text('outcome').toLowerCase()
  }
}
