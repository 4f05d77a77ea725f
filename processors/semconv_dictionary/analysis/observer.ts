import { Family } from './family.ts'
import { avalanche, hashBytes, hashLow } from './hash.ts'
import { KeySets } from './key-sets.ts'
import { Column, type Facts, type Observation, ROW } from './observation.ts'
import { Triples } from './triples.ts'
import { after, longLength } from './wire.ts'

/** Names of each kind that a worker knows at a time; when there are more it begins anew. */
const CAPACITY = 16_384
/** Bytes of UTF-8 a name may have: what is longer is no name but a value in its place. */
export const MAX_NAME = 512
const MAX_SERVICE = 256
const UNNAMED_SERVICE = 'unknown_service'

/** Of an encoded AnyValue: the bit of its kind (`VALUE_KINDS`) by the tag of the field that is set. */
const KIND_BITS = new Uint16Array(256)
KIND_BITS[0x0a] = 1
KIND_BITS[0x10] = 2
KIND_BITS[0x18] = 4
KIND_BITS[0x21] = 8
KIND_BITS[0x3a] = 16
KIND_BITS[0x32] = 32
const EMPTY = 64
const MIXED_ARRAY = 128
const ARRAY_TAG = 0x2a

/**
 * Collects what payloads show of names, for one worker. It remembers which hashes it has told already, so that traffic
 * that repeats itself costs the other side nothing.
 */
export class Observer {
  readonly #seed: number
  attributes: Family
  metrics: Family
  events: Family
  #keySets = new KeySets()
  #serviceName = 0
  #task = 0
  #segment = 0
  #signal = 0
  #names: string[] = []
  #rows = new Int32Array(ROW * 256)
  readonly #hashes = new Triples()
  readonly #usage = new Triples()
  #services = new Map<string, number>()
  #service = UNNAMED_SERVICE
  /** Families and numbers of the names seen in the present segment. */
  readonly #touchedFamilies: Family[] = []
  readonly #touched: number[] = []
  #facts: Facts[] = []
  #skipped = 0
  /** Whether the attributes to come are one set, and the sums of their hashes: the hash of the set in any order. */
  #inSet = false
  #setHigh = 0
  #setLow = 0
  #keyHigh = 0
  #keyLow = 0
  readonly #setIds: number[] = []
  /** Span kind of the attributes to come. */
  spanKind = -1

  /** @param seed of all hashes; equal in all workers of a dictionary, and secret */
  constructor(seed: number) {
    this.#seed = seed
    this.attributes = this.metrics = this.events = new Family(0, 1, seed)
    this.forget()
  }

