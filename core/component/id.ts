/** `type[/name]` as written in a configuration, for example `otlp_grpc/backend`. */
export class ComponentId {
  readonly type: string
  /** Empty when only the type was written. */
  readonly name: string

  constructor(type: string, name = '') {
    this.type = type
    this.name = name
  }

  toString(): string {
    return this.name === '' ? this.type : `${this.type}/${this.name}`
  }

  /**
   * Parses and checks an id.
   * @throws {InvalidId} with the Collector's sentence when the text is not an id
   */
  static parse(text: string): ComponentId {
    const trimmed = text.trim()
    if (trimmed === '') throw new InvalidId('id must not be empty')
    const slash = trimmed.indexOf('/')
    const type = (slash < 0 ? trimmed : trimmed.slice(0, slash)).trim()
    if (type === '') throw new InvalidId(`in "${text}" id: the part before / should not be empty`)
    if (!TYPE.test(type)) throw new InvalidId(`in "${text}" id: invalid character(s) in type "${type}"`)
    if (slash < 0) return new ComponentId(type)
    const name = trimmed.slice(slash + 1).trim()
    if (name === '') throw new InvalidId(`in "${text}" id: the part after / should not be empty`)
    const length = [...name].length
    if (length > MAX_NAME) {
      throw new InvalidId(
        `in "${text}" id: name "${name}" is longer than ${MAX_NAME} characters (${length} characters)`,
      )
    }
    if (FORBIDDEN.test(name)) throw new InvalidId(`in "${text}" id: invalid character(s) in name "${name}"`)
    return new ComponentId(type, name)
  }
}

/** A text that does not follow the grammar of ids. */
export class InvalidId extends Error {
  override name = 'InvalidId'
}

const TYPE = /^[a-zA-Z][0-9a-zA-Z_]{0,62}$/
const MAX_NAME = 1024
/** White space, control characters and symbols (Unicode classes Z, C, S). */
const FORBIDDEN = /[\p{Z}\p{C}\p{S}]/u
