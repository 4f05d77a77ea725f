import { admit } from './admit.ts'
import { openDraft } from './draft.ts'
import {
  above,
  anyValue,
  canonical,
  inner,
  LENGTH,
  Message,
  NaiveAttributes,
  NaiveDraft,
  parse,
  printed,
  valueIn,
} from './naive.test-support.ts'
import { hexOf, isDropped, putNumber, putText, putTime, textOf, timeOf } from './naive-fields.test-support.ts'
import { decoded, OTLP_SIGNALS, type OtlpSignal, RandomRequests, requestType } from './otlp.test-support.ts'
import { Payload } from './payload.ts'
import {
  type Attributes,
  type DataPoint,
  Double,
  type Draft,
  type LogRecord,
  type Span,
  type Value,
} from './records.ts'

type AnyRecord = Span | LogRecord | DataPoint
type Edit = (attributes: Attributes) => unknown

const KEYS = [
  '',
  'a',
  'service.name',
  'http.route',
  'größe',
  '✓ 測試',
  'x'.repeat(130),
  'tenant',
  'user.id',
  '__proto__',
]
const TEXTS = ['', 'b', '/healthz', 'ÄÖÜ', 'y'.repeat(127), 'z'.repeat(300), '🚀 \ud800'.toWellFormed()]

/** Whether a record has been met in the draft, and is kept for a later edit. */
interface Kept {
  readonly real: AnyRecord
  readonly naive: Message
}

/** Does the same random reads and edits to a draft and to its naive counterpart. Throws at the first difference. */
export class DraftFuzzer {
  readonly #random: RandomRequests
  readonly #signal: OtlpSignal
  #payload: Payload<OtlpSignal>
  #real: Draft<OtlpSignal>
  #naive: NaiveDraft
  #kept: Kept[] = []

