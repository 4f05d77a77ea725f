import { type EntryKind, INSTRUMENTS, SIGNAL_TYPES, wordsOf } from '../analysis/vocabulary.ts'
import type { Classifier } from '../classification/classifier.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { Entry } from '../dictionary/entry.ts'
import { registryType } from '../registry/registry-type.ts'

/** What a snapshot keeps of an entry: what can change for the worse, and nothing that was sent as a value. */
export interface SnapshotEntry {
  readonly kind: EntryKind
  readonly name: string
  readonly classification: string | null
  readonly signal_types: readonly string[]
  /** Attributes. */
  readonly type?: string
  /** Metrics. */
  readonly instrument?: string
  readonly unit?: string
  readonly cardinality: number
  /** Milliseconds since the Unix epoch. */
  readonly last_seen: number
  /** The name to use instead: what the conventions document, or the name that was probably meant. */
  readonly replacement?: string
}

/** The dictionary as it was at a moment. */
export interface Snapshot {
  readonly id: string
  /** Milliseconds since the Unix epoch. */
  readonly created: number
  readonly entries: readonly SnapshotEntry[]
}

/** The dictionary as it is now. */
export function takeSnapshot(id: string, dictionary: Dictionary, classifier: Classifier, created: number): Snapshot {
  const entries: SnapshotEntry[] = []
  for (const entry of dictionary.entries()) entries.push(snapshotOf(entry, classifier))
  return { id, created, entries }
}

function snapshotOf(entry: Entry, classifier: Classifier): SnapshotEntry {
  const verdict = classifier.verdict(entry)
  const replacement = verdict?.replacement ?? verdict?.suggestion
  const [instrument = ''] = wordsOf(INSTRUMENTS, entry.instrument)
  return {
    kind: entry.kind,
    name: entry.name,
    classification: verdict?.classification ?? null,
    signal_types: wordsOf(SIGNAL_TYPES, entry.signals),
    ...(entry.kind === 'attribute' ? { type: registryType(entry.values) } : {}),
    ...(entry.kind === 'metric' ? { instrument, unit: entry.unit } : {}),
    cardinality: entry.sketch.cardinality,
    last_seen: entry.lastSeen,
    ...(replacement === undefined ? {} : { replacement }),
  }
}
