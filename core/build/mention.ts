import type { Definition, Distribution } from '#core/component'
import type { ConfigNode, Fault, Origin } from '#core/config'
import type { ComponentModules } from '#core/service'
import type { Entry } from './manifest-schema.ts'
import type { Section, WrittenManifest } from './read-manifest.ts'

/** A mention of a component in a manifest. */
export interface Mention {
  readonly section: Section
  readonly kind: Definition['kind']
  readonly entry: Entry
  /** Keys joined by `::`. */
  readonly path: string
  readonly node: ConfigNode
}

/** A component of the distribution to build, and how its generated list reaches it. */
export interface Chosen {
  readonly kind: Definition['kind']
  readonly definition: Definition
  /** What is imported: `millrace/processors/batch`, the name of a package, or an absolute path. */
  readonly specifier: string
  /** The file that this is. */
  readonly file: string
  /** The exported name. */
  readonly name: string
  /** What follows the name when the export holds several: `[0]`, `.redact`. */
  readonly member: string
}

/** What the steps of choosing share. */
export interface Choosing {
  readonly file: WrittenManifest
  /** The components of this package. */
  readonly own: Distribution
  readonly modules: ComponentModules
  readonly faults: Fault[]
  /** Components of the Go Collector that are not here. */
  readonly missing: Fault[]
}

/** A fault at a key of an entry, or at the entry. */
export function faultAt(
  { path, node }: { readonly path: string; readonly node: ConfigNode | undefined },
  key: keyof Entry | undefined,
  message: string,
  suggestion?: string,
): Fault {
  const origin: Origin | undefined = key === undefined ? node?.origin : node?.originAt([key])
  return {
    path: key === undefined ? path : `${path}::${key}`,
    message,
    ...(origin && { origin }),
    ...(suggestion !== undefined && { suggestion }),
  }
}