  constructor(seed: number) {
    this.#random = new RandomRequests(seed)
    this.#signal = OTLP_SIGNALS[seed % OTLP_SIGNALS.length]!
    const chunks = Array.from({ length: 1 + this.#random.below(2) }, () => {
      return admit(this.#signal, this.#random.request(this.#signal)).payload.chunks
    })
    this.#payload = new Payload<OtlpSignal>(this.#signal, chunks.flat())
    this.#real = openDraft(this.#payload)
    this.#naive = new NaiveDraft(this.#signal, this.#payload.flat())
  }

  /** Up to four walks, with everything sealed and opened again between some of them. */
  run(): void {
    const walks = 1 + this.#random.below(4)
    for (let i = 0; i < walks; i++) {
      const walk = this.#random.pick([this.#walkRecords, this.#walkRecords, this.#walkResources, this.#walkMetrics])
      walk.call(this)
      this.#same('items', this.#real.items, this.#naive.records().length)
      if (this.#chance(0.3)) this.#seal()
    }
    this.#seal()
  }

  #seal(): void {
    const sealed = this.#real.seal()
    const bytes = sealed.flat()
    const expected = this.#naive.seal()
    const naive = new NaiveDraft(this.#signal, bytes)
    this.#same('bytes', canonical(naive.root), canonical(parse(expected, requestType(this.#signal))))
    // Costs as much as all the rest.
    if (this.#chance(0.1)) {
      this.#same('protobufjs', sorted(decoded(this.#signal, bytes)), sorted(decoded(this.#signal, expected)))
    }
    this.#same('counted items', admit(this.#signal, Buffer.from(bytes)).payload.items, sealed.items)
    this.#same('size', bytes.length, sealed.bytes)
    this.#payload = sealed
    this.#real = openDraft(sealed)
    this.#naive = naive
    this.#kept = []
  }

  #walkRecords(): void {
    const expected = this.#naive.records().values()
    const next = (): Message | undefined => expected.find(message => !isDropped(message))
    for (const real of this.#real.records()) {
      const naive = next()
      if (naive === undefined) throw new Error('a record that should not be there')
      this.#look(real, naive)
      if (this.#chance(0.5)) this.#editRecord({ real, naive })
      if (this.#chance(0.2)) this.#kept.push({ real, naive })
      if (this.#kept.length > 0 && this.#chance(0.1)) this.#editRecord(this.#random.pick(this.#kept))
      if (this.#chance(0.03)) return
    }
    if (next() !== undefined) throw new Error('a record is missing')
  }

  #walkResources(): void {
    const entries = this.#naive.resources()
    const resources = [...this.#real.resources()]
    this.#same('resources', resources.length, entries.length)
    resources.forEach((resource, i) => {
      const entry = entries[i]!
      const attributes = new NaiveAttributes(make => inner(entry, 'resource', make))
      this.#attributes(resource.attributes, attributes)
      this.#same('schema URL', resource.schemaUrl, textOf(entry, 'schemaUrl'))
      if (this.#chance(0.5)) this.#editAttributes(resource.attributes, attributes)
      const scopes = [...resource.scopes]
      const naiveScopes = this.#naive.scopes(entry)
      this.#same('scopes', scopes.length, naiveScopes.length)
      scopes.forEach((scope, j) => {
        const naive = naiveScopes[j]!
        const inside = new NaiveAttributes(make => inner(naive, 'scope', make))
        this.#attributes(scope.attributes, inside)
        this.#same('scope', scope.name, textOf(inner(naive, 'scope', false), 'name'))
        if (this.#chance(0.3)) this.#editAttributes(scope.attributes, inside)
      })
    })
  }

  #walkMetrics(): void {
    if (this.#signal !== 'metrics') return
    const metrics = this.#naive.metrics().values()
    for (const metric of this.#real.metrics()) {
      const naive = metrics.next().value!
      for (const name of ['name', 'unit', 'description'] as const) {
        if (this.#chance(0.2)) {
          metric[name] = this.#text()
          putText(naive, name, metric[name])
        }
        this.#same(name, metric[name], textOf(naive, name))
      }
      const points = [...metric.points]
      this.#same('points', points.length, this.#naive.records(naive).length)
      if (points.length > 0 && this.#chance(0.2)) {
        const index = this.#random.below(points.length)
        this.#editRecord({ real: points[index]!, naive: this.#naive.records(naive)[index]! })
      }
      if (this.#chance(0.1)) {
        metric.drop()
        this.#naive.drop(naive)
      }
    }
    this.#same('no more metrics', metrics.next().done, true)
  }

  #look(real: AnyRecord, naive: Message): void {
    this.#attributes(real.attributes, new NaiveAttributes(naive))
    if ('spanIdHex' in real) this.#same('span id', real.spanIdHex(), hexOf(naive, 'spanId'))
    if ('kind' in real) this.#same('name', real.name, textOf(naive, 'name'))
    if ('body' in real) this.#same('body', real.body, this.#body(naive))
    if ('metric' in real) this.#same('metric', real.metric.name, textOf(above(naive, /^Metric$/), 'name'))
    this.#same('schema URL', real.resource.schemaUrl, textOf(above(naive, /^Resource/), 'schemaUrl'))
    this.#same('scope', real.scope.name, textOf(inner(above(naive, /^Scope/), 'scope', false), 'name'))
  }

  #body(naive: Message): Value | undefined {
    const body = naive.content('body')
    return body instanceof Message ? valueIn(body) : undefined
  }

  #attributes(real: Attributes, naive: Attributes): void {
    if (this.#chance(0.5)) this.#same('attributes', [...real], [...naive])
    if (this.#chance(0.3)) this.#same('size', real.size, naive.size)
    const key = this.#key(naive)
    const there = naive.get(key)
    const text = typeof there === 'string' && this.#chance(0.5) ? there : this.#text()
    if (this.#chance(0.4)) this.#same('get', real.get(key), naive.get(key))
    if (this.#chance(0.4)) this.#same('has', real.has(key), naive.has(key))
    if (this.#chance(0.4)) this.#same('kind', real.kind(key), naive.kind(key))
    if (this.#chance(0.4)) this.#same('is', real.is(key, text), naive.is(key, text))
  }

  #editRecord({ real, naive }: Kept): void {
    const edits = 1 + this.#random.below(4)
    const dropped = isDropped(naive)
    for (let i = 0; i < edits; i++) {
      const kind = this.#random.below(12)
      if (kind === 0) {
        if (!dropped && !isDropped(naive)) this.#naive.drop(naive)
        real.drop()
        return
      }
      if (dropped) {
        real.attributes.set(this.#random.pick(KEYS), 'lost')
        continue
      }
      if (kind < 3) this.#editFields(real, naive)
      else if (kind < 5) this.#editParts(real, naive)
      else if (kind === 5) {
        const entry = above(naive, /^Resource/)
        this.#editAttributes(real.resource.attributes, new NaiveAttributes(make => inner(entry, 'resource', make)))
      } else this.#editAttributes(real.attributes, new NaiveAttributes(naive))
      if (this.#chance(0.3)) this.#look(real, naive)
    }
  }

  #editAttributes(real: Attributes, naive: Attributes): void {
    const key = this.#key(naive)
    const other = this.#key(naive)
    const value = this.#value(0)
    const edits: Edit[] = [
      a => a.set(key, value),
      a => a.set(key, value),
      a => a.set('tenant', 'acme'),
      a => a.insert(key, value),
      a => a.update(key, value),
      a => a.delete(key),
      a => a.rename(key, other),
      a => a.rename(other, key),
      a => !a.has(key) && a.append(key, value),
    ]
    const edit = this.#random.pick(edits)
    this.#same('result of an edit', edit(real), edit(naive))
  }

  /** Attributes of events, links and exemplars. */
  #editParts(real: AnyRecord, naive: Message): void {
    const lists: [Iterable<{ attributes: Attributes }>, Message[]][] =
      'events' in real
        ? [
            [real.events, naive.children('events')],
            [real.links, naive.children('links')],
          ]
        : 'exemplars' in real
          ? [
              [
                [...real.exemplars].map(exemplar => ({ attributes: exemplar.filteredAttributes })),
                naive.children('exemplars'),
              ],
            ]
          : []
    for (const [parts, messages] of lists) {
      let i = 0
      for (const part of parts) {
        const message = messages[i++]!
        this.#attributes(part.attributes, new NaiveAttributes(message))
        if (this.#chance(0.5)) this.#editAttributes(part.attributes, new NaiveAttributes(message))
      }
      this.#same('parts', i, messages.length)
    }
  }

  #editFields(real: AnyRecord, naive: Message): void {
    const text = this.#text()
    const time = this.#random.pick([0n, 1n, 1_700_000_000_000_000_000n, 2n ** 64n - 1n])
    const small = this.#random.pick([0, 1, 2, 127, 128, 70_000])
    if ('kind' in real) {
      this.#random.pick([
        () => {
          real.name = text
          putText(naive, 'name', text)
        },
        () => {
          real.traceState = text
          putText(naive, 'traceState', text)
        },
        () => {
          real.kind = small
          putNumber(naive, 'kind', small)
        },
        () => {
          real.startTime = time
          putTime(naive, 'startTimeUnixNano', time)
        },
        () => {
          real.endTime = time
          putTime(naive, 'endTimeUnixNano', time)
        },
        () => {
          real.parentSpanId = Buffer.alloc(small % 9, 7)
          naive.put('parentSpanId', LENGTH, small % 9 === 0 ? undefined : Buffer.alloc(small % 9, 7))
        },
        () => {
          real.setStatus(small, text)
          const status = parse(Buffer.alloc(0), naive.type.root.lookupType('Status'))
          putText(status, 'message', text)
          putNumber(status, 'code', small)
          naive.put('status', LENGTH, status)
          this.#same('status', real.status, { code: small, message: text })
        },
      ])()
      this.#same('kind', real.kind, Number(BigInt.asIntN(32, (naive.content('kind') as bigint | undefined) ?? 0n)))
      this.#same('start', real.startTime, timeOf(naive, 'startTimeUnixNano'))
      this.#same('duration', BigInt(real.durationNanos), BigInt(Number(real.endTime - real.startTime)))
    } else if ('body' in real) {
      const value = this.#chance(0.2) ? undefined : this.#value(0)
      this.#random.pick([
        () => {
          real.body = value as Value | undefined
          naive.put('body', LENGTH, value === undefined ? undefined : anyValue(value))
        },
        () => {
          real.severityText = text
          putText(naive, 'severityText', text)
        },
        () => {
          real.eventName = text
          putText(naive, 'eventName', text)
        },
        () => {
          real.severityNumber = small
          putNumber(naive, 'severityNumber', small)
        },
        () => {
          real.time = time
          putTime(naive, 'timeUnixNano', time)
        },
        () => {
          real.observedTime = time
          putTime(naive, 'observedTimeUnixNano', time)
        },
      ])()
      this.#same('body', real.body, this.#body(naive))
      this.#same('event', real.eventName, textOf(naive, 'eventName'))
      this.#same('time', real.observedTime, timeOf(naive, 'observedTimeUnixNano'))
    } else {
      if (this.#chance(0.5)) {
        real.startTime = time
        putTime(naive, 'startTimeUnixNano', time)
      } else {
        real.time = time
        putTime(naive, 'timeUnixNano', time)
      }
      this.#same('time', real.time, timeOf(naive, 'timeUnixNano'))
      this.#same('start', real.startTime, timeOf(naive, 'startTimeUnixNano'))
    }
  }

  /** Half of the time a key that is there. */
  #key(naive: Attributes): string {
    const there = [...naive]
    return there.length > 0 && this.#chance(0.5) ? this.#random.pick(there)[0] : this.#random.pick(KEYS)
  }

  #text(): string {
    if (this.#chance(0.01)) return 'w'.repeat(20_000)
    return this.#random.pick(TEXTS)
  }

  #value(depth: number): Value | Double {
    const some = (): Value[] => Array.from({ length: this.#random.below(4) }, () => this.#value(depth + 1) as Value)
    return this.#random.pick<() => Value | Double>([
      () => this.#text(),
      () => this.#text(),
      () => this.#random.pick([0, 1, -1, 127, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]),
      () => this.#random.pick([0.5, -1e300, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 60]),
      () => this.#random.pick([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 12_345_678_901_234_567n]),
      () => this.#chance(0.5),
      () => Buffer.alloc(this.#random.below(200), 0xab),
      () => null,
      () => new Double(this.#random.pick([0, 3, -2.5])),
      () => (depth < 4 ? some() : 'deep'),
      () => (depth < 4 ? Object.fromEntries(some().map((value, i) => [`${KEYS[i + 2]}`, value])) : 'deep'),
    ])()
  }

  #chance(p: number): boolean {
    return this.#random.random() < p
  }

  #same(what: string, real: unknown, naive: unknown): void {
    const [found, expected] = [printed(real), printed(naive)]
    if (found !== expected) throw new Error(`${what}: got ${found}, expected ${expected}`)
  }
}

/** As text that does not depend on the order of fields. Unknown ones are left out: they may be padded. */
function sorted(decodedMessage: object): string {
  return JSON.stringify(decodedMessage, (name, value) => {
    if (name === '$unknowns') return undefined
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
