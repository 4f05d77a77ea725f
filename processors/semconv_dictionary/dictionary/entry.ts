import type { EntryKind } from '../analysis/vocabulary.ts'
import { Sketch } from '../sketch/sketch.ts'

/** Services an entry names; what further ones send is counted under {@link OTHER_SERVICES}. */
const MAX_SERVICES = 256
/** Attribute names kept of a metric or event. */
const MAX_KEYS = 256
export const OTHER_SERVICES = '(others)'

/** What is known of one attribute, metric or event name. No value is ever part of it, only hashes in the sketch. */
export class Entry {
  readonly kind: EntryKind
  readonly name: string
  /** Bits of `VALUE_KINDS`, for metrics of `INSTRUMENTS`. */
  values = 0
  /** Bits of `SIGNAL_TYPES`. */
  signals = 0
  /** Bits of `PLACES`. */
  places = 0
  /** Occurrences: of an attribute on resources and records, of a metric its points, of an event its records. */
  count = 0
  /** Occurrences on spans by span kind, 0 to 5. */
  readonly spanKinds: number[] = [0, 0, 0, 0, 0, 0]
  /** Occurrences by service. */
  readonly services = new Map<string, number>()
  /** Milliseconds since the Unix epoch. */
  readonly firstSeen: number
  lastSeen: number
  /** Distinct values, for a metric or event distinct attribute sets. */
  sketch = new Sketch()
  /** Metrics: as sent last. `instrument` is a bit of `INSTRUMENTS`. */
  instrument = 0
  unit = ''
  description = ''
  /** Metrics and events: names of attributes on points or records. */
  readonly keys = new Set<string>()
  /** Its sketch differs from what is stored. */
  sketchChanged = true
  /** It is, or is about to be, in storage. */
  stored = false
  /** It has left the dictionary. */
  removed = false

  constructor(kind: EntryKind, name: string, firstSeen: number) {
    this.kind = kind
    this.name = name
    this.firstSeen = firstSeen
    this.lastSeen = firstSeen
  }

  /** Counts what a service has sent. Tells whether the service is new here. */
  use(service: string, count: number): boolean {
    const before = this.services.get(service)
    if (before === undefined && this.services.size >= MAX_SERVICES && service !== OTHER_SERVICES) {
      return this.use(OTHER_SERVICES, count)
    }
    this.services.set(service, (before ?? 0) + count)
    return before === undefined
  }

  /** Enters attribute names. Tells whether one is new here. */
  addKeys(names: readonly string[]): boolean {
    const before = this.keys.size
    for (const name of names) if (this.keys.size < MAX_KEYS) this.keys.add(name)
    return this.keys.size > before
  }
}

/** What tells entries apart: an attribute and a metric may have the same name. */
export function entryKey(kind: EntryKind, name: string): string {
  return `${kind}/${name}`
}
