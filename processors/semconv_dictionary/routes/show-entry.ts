import { INSTRUMENTS, PLACES, SIGNAL_TYPES, SPAN_KINDS, VALUE_KINDS, wordsOf } from '../analysis/vocabulary.ts'
import type { Entry } from '../dictionary/entry.ts'
import { registryType } from '../registry/registry-type.ts'
import type { View } from './view.ts'

/** An entry as listings show it. */
export function showEntry(entry: Entry, { classifier, dictionary }: View): object {
  const { classification = null, brief: _, ...details } = classifier.verdict(entry) ?? { classification: undefined }
  const shared = {
    name: entry.name,
    kind: entry.kind,
    classification,
    ...details,
    signal_types: wordsOf(SIGNAL_TYPES, entry.signals),
    status: dictionary.status(entry),
    cardinality: entry.sketch.cardinality,
    estimated: entry.sketch.estimated,
    overflowed: dictionary.overflowed(entry),
    count: entry.count,
    services: [...entry.services.keys()].sort(),
    first_seen: new Date(entry.firstSeen).toISOString(),
    last_seen: new Date(entry.lastSeen).toISOString(),
  }
  if (entry.kind === 'attribute') return { ...shared, type: registryType(entry.values) }
  const attributes = [...entry.keys].sort()
  if (entry.kind === 'event') return { ...shared, attributes }
  const [instrument = null] = wordsOf(INSTRUMENTS, entry.instrument)
  return { ...shared, instrument, unit: entry.unit, description: entry.description, attributes }
}

/** An entry with all there is to tell. */
export function showWholeEntry(entry: Entry, view: View): object {
  const kinds = new Map<string, number>()
  entry.spanKinds.forEach((count, kind) => {
    if (count > 0) kinds.set(SPAN_KINDS[kind]!, (kinds.get(SPAN_KINDS[kind]!) ?? 0) + count)
  })
  const brief = view.classifier.verdict(entry)?.brief
  return {
    ...showEntry(entry, view),
    ...(brief === undefined ? {} : { brief }),
    ...(entry.kind === 'attribute'
      ? {
          value_kinds: wordsOf(VALUE_KINDS, entry.values),
          places: wordsOf(PLACES, entry.places),
          span_kinds: Object.fromEntries(kinds),
        }
      : {}),
    ...(entry.kind === 'metric' ? { instruments: wordsOf(INSTRUMENTS, entry.values) } : {}),
    services: [...entry.services].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
  }
}
