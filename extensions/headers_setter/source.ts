import { type ConsumeContext, PermanentError } from '#core/component'
import { contextSource } from '#core/transform'

/** Where the value of a header comes from, given the context of the data that is sent. */
export type Source = (context: ConsumeContext) => string

/**
 * Takes the value of request metadata, or of what else `from_context` may name (`auth.<attribute>`, `client.address`).
 * @throws {PermanentError} from the source, when the header came several times: which one is meant cannot be told
 */
export function fromContext(name: string, otherwise: string): Source {
  const header = name.replace(/^metadata\./, '').toLowerCase()
  const other = contextSource(name)
  return context => {
    const values = context.metadata.get(header) ?? []
    if (values.length > 1) {
      throw new PermanentError(
        `Could not set headers: the request has "${name}" ${values.length} times, and one value is wanted`,
      )
    }
    return values[0] ?? other(context) ?? otherwise
  }
}

/** Takes an attribute of whoever sent the data; what is not text is written as JSON. */
export function fromAttribute(name: string, otherwise: string): Source {
  return ({ auth }) => {
    const value = auth?.attribute(name)
    if (value === undefined || value === null) return otherwise
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}
