import type { Consumers, LogFields, Timer } from '#core/component'
import type { LogEntry } from './log-line.ts'
import { Losses } from './losses.ts'
import type { MetricStore } from './metric-store.ts'
import type { OutletDeps } from './own-outlets.ts'
import { logRecord, metricRecords } from './own-records.ts'
import { OwnSignalFeed } from './own-signals.ts'
import type { OwnSpan, OwnSpans } from './own-spans.ts'
import type { OwnTelemetrySubscription } from './own-telemetry.ts'
import { cumulative } from './temporality.ts'

/** Milliseconds between two exports of own metrics to a pipeline that does not say. */
const METRICS_INTERVAL = 60_000
/** A pipeline gets what a second brings at once. */
const SETTINGS = { delay: 1000, maxWaiting: 2048, maxBatch: 2048 }

interface SubscriptionDeps extends Omit<OutletDeps, 'build' | 'stdout'> {
  readonly store: MetricStore
  /** `undefined` when own traces are switched off. */
  readonly spans: OwnSpans | undefined
}

interface Subscription {
  readonly feed: OwnSignalFeed
  readonly carries: (component: string) => boolean
  close(): Promise<void>
}

/** The pipelines of the same collector that take its own telemetry. */
export class Subscriptions {
  readonly #deps: SubscriptionDeps
  readonly #all = new Set<Subscription>()

  constructor(deps: SubscriptionDeps) {
    this.#deps = deps
  }

  /** See `OwnTelemetry.subscribe`. */
  add(next: Consumers, options: OwnTelemetrySubscription = {}): () => Promise<void> {
    const { clock, serialize, spans } = this.#deps
    const { metricsInterval = METRICS_INTERVAL, carries = () => false } = options
    const losses = new Losses('pipeline', this.#deps)
    const lost = losses.add.bind(losses)
    const feed = new OwnSignalFeed(next, serialize, { clock, settings: SETTINGS, lost })
    const stopSpans = feed.wants('traces')
      ? spans?.take(span => {
          if (!carries(makerOf(span))) feed.add('traces', span)
        })
      : undefined
    const stopMetrics = feed.wants('metrics') ? this.#metrics(feed, metricsInterval) : undefined
    const subscription: Subscription = {
      feed,
      carries,
      close: async () => {
        stopMetrics?.()
        stopSpans?.()
        this.#all.delete(subscription)
        await feed.close()
        losses.tell()
      },
    }
    this.#all.add(subscription)
    return subscription.close
  }

  /** Hands on a line that was printed. */
  log(entry: LogEntry): void {
    for (const { feed, carries } of this.#all) {
      if (feed.wants('logs') && !carries(writerOf(entry.fields))) feed.add('logs', logRecord(entry))
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map(each => each.close()))
  }

  #metrics(feed: OwnSignalFeed, interval: number): () => void {
    const { clock, store } = this.#deps
    let timer: Timer
    const collect = () => {
      for (const record of metricRecords(cumulative(store), clock.now())) feed.add('metrics', record)
      // A collection is a request of its own: it does not wait for the next one.
      void feed.flush()
      timer = clock.after(interval, collect)
    }
    timer = clock.after(interval, collect)
    return () => timer.cancel()
  }
}

/** The component that wrote a line, as `kind:id`. */
function writerOf(fields: LogFields): string {
  return `${fields['otelcol.component.kind']}:${fields['otelcol.component.id']}`
}

/** The component that made a span, as `kind:id`: its name begins with the kind, its scope is the id. */
function makerOf(span: OwnSpan): string {
  return `${span.name.slice(0, span.name.indexOf('/'))}:${span.instrumentationScope.name}`
}
