import { stringifyYaml } from '#core/config'
import type { EntryKind } from '../analysis/vocabulary.ts'
import { bit, PLACES } from '../analysis/vocabulary.ts'
import type { Classifier } from '../classification/classifier.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { Entry } from '../dictionary/entry.ts'

/** How far a service is with one rename. */
export interface ServiceProgress {
  readonly service: string
  readonly old: number
  readonly new: number
  readonly state: 'outstanding' | 'both' | 'migrated'
}

/** A name that should be another one. */
export interface Rename {
  readonly kind: EntryKind
  readonly old_name: string
  readonly new_name: string
  /** Whether the conventions document it, or it is only likely that the other name was meant. */
  readonly documented: boolean
  readonly old_count: number
  readonly new_count: number
  /** Of both counts that of the new name, in percent. */
  readonly migrated_pct: number
  readonly services: readonly ServiceProgress[]
}

export interface Migration {
  readonly migrated_pct: number
  /** Services that still send an old name. */
  readonly services_outstanding: readonly string[]
  readonly renames: readonly Rename[]
  /** Processors that rename what is renamed by the conventions, as a part of a Collector configuration. */
  readonly configuration: string
}

/** How much of what is sent still has old names, by service, and what would rename it on the way. */
export function migrationOf(dictionary: Dictionary, classifier: Classifier): Migration {
  const renames: Rename[] = []
  const places = new Map<string, number>()
  for (const entry of dictionary.entries()) {
    const verdict = classifier.verdict(entry)
    const name = verdict?.replacement ?? verdict?.suggestion
    if (name === undefined || dictionary.status(entry) !== 'active') continue
    const documented = verdict?.replacement !== undefined
    renames.push(renameOf(entry, dictionary.get(entry.kind, name), name, documented))
    places.set(entry.name, entry.places)
  }
  renames.sort((a, b) => (a.old_name < b.old_name ? -1 : 1))
  const outstanding = new Set<string>()
  let old = 0
  let now = 0
  for (const rename of renames) {
    old += rename.old_count
    now += rename.new_count
    for (const { service, state } of rename.services) if (state !== 'migrated') outstanding.add(service)
  }
  return {
    migrated_pct: percent(now, old + now),
    services_outstanding: [...outstanding].sort(),
    renames,
    configuration: configurationOf(renames, places),
  }
}

function renameOf(old: Entry, now: Entry | undefined, name: string, documented: boolean): Rename {
  const names = new Set([...old.services.keys(), ...(now?.services.keys() ?? [])])
  const services = [...names].sort().map((service): ServiceProgress => {
    const counts = { old: old.services.get(service) ?? 0, new: now?.services.get(service) ?? 0 }
    const state = counts.old === 0 ? 'migrated' : counts.new === 0 ? 'outstanding' : 'both'
    return { service, ...counts, state }
  })
  return {
    kind: old.kind,
    old_name: old.name,
    new_name: name,
    documented,
    old_count: old.count,
    new_count: now?.count ?? 0,
    migrated_pct: percent(now?.count ?? 0, old.count + (now?.count ?? 0)),
    services,
  }
}

const RESOURCE = bit(PLACES, 'resource')

/**
 * Processors for the attributes that conventions have renamed: `insert` copies the old value where the new name is absent,
 * so nothing that a sender has migrated already is overwritten. Metrics are not renamed blindly: their unit may differ.
 */
function configurationOf(renames: readonly Rename[], places: ReadonlyMap<string, number>): string {
  const wanted = renames.filter(({ kind, documented }) => kind === 'attribute' && documented)
  const actions = (chosen: readonly Rename[]) =>
    chosen.flatMap(({ old_name, new_name }) => [
      { key: new_name, from_attribute: old_name, action: 'insert' },
      { key: old_name, action: 'delete' },
    ])
  const onResources = wanted.filter(({ old_name }) => (places.get(old_name)! & RESOURCE) !== 0)
  const onRecords = wanted.filter(({ old_name }) => (places.get(old_name)! & ~RESOURCE) !== 0)
  const processors = {
    ...(onResources.length > 0 ? { 'resource/semconv_migration': { attributes: actions(onResources) } } : {}),
    ...(onRecords.length > 0 ? { 'attributes/semconv_migration': { actions: actions(onRecords) } } : {}),
  }
  return stringifyYaml({ processors })
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.round((part / whole) * 10_000) / 100
}
