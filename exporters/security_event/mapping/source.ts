import { hash } from 'node:crypto'
import type { Attributes, Resource, Scope, Value } from '#core/data'
import { jsonText } from './json-text.ts'

/** Where records come from: what all records of one scope share. */
export interface Source {
  readonly resource: ReadonlyMap<string, Value>
  readonly scopeName: string
  readonly scopeVersion: string
  readonly scope: ReadonlyMap<string, Value>
  /** Of all of the above, independent of the order of attributes. */
  readonly digest: string
}

/**
 * Remembers the source read last, because records of one scope follow one another. One for each payload: it holds on to
 * the payload's bytes.
 */
export class SourceReader {
  #bytes: Uint8Array | undefined
  #resource: ReadonlyMap<string, Value> = new Map()
  #source: Source | undefined

  read(resource: Resource, scope: Scope): Source {
    const bytes = resource.bytes
    if (!sameBytes(bytes, this.#bytes)) {
      this.#bytes = bytes
      this.#resource = mapOf(resource.attributes)
      this.#source = undefined
    }
    const { name, version } = scope
    const own = mapOf(scope.attributes)
    const last = this.#source
    if (last !== undefined && last.scopeName === name && last.scopeVersion === version && sameMap(last.scope, own)) {
      return last
    }
    const digest = digestOf(this.#resource, name, version, own)
    this.#source = { resource: this.#resource, scopeName: name, scopeVersion: version, scope: own, digest }
    return this.#source
  }
}

const NONE: ReadonlyMap<string, Value> = new Map()

/** The first of several attributes with one name counts, as everywhere. */
function mapOf(attributes: Attributes): ReadonlyMap<string, Value> {
  let map: Map<string, Value> | undefined
  for (const [name, value] of attributes) {
    map ??= new Map()
    if (!map.has(name)) map.set(name, value)
  }
  return map ?? NONE
}

/** Whether two views are of the very same bytes. */
function sameBytes(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length
}

function sameMap(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
  return a === b || (a.size === b.size && canonical(a) === canonical(b))
}

function digestOf(
  resource: ReadonlyMap<string, Value>,
  name: string,
  version: string,
  scope: ReadonlyMap<string, Value>,
): string {
  const text = [canonical(resource), JSON.stringify(name), JSON.stringify(version), canonical(scope)].join('\n')
  return hash('sha256', text, 'hex')
}

function canonical(map: ReadonlyMap<string, Value>): string {
  return [...map]
    .map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`)
    .sort()
    .join()
}
