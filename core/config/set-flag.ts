import type { Location } from './location.ts'

/** One item of `--set`, as a location for the yaml provider and a name for origins that does not show the value. */
export interface SetItem extends Location {
  readonly label: string
}

/**
 * Reads `a.b.c=value`: dots in the part before the first `=` separate keys (so keys that hold dots cannot be set this
 * way), the rest is YAML.
 * @throws {Error} `invalid value "…" for flag -set: missing equal sign`
 */
export function parseSetFlag(item: string): SetItem {
  const equals = item.indexOf('=')
  if (equals < 0) throw new Error(`invalid value "${item}" for flag -set: missing equal sign`)
  const path = item.slice(0, equals).trim()
  const opaque = `${path.replaceAll('.', '::')}: ${item.slice(equals + 1).trim()}`
  return { scheme: 'yaml', opaque, uri: `yaml:${opaque}`, label: `--set ${path}` }
}
