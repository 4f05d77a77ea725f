import { type BuildInfo, type Clock, type Consumers, type Logger, systemClock, type Timer } from '#core/component'
import type { PlainLogRecord, PlainMetric } from '#core/data'
import { LedgerBook } from './ledger-book.ts'
import { openLogOutput, type StandardStreams } from './log-output.ts'
import { createLogger } from './logger.ts'
import { MetricStore } from './metric-store.ts'
import { openMetricsPage } from './metrics-page.ts'
import { encodeLogs, encodeMetrics, logRecord, metricRecords } from './own-records.ts'
import { OwnSignalFeed, type Serialize } from './own-signals.ts'
import { type OwnSpan, OwnSpans } from './own-spans.ts'
import type { OwnTelemetry } from './own-telemetry.ts'
import { observeProcess } from './process-metrics.ts'
import { prometheusText } from './prometheus.ts'
import { ownResource } from './resource.ts'
import type { TelemetryConfig } from './schema.ts'

export interface TelemetryOptions {
  readonly clock?: Clock
  /** Where `stdout` and `stderr` of `output_paths` go; the process's own by default. */
  readonly streams?: StandardStreams
}

/** Milliseconds between two exports of own metrics to a pipeline that does not say. */
const METRICS_INTERVAL = 60_000

/**
 * Makes the collector's own telemetry as `service::telemetry` asks for it. Opens log files at once, since there are
 * lines to write from the first moment; everything else at `start`.
 * @throws when a log file cannot be opened
 */
export function createTelemetry(
  config: TelemetryConfig,
  build: BuildInfo,
  options: TelemetryOptions = {},
): OwnTelemetry {
  const clock = options.clock ?? systemClock
  const resource = ownResource(build, config.resource)
  const output = openLogOutput(config.logs.output_paths, options.streams ?? process)
  const store = new MetricStore(config.metrics.level, clock.now())
  const spans = new OwnSpans(resource, config.traces.sampler)
  const feeds = new Set<OwnSignalFeed>()
  const pages: { close(): Promise<void> }[] = []
  observeProcess(store.meter())

  const serialize: Serialize = (signal, records) => {
    if (signal === 'traces') return spans.serialize(records as readonly OwnSpan[])
    if (signal === 'logs') return encodeLogs(resource, records as readonly PlainLogRecord[])
    return encodeMetrics(resource, records as readonly PlainMetric[])
  }

  const { level } = config.logs
  const logger: Logger = createLogger(
    {
      level: level === 'dpanic' || level === 'panic' || level === 'fatal' ? 'none' : level,
      encoding: config.logs.encoding,
      caller: !config.logs.disable_caller,
      stackFrom: config.logs.disable_stacktrace ? undefined : config.logs.development ? 'warn' : 'error',
      sampling: config.logs.sampling,
      write: line => output.write(line),
      observe: entry => {
        for (const feed of feeds) if (feed.wants('logs')) feed.add('logs', logRecord(entry))
      },
      clock,
    },
    { ...(config.logs.disable_zap_resource ? {} : { resource }), ...config.logs.initial_fields },
  )

  function subscribe(next: Consumers, { metricsInterval = METRICS_INTERVAL } = {}): () => void {
    const feed = new OwnSignalFeed(next, serialize, clock)
    feeds.add(feed)
    const stopSpans =
      feed.wants('traces') && config.traces.level !== 'none' ? spans.take(span => feed.add('traces', span)) : undefined
    let timer: Timer | undefined
    const collect = () => {
      for (const record of metricRecords(store, clock.now())) feed.add('metrics', record)
      timer = clock.after(metricsInterval, collect)
    }
    if (feed.wants('metrics')) timer = clock.after(metricsInterval, collect)
    return () => {
      timer?.cancel()
      stopSpans?.()
      feeds.delete(feed)
      void feed.close()
    }
  }

  return {
    logger: fields => (fields === undefined ? logger : logger.with(fields)),
    meter: labels => store.meter(labels),
    tracer: name => spans.tracer(name),
    ledger: new LedgerBook(),
    metricsText: () => prometheusText(store, resource, PLAIN),
    subscribe,
    async start() {
      for (const reader of config.metrics.level === 'none' ? [] : config.metrics.readers) {
        const page = reader.pull?.exporter.prometheus
        if (page !== undefined) {
          const opened = await openMetricsPage(page, () => prometheusText(store, resource, page), { logger, clock })
          logger.debug('Serving the metrics page', { endpoint: opened.address })
          pages.push(opened)
        }
      }
    },
    async shutdown() {
      await Promise.all([...feeds].map(feed => feed.close()))
      feeds.clear()
      await Promise.all(pages.splice(0).map(page => page.close()))
      output.close()
    },
  }
}

const PLAIN = { without_units: true, without_type_suffix: true }
