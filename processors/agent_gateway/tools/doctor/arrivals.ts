import { type LogRecord, type Metric, openDraft, type Payload, type Span, type TelemetryRecord } from '#core/data'

/** The signals that a gateway sends. */
export const SIGNALS = ['traces', 'metrics', 'logs'] as const
export type GatewaySignal = (typeof SIGNALS)[number]

/** How a request was written. */
export interface Writing {
  readonly format: 'protobuf' | 'json'
  readonly userAgent: string | undefined
  readonly authorized: boolean
}

/** What arrived of one signal. */
export interface SignalArrivals {
  requests: number
  items: number
  bytes: number
  /** How often each span name, metric name or severity was seen. */
  readonly names: Map<string, number>
}

/** A request that brought no telemetry. */
export interface Knock {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly why: string
}

/** Names, and spans whose parents are looked for, that are remembered. */
const MOST_NAMES = 1000
const MOST_SPANS = 100_000

/** All that came in while the doctor listened. */
export class Arrivals {
  readonly signals: Readonly<Record<GatewaySignal, SignalArrivals>> = {
    traces: nothing(),
    metrics: nothing(),
    logs: nothing(),
  }
  readonly services = new Set<string>()
  readonly userAgents = new Set<string>()
  readonly formats = new Set<string>()
  readonly temporalities = new Set<string>()
  readonly traceIds = new Set<string>()
  readonly knocks: Knock[] = []
  /** Whether some request had an Authorization header. */
  authorized = false
  /** Log records that tell of security. */
  securityRecords = 0
  readonly #spanIds = new Set<string>()
  readonly #parents: string[] = []

  /** Items of those signals that are waited for have come. */
  has(signals: readonly GatewaySignal[]): boolean {
    return signals.every(signal => this.signals[signal].items > 0)
  }

  get any(): boolean {
    return SIGNALS.some(signal => this.signals[signal].requests > 0)
  }

  /** Spans that point to a parent which has not come. */
  get orphans(): number {
    return this.#parents.filter(parent => !this.#spanIds.has(parent)).length
  }

  /** Takes a request in. */
  add(payload: Payload, { format, userAgent, authorized }: Writing): void {
    const signal = payload.signal as GatewaySignal
    const seen = this.signals[signal]
    seen.requests++
    seen.items += payload.items
    seen.bytes += payload.bytes
    this.formats.add(format)
    this.authorized ||= authorized
    if (userAgent !== undefined && this.userAgents.size < MOST_NAMES) this.userAgents.add(userAgent)
    const draft = openDraft(payload)
    for (const resource of draft.resources()) {
      const service = resource.attributes.get('service.name')
      if (typeof service === 'string' && this.services.size < MOST_NAMES) this.services.add(service)
    }
    if (signal === 'metrics') for (const metric of draft.metrics()) this.#metric(metric)
    else for (const record of draft.records() as Iterable<TelemetryRecord>) this.#record(signal, record)
  }

  #metric(metric: Metric): void {
    this.#count('metrics', metric.name)
    const temporality = TEMPORALITIES[metric.temporality]
    if (temporality !== undefined) this.temporalities.add(temporality)
  }

  #record(signal: 'traces' | 'logs', record: TelemetryRecord): void {
    if (signal === 'logs') {
      const log = record as LogRecord
      const body = log.body
      const event = typeof body === 'string' && /^[\w.-]+\.security\.event$/.test(body)
      if (event) this.securityRecords++
      this.#count(signal, event ? (body as string) : log.severityText || 'without severity')
      return
    }
    const span = record as Span
    this.#count(signal, span.name)
    if (this.#spanIds.size >= MOST_SPANS) return
    const trace = span.traceIdHex()
    this.traceIds.add(trace)
    this.#spanIds.add(trace + span.spanIdHex())
    if (span.parentSpanId.length > 0) this.#parents.push(trace + Buffer.from(span.parentSpanId).toString('hex'))
  }

  #count(signal: GatewaySignal, name: string): void {
    const { names } = this.signals[signal]
    if (names.size < MOST_NAMES || names.has(name)) names.set(name, (names.get(name) ?? 0) + 1)
  }
}

/** By number, as in the protocol. */
const TEMPORALITIES: Readonly<Record<number, string>> = { 1: 'delta', 2: 'cumulative' }

function nothing(): SignalArrivals {
  return { requests: 0, items: 0, bytes: 0, names: new Map() }
}
