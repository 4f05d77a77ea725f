import type { EntryKind } from '../analysis/vocabulary.ts'

/** What a registry says of one name. What it does not say is absent, and nothing is then compared. */
export interface Convention {
  readonly kind: EntryKind
  /** For a template the part before the key, with its dot. */
  readonly name: string
  /** The name stands for all names that begin with it. */
  readonly template?: boolean
  readonly stable: boolean
  readonly brief: string
  /** Attributes: `string`, `int[]`, `any`, ... as registries write types; of an enumeration that of its values. */
  readonly type?: string
  /** Metrics. */
  readonly unit?: string
  readonly instrument?: string
  readonly deprecated?: {
    /** The name to use instead, when there is exactly one. */
    readonly replacement?: string
    readonly note: string
  }
  /** Only moved to another registry: not retired. */
  readonly moved?: boolean
}
