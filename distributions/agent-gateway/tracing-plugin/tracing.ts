import { hostname } from 'node:os'
import { type Post, poster } from './collector.ts'
import type { ContentPolicy } from './content.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { HOOKS } from './hooks.ts'
import { newSpanId, newTraceId } from './ids.ts'
import { Instruments, type MetricName } from './instruments.ts'
import { type Logger, TroubleLog } from './log.ts'
import { Measure } from './measure.ts'
import { requestOf } from './otlp-common.ts'
import { encodeMetric } from './otlp-metrics.ts'
import { encodeSpan } from './otlp-traces.ts'
import { Outbox } from './outbox.ts'
import { Renderer } from './render.ts'
import { Requests } from './requests.ts'
import type { Settings } from './settings.ts'
import { type Attributes, KIND, type Span } from './span.ts'
import type { Tracker } from './tracker.ts'

/** How often it is looked what has ended, how long a span waits for others, and how long a stop may take, in milliseconds. */
const SWEEP = 1000
const DELAY = 1000
const STOP = { spans: 2000, metrics: 1000 } as const
const METRICS = 10_000

/** What tracing needs of the world; tests put their own in. */
export interface World {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls `task` after `milliseconds` without keeping the process alive; the result calls it off. */
  readonly later: (task: () => void, milliseconds: number) => () => void
  /** A way to send with these headers. */
  readonly poster: (headers: Readonly<Record<string, string>>) => Post
}

/** The world as it is. */
export const REAL_WORLD: World = {
  now: () => Date.now(),
  later(task, milliseconds) {
    const timer = setTimeout(() => {
      try {
        task()
      } catch {
        // An error here would end the gateway.
      }
    }, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
  poster,
}

/**
 * Turns hooks into spans and metrics and sends them. One in a process: the gateway registers a plugin anew for each of
 * its parts, and the hooks of one turn come in through several registrations.
 */
export class Tracing implements Tracker {
  readonly requests: Requests
  readonly #world: World
  readonly #settings: Settings
  readonly #instruments: Instruments
  readonly #measure: Measure | undefined
  readonly #outbox: Outbox
  readonly #resource: Attributes
  readonly #post: Post
  #cancelSweep: (() => void) | undefined
  #cancelMetrics: (() => void) | undefined
  #stopping: Promise<void> | undefined
  #logger: Logger = {}

  constructor(settings: Settings, world: World = REAL_WORLD) {
    this.#settings = settings
    this.#world = world
    this.#post = world.poster(settings.headers)
    this.#resource = { 'service.name': settings.serviceName, 'host.name': hostname(), 'process.pid': process.pid }
    this.#instruments = new Instruments(world.now())
    this.#measure = settings.turnMetrics ? new Measure(this.#instruments, settings.switches.prefix) : undefined
    const trouble = new TroubleLog(() => this.#logger, world.now)
    const { traces } = settings
    this.#outbox = new Outbox(
      {
        send: (spans, signal) => this.#post(traces!, requestOf(this.#resource, spans), signal),
        later: world.later,
        now: world.now,
        sent: spans => this.#instruments.record('tracing.spans', spans, {}),
        dropped: (spans, reason) => {
          trouble.lost(spans)
          this.#instruments.record('tracing.dropped_spans', spans, { reason })
        },
        attempted: reason => trouble.attempted(traces!, reason),
      },
      DELAY,
    )
    const emit = (span: Span) => this.#emit(span)
    const renderer = new Renderer(settings, this.#measure, emit)
    this.requests = new Requests((request, part) => renderer.render(request, part))
  }

  /** Which texts are kept. */
  get content(): ContentPolicy {
    return this.#settings.content
  }

  /** Where lines for the log go from now on. */
  set logger(logger: Logger) {
    this.#logger = logger
  }

  /** How many finished spans wait to be sent. */
  get waiting(): number {
    return this.#outbox.size
  }

  /** Takes a hook of the gateway. It returns nothing and throws nothing, whatever it is given. */
  hook(name: string, event: unknown, context: unknown): void {
    try {
      this.#take(name, fieldsOf(event), fieldsOf(context))
    } catch {
      // What a hook cannot be read from is lost; the gateway goes on.
    }
  }

  count(what: MetricName, channel?: string): void {
    this.#measure?.count(what, 1, channel)
  }

  lifecycle(name: string, start: number, end: number): void {
    const { switches } = this.#settings
    if (!switches.lifecycleSpans) return
    this.#emit({
      ...{ traceId: newTraceId(), spanId: newSpanId(), name: `${switches.prefix}.${name}`, kind: KIND.internal },
      ...{ start, end: Math.max(start, end), attributes: {} },
    })
  }

  /** Ends what is open and sends what waits, in three seconds at most. Hooks that come later are taken as before. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
      .catch(() => {})
      .then(() => {
        this.#stopping = undefined
      })
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#cancelSweep?.()
    this.#cancelMetrics?.()
    this.#cancelSweep = undefined
    this.#cancelMetrics = undefined
    this.requests.closeAll()
    await this.#outbox.flush(STOP.spans)
    await this.#sendMetrics(STOP.metrics)
  }

  #take(name: string, event: Fields, context: Fields): void {
    const hook = HOOKS[name]
    if (hook === undefined) return
    hook(this, event, context, this.#world.now())
    if (this.#cancelSweep === undefined && this.requests.size > 0) this.#scheduleSweep(SWEEP)
    if (this.#cancelMetrics === undefined) this.#scheduleMetrics()
  }

  #emit(span: Span): void {
    if (this.#settings.traces === undefined) return
    if (this.#outbox.isFull) this.#outbox.drop()
    else this.#outbox.add(encodeSpan(span))
  }

  #scheduleSweep(delay: number): void {
    this.#cancelSweep = this.#world.later(() => {
      this.#cancelSweep = undefined
      let isDone = true
      try {
        isDone = this.requests.sweep(this.#world.now())
      } finally {
        if (this.requests.size > 0) this.#scheduleSweep(isDone ? SWEEP : 1)
      }
    }, delay)
  }

  #scheduleMetrics(): void {
    if (this.#settings.metrics === undefined) return
    this.#cancelMetrics = this.#world.later(() => {
      this.#scheduleMetrics()
      this.#sendMetrics(METRICS).catch(() => {})
    }, this.#settings.metricInterval)
  }

  async #sendMetrics(timeout: number): Promise<void> {
    const { metrics, metricPrefix } = this.#settings
    const measured = metrics === undefined ? [] : this.#instruments.collect(metricPrefix)
    if (metrics === undefined || measured.length === 0) return
    const now = this.#world.now()
    const body = requestOf(
      this.#resource,
      measured.map(metric => encodeMetric(metric, now)),
    )
    await this.#post(metrics, body, AbortSignal.timeout(timeout))
  }
}