  /** Forgets everything: what was told before is told again. */
  forget(): void {
    this.attributes = new Family(0, CAPACITY, this.#seed)
    this.metrics = new Family(1, CAPACITY, this.#seed)
    this.events = new Family(2, CAPACITY, this.#seed)
    this.#keySets = new KeySets()
    const name = Buffer.from('service.name')
    this.#serviceName = this.attributes.interner.find(name, 0, name.length, viewOf(name))
  }

  /** What was seen since the last call. */
  take(payloads: number, items: number): Observation {
    const observation: Observation = {
      payloads,
      items,
      names: this.#names,
      rows: this.#rows.slice(0, this.#names.length * ROW),
      hashes: this.#hashes.take(),
      services: [...this.#services.keys()],
      usage: this.#usage.take(),
      facts: this.#facts,
      skipped: this.#skipped,
    }
    this.#names = []
    this.#services = new Map()
    this.#facts = []
    this.#skipped = 0
    this.#task++
    if ([this.attributes, this.metrics, this.events].some(({ interner }) => interner.size >= CAPACITY)) this.forget()
    return observation
  }

  /** What comes now belongs to one resource; `signal` is a bit of `SIGNAL_TYPES`. */
  beginResource(signal: number): void {
    this.#segment++
    this.#signal = signal
    this.#service = UNNAMED_SERVICE
    this.#inSet = false
  }

  /** Everything of the resource has been seen. */
  endResource(): void {
    let service = this.#services.get(this.#service)
    if (service === undefined) {
      service = this.#services.size
      this.#services.set(this.#service, service)
    }
    for (let i = 0; i < this.#touched.length; i++) {
      const family = this.#touchedFamilies[i]!
      const id = this.#touched[i]!
      const row = family.row[id]!
      const at = row * ROW
      this.#usage.push(row, service, family.count[id]!)
      this.#rows[at + Column.VALUES]! |= family.values[id]!
      this.#rows[at + Column.SIGNALS]! |= this.#signal
      this.#rows[at + Column.PLACES]! |= family.places[id]!
      this.#rows[at + Column.COUNT]! += family.count[id]!
      for (let kind = 0; kind < 6; kind++) {
        this.#rows[at + Column.SPAN_KINDS + kind]! += family.spanKinds[id * 6 + kind]!
        family.spanKinds[id * 6 + kind] = 0
      }
    }
    this.#touched.length = 0
    this.#touchedFamilies.length = 0
  }

  /** A KeyValue in `[p, end)` at `place`, a bit of `PLACES`. */
  attribute(b: Buffer, v: DataView, p: number, end: number, place: number): void {
    let key = p
    let keyEnd = p
    let value = end
    let valueEnd = end
    while (p < end) {
      const tag = b[p++]!
      let n = b[p++]!
      if (n > 127) {
        n = longLength(b, p, n)
        p = after
      }
      if (tag === 0x0a) {
        key = p
        keyEnd = p + n
      } else if (tag === 0x12) {
        value = p
        valueEnd = p + n
      } else if ((tag & 7) !== 2) return
      p += n
    }
    const id = this.#find(this.attributes, b, v, key, keyEnd)
    if (id < 0) return
    const family = this.attributes
    if (family.segment[id] !== this.#segment) this.#touch(family, id)
    family.count[id]!++
    family.places[id]! |= place
    if (this.spanKind >= 0) family.spanKinds[id * 6 + this.spanKind]!++
    const tag = value < valueEnd ? b[value]! : 0
    family.values[id]! |=
      KIND_BITS[tag]! || (tag === ARRAY_TAG ? arrayKind(b, value + 1, valueEnd) : value < valueEnd ? 0 : EMPTY)
    const high = hashBytes(b, v, value, valueEnd, this.#seed)
    const low = hashLow
    if (family.sketch(id).add(high, low)) this.#hashes.push(family.row[id]!, high, low)
    if (id === this.#serviceName && tag === 0x0a && place === 1) this.#service = this.#serviceOf(b, value, valueEnd)
    if (!this.#inSet) return
    const keyHigh = family.interner.high(id)
    const keyLow = family.interner.low(id)
    this.#setHigh = (this.#setHigh + avalanche(high ^ keyHigh)) | 0
    this.#setLow = (this.#setLow + avalanche(low ^ keyLow)) | 0
    this.#keyHigh = (this.#keyHigh + keyHigh) | 0
    this.#keyLow = (this.#keyLow + keyLow) | 0
    this.#setIds.push(id)
  }

  /** The attributes to come are one set: those of a data point or log record. */
  beginSet(): void {
    this.#inSet = true
    this.#setHigh = this.#setLow = this.#keyHigh = this.#keyLow = 0
    this.#setIds.length = 0
  }

  /** The set since {@link beginSet} belongs to a metric or event, whose different sets are counted. */
  endSet(family: Family, id: number): void {
    this.#inSet = false
    const high = avalanche(this.#setHigh)
    const low = avalanche(this.#setLow ^ this.#setIds.length)
    if (family.sketch(id).add(high, low)) this.#hashes.push(family.row[id]!, high, low)
    const added = this.#keySets.add(family.kind, id, this.#keyHigh, this.#keyLow, this.#setIds)
    if (added === undefined) return
    this.#facts.push({ row: family.row[id]!, keys: added.map(key => this.attributes.interner.names[key]!) })
  }

  /** A metric or event by its name in `[start, end)`; -1 when it is left out. Counts `count` occurrences. */
  named(family: Family, b: Buffer, v: DataView, start: number, end: number): number {
    const id = this.#find(family, b, v, start, end)
    if (id >= 0 && family.segment[id] !== this.#segment) this.#touch(family, id)
    return id
  }

  /** What is known of a metric beside its name. */
  describe(id: number, instrument: number, unit: string, description: string): void {
    this.metrics.values[id]! |= instrument
    this.#facts.push({ row: this.metrics.row[id]!, instrument, unit, description })
  }

  #find(family: Family, b: Buffer, v: DataView, start: number, end: number): number {
    const length = end - start
    const id = length > 0 && length <= MAX_NAME ? family.interner.find(b, start, end, v) : -1
    if (id < 0) this.#skipped++
    return id
  }

  #touch(family: Family, id: number): void {
    family.segment[id] = this.#segment
    family.count[id] = 0
    family.values[id] = 0
    family.places[id] = 0
    this.#touchedFamilies.push(family)
    this.#touched.push(id)
    if (family.task[id] === this.#task + 1) return
    family.task[id] = this.#task + 1
    const row = this.#names.length
    family.row[id] = row
    this.#names.push(family.interner.names[id]!)
    if ((row + 1) * ROW > this.#rows.length) {
      const grown = new Int32Array(this.#rows.length * 2)
      grown.set(this.#rows)
      this.#rows = grown
    }
    this.#rows.fill(0, row * ROW, (row + 1) * ROW)
    this.#rows[row * ROW + Column.KIND] = family.kind
  }

  #serviceOf(b: Buffer, value: number, valueEnd: number): string {
    let p = value + 1
    const n = b[p++]!
    if (n > 127) {
      longLength(b, p, n)
      p = after
    }
    return b.toString('utf8', p, Math.min(valueEnd, p + MAX_SERVICE)) || UNNAMED_SERVICE
  }
}

/** The kind of an array of which `[p, end)` is the rest behind its tag: of its elements when all are alike. */
function arrayKind(b: Buffer, p: number, end: number): number {
  let n = b[p++]!
  if (n > 127) {
    n = longLength(b, p, n)
    p = after
  }
  let first = 0
  while (p < end) {
    if (b[p++] !== 0x0a) return MIXED_ARRAY
    n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    const tag = n > 0 ? b[p]! : 0
    if (first === 0) first = tag
    if (tag !== first) return MIXED_ARRAY
    p += n
  }
  const scalar = KIND_BITS[first]!
  return scalar > 0 && scalar <= 8 ? scalar << 8 : MIXED_ARRAY
}

export function viewOf(b: Buffer): DataView {
  return new DataView(b.buffer, b.byteOffset, b.byteLength)
}
