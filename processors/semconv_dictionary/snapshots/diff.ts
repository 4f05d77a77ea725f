import { ENTRY_KINDS, type EntryKind } from '../analysis/vocabulary.ts'
import { entryKey } from '../dictionary/entry.ts'
import type { Snapshot, SnapshotEntry } from './snapshot.ts'

/** A cardinality has jumped when it has at least doubled, by at least so many values. */
const JUMP = 100
const FIELDS = ['type', 'unit', 'instrument', 'classification', 'signal_types'] as const

/** What became different about one name. */
export type Change =
  | { readonly type: 'added'; readonly name: string; readonly classification: string | null }
  | { readonly type: 'removed'; readonly name: string; readonly last_seen: string }
  | {
      readonly type: 'renamed'
      /** The new name, and the old one. */
      readonly name: string
      readonly old_name: string
      /** Whether the old name is not sent any more. */
      readonly complete: boolean
    }
  | { readonly type: 'updated'; readonly name: string; readonly fields: readonly FieldChange[] }

export interface FieldChange {
  readonly field: (typeof FIELDS)[number] | 'cardinality'
  readonly from: unknown
  readonly to: unknown
}

/** Changes by kind of entry, in the order of names. */
export type Changes = { readonly [K in EntryKind as `${K}s`]: readonly Change[] }

/**
 * What has changed between two snapshots. A name is gone when it has not been seen since the first was taken, since a
 * dictionary remembers names for days. A name that came while the one it replaces was there is a rename.
 */
export function diff(from: Snapshot, to: Snapshot): Changes {
  const before = byKey(from.entries)
  const after = byKey(to.entries.filter(entry => entry.last_seen > from.created || !before.has(keyOf(entry))))
  const last = byKey(to.entries)
  const changes: { [K in EntryKind as `${K}s`]: Change[] } = { attributes: [], metrics: [], events: [] }
  const renamed = new Set<string>()
  for (const [key, old] of before) {
    if (old.replacement === undefined) continue
    const newKey = entryKey(old.kind, old.replacement)
    if (before.has(newKey) || !after.has(newKey)) continue
    const complete = !after.has(key)
    changes[`${old.kind}s`].push({ type: 'renamed', name: old.replacement, old_name: old.name, complete })
    renamed.add(newKey)
    if (complete) renamed.add(key)
  }
  for (const [key, entry] of after) {
    const old = before.get(key)
    if (old === undefined) {
      if (renamed.has(key)) continue
      changes[`${entry.kind}s`].push({ type: 'added', name: entry.name, classification: entry.classification })
    } else {
      const fields = fieldChanges(old, entry)
      if (fields.length > 0) changes[`${entry.kind}s`].push({ type: 'updated', name: entry.name, fields })
    }
  }
  for (const [key, old] of before) {
    if (after.has(key) || renamed.has(key)) continue
    const seen = last.get(key)?.last_seen ?? old.last_seen
    changes[`${old.kind}s`].push({ type: 'removed', name: old.name, last_seen: new Date(seen).toISOString() })
  }
  for (const kind of ENTRY_KINDS) changes[`${kind}s`].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return changes
}

function fieldChanges(old: SnapshotEntry, now: SnapshotEntry): FieldChange[] {
  const changes: FieldChange[] = []
  for (const field of FIELDS) {
    if (String(old[field]) !== String(now[field])) changes.push({ field, from: old[field], to: now[field] })
  }
  if (now.cardinality >= 2 * old.cardinality && now.cardinality - old.cardinality >= JUMP) {
    changes.push({ field: 'cardinality', from: old.cardinality, to: now.cardinality })
  }
  return changes
}

function byKey(entries: readonly SnapshotEntry[]): Map<string, SnapshotEntry> {
  return new Map(entries.map(entry => [keyOf(entry), entry]))
}

function keyOf({ kind, name }: SnapshotEntry): string {
  return entryKey(kind, name)
}
