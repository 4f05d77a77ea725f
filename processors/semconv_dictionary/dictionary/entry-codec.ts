import type { EntryKind } from '../analysis/vocabulary.ts'
import { ENTRY_KINDS } from '../analysis/vocabulary.ts'
import { Sketch } from '../sketch/sketch.ts'
import { Entry } from './entry.ts'

/** What is stored of an entry beside its sketch. The keys are short: there is one such text for each entry. */
interface Stored {
  readonly k: EntryKind
  readonly n: string
  readonly v: number
  readonly s: number
  readonly p: number
  readonly c: number
  readonly sk: readonly number[]
  readonly sv: readonly (readonly [string, number])[]
  readonly f: number
  readonly l: number
  readonly i?: number
  readonly u?: string
  readonly d?: string
  readonly a?: readonly string[]
}

/** An entry without its sketch, for storage. */
export function encodeEntry(entry: Entry): Buffer {
  const stored: Stored = {
    k: entry.kind,
    n: entry.name,
    v: entry.values,
    s: entry.signals,
    p: entry.places,
    c: entry.count,
    sk: entry.spanKinds,
    sv: [...entry.services],
    f: entry.firstSeen,
    l: entry.lastSeen,
    ...(entry.kind === 'attribute'
      ? {}
      : { i: entry.instrument, u: entry.unit, d: entry.description, a: [...entry.keys] }),
  }
  return Buffer.from(JSON.stringify(stored))
}

/**
 * An entry as it was stored.
 * @param sketch what was stored of its sketch, `undefined` when nothing was
 * @throws {Error} when the bytes are not those of an entry
 */
export function decodeEntry(bytes: Uint8Array, sketch: Uint8Array | undefined): Entry {
  const stored = JSON.parse(Buffer.from(bytes).toString()) as Partial<Stored>
  const { k, n, f, l } = stored
  if (!ENTRY_KINDS.includes(k!) || typeof n !== 'string' || typeof f !== 'number' || typeof l !== 'number') {
    throw new Error('it is no entry')
  }
  const entry = new Entry(k!, n, f)
  entry.lastSeen = l
  entry.values = stored.v ?? 0
  entry.signals = stored.s ?? 0
  entry.places = stored.p ?? 0
  entry.count = stored.c ?? 0
  stored.sk?.forEach((count, kind) => {
    entry.spanKinds[kind] = count
  })
  for (const [service, count] of stored.sv ?? []) entry.services.set(service, count)
  entry.instrument = stored.i ?? 0
  entry.unit = stored.u ?? ''
  entry.description = stored.d ?? ''
  for (const key of stored.a ?? []) entry.keys.add(key)
  if (sketch !== undefined) entry.sketch = Sketch.decode(sketch)
  entry.sketchChanged = false
  entry.stored = true
  return entry
}
