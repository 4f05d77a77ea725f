import { type Attributes, type Key, key, type Span } from '#core/data'
import { expandPrefix, type Names } from '../names.ts'
import { type Origin, originOf, serviceOf } from '../origin.ts'
import { type SpanNames, spanNames } from './span-names.ts'
import { spanTime } from './span-time.ts'
import type { StitchConfig } from './stitch-option.ts'

/** What to look for in spans that wait. */
export interface Interest {
  readonly runKeys: readonly Key[]
  readonly sessionKeys: readonly Key[]
  readonly names: SpanNames
  readonly joinByTime: boolean
  /** Attributes that a stray and its anchor have in common when both have them. */
  readonly common: readonly Key[]
  /** The services whose spans are stitched; empty: those that send spans of the gateway. */
  readonly services: ReadonlySet<string>
  readonly prefix: string
}

export function interestOf(config: StitchConfig, names: Names): Interest {
  const keys = (written: readonly string[]) => written.map(name => key(expandPrefix(name, names.prefix)))
  return {
    runKeys: keys(config.run_keys),
    sessionKeys: keys(config.session_keys),
    names: spanNames(names),
    joinByTime: config.join_by_time,
    common: [key(names.of('channel')), key(names.of('provider')), key(names.of('model'))],
    services: new Set(config.services),
    prefix: names.prefix,
  }
}

/** A span that may join traces by its name and time. */
export interface Landmark {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly common: readonly (string | undefined)[]
  readonly origin: Origin
}

const NONE: ReadonlySet<never> = new Set()

/** Longer values are no ids; kept, they would take up memory that nobody counts. */
const LONGEST_KEY = 256

/** Waiting traces by the keys they have. */
export class KeyIndex<R> {
  readonly #traces = new Map<string, Set<WaitingTrace<R>>>()

  add(key: string, trace: WaitingTrace<R>): void {
    const traces = this.#traces.get(key)
    if (traces === undefined) this.#traces.set(key, new Set([trace]))
    else traces.add(trace)
  }

  /** The trace waits no longer. */
  remove(trace: WaitingTrace<R>): void {
    for (const key of [...trace.runKeys, ...trace.sessionKeys]) {
      const traces = this.#traces.get(key)
      if (traces?.delete(trace) && traces.size === 0) this.#traces.delete(key)
    }
  }

  of(key: string): ReadonlySet<WaitingTrace<R>> {
    return this.#traces.get(key) ?? NONE
  }
}

/** What is known of a trace whose spans wait, without its spans being kept. */
export class WaitingTrace<R> {
  /** Lower-case hexadecimal. */
  readonly id: string
  /** On the monotonic clock. */
  readonly deadline: number
  /** The requests that hold spans of it. */
  readonly requests = new Set<R>()
  spans = 0
  /** Its extent in microseconds since the Unix epoch. */
  start = Number.POSITIVE_INFINITY
  end = Number.NEGATIVE_INFINITY
  /** `run <service>\0<value>`. */
  readonly runKeys = new Set<string>()
  /** `session <service>\0<value>`. */
  readonly sessionKeys = new Set<string>()
  readonly strays: Landmark[] = []
  readonly anchors: Landmark[] = []
  /** Of the spans that have keys. */
  origin: Origin | undefined
  /** The services whose spans may be changed. */
  readonly own = new Set<string>()
  readonly #services = new Set<string>()

  constructor(id: string, deadline: number) {
    this.id = id
    this.deadline = deadline
  }

  /** Whether there is a span of a service whose spans are not to be changed. */
  get hasForeign(): boolean {
    return this.#services.size > this.own.size
  }

  /** Takes a span in. Its keys are entered in the index. */
  observe(span: Span, interest: Interest, index: KeyIndex<R>): void {
    const { start, end } = spanTime(span)
    this.spans++
    this.start = Math.min(this.start, start)
    this.end = Math.max(this.end, end)
    const service = serviceOf(span.resource)
    this.#services.add(service)
    if (interest.services.size > 0 ? !interest.services.has(service) : !isOfGateway(span, interest.prefix)) return
    this.own.add(service)
    this.#collect(span, interest.runKeys, 'run', this.runKeys, index)
    this.#collect(span, interest.sessionKeys, 'session', this.sessionKeys, index)
    if (interest.joinByTime) this.#notice(span, start, end, interest)
  }

  #collect(span: Span, keys: readonly Key[], kind: string, into: Set<string>, index: KeyIndex<R>): void {
    for (const key of keys) {
      const value = span.attributes.get(key)
      if (typeof value !== 'string' || value === '' || value.length > LONGEST_KEY) continue
      this.origin ??= originOf(span.resource)
      const found = `${kind} ${this.origin.service}\0${value}`
      into.add(found)
      index.add(found, this)
    }
  }

  #notice(span: Span, start: number, end: number, { names, common }: Interest): void {
    const { name } = span
    const isStray = names.strays.has(name) && span.parentSpanId.length === 0
    if (!isStray && !names.anchors.has(name)) return
    const landmark = { name, start, end, common: textsOf(span.attributes, common), origin: originOf(span.resource) }
    if (isStray) this.strays.push(landmark)
    else this.anchors.push(landmark)
  }
}

/** By its scope or its name; the plugin has another scope, and names its outer spans with the prefix. */
function isOfGateway(span: Span, prefix: string): boolean {
  if (span.scope.name === prefix) return true
  const { name } = span
  return name.startsWith(prefix) && name[prefix.length] === '.'
}

function textsOf(attributes: Attributes, keys: readonly Key[]): (string | undefined)[] {
  return keys.map(key => {
    const value = attributes.get(key)
    return typeof value === 'string' ? value : undefined
  })
}
