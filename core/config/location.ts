/** A place that a configuration or a value comes from, `scheme:opaque`. */
export interface Location {
  readonly scheme: string
  readonly opaque: string
  /** The whole, as handed to a provider. */
  readonly uri: string
}

/**
 * Splits a URI. The scheme has at least two characters; the rest may hold anything, line breaks included.
 * @throws {Error} `invalid uri: "…"`
 */
export function parseLocation(uri: string): Location {
  const match = URI.exec(uri)
  if (!match) throw new Error(`invalid uri: "${uri}"`)
  return { scheme: match[1]!, opaque: match[2]!, uri }
}

/**
 * Reads an operand of `--config`: a URI, or a path when there is no colon or what stands before it is a drive letter.
 * @throws {Error} `invalid uri: "…"`
 */
export function parseConfigLocation(operand: string): Location {
  if (!operand.includes(':') || /^[A-Za-z]:/.test(operand)) {
    return { scheme: 'file', opaque: operand, uri: `file:${operand}` }
  }
  return parseLocation(operand)
}

/** A name of the location for origins and messages, which shows no value: neither inline YAML nor URL credentials. */
export function locationLabel({ scheme, opaque, uri }: Location): string {
  switch (scheme) {
    case 'file':
      return opaque
    case 'env':
      return `env:${opaque.split(':-', 1)[0]}`
    case 'yaml':
      return ['yaml', /^[A-Za-z0-9_./:-]+?(?=:\s)/.exec(opaque)?.[0]].filter(Boolean).join(':')
    case 'http':
    case 'https':
      return withoutCredentials(uri)
    default:
      return `${scheme}:`
  }
}

function withoutCredentials(uri: string): string {
  const url = URL.parse(uri)
  return url ? `${url.origin}${url.pathname}` : `${uri.split(':', 1)[0]}:`
}

const URI = /^([A-Za-z][A-Za-z0-9+.-]+):(.*)$/s
