import { type BuildInfo, type Clock, type Logger, systemClock } from '#core/component'
import type { PlainLogRecord, PlainMetric } from '#core/data'
import { LedgerBook } from './ledger-book.ts'
import type { LogEntry } from './log-line.ts'
import { openLogOutput, type StandardStreams } from './log-output.ts'
import { createLogger, type LogConfig } from './logger.ts'
import { ownTelemetryInstruments } from './losses.ts'
import { MetricStore } from './metric-store.ts'
import { openMetricsPage } from './metrics-page.ts'
import { type OutletDeps, outletsOf, readersOf } from './own-outlets.ts'
import { encodeLogs, encodeMetrics, logRecord } from './own-records.ts'
import type { Serialize } from './own-signals.ts'
import { type OwnSpan, OwnSpans } from './own-spans.ts'
import type { OwnTelemetry } from './own-telemetry.ts'
import { observeProcess } from './process-metrics.ts'
import { prometheusText } from './prometheus.ts'
import { ownResource } from './resource.ts'
import type { TelemetryConfig } from './schema.ts'
import { Subscriptions } from './subscriptions.ts'
import { viewsOf } from './views.ts'

export interface TelemetryOptions {
  readonly clock?: Clock
  /** Where `stdout` and `stderr` of `output_paths` go; the process's own by default. */
  readonly streams?: StandardStreams
  /** Receives each line that is printed, also when `output_paths` is empty. */
  readonly log?: (entry: LogEntry) => void
}

/** Milliseconds in which lost records are told once, when logs are not sampled. */
const WINDOW = 10_000

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
  const streams = options.streams ?? process
  const resource = ownResource(build, config.resource)
  const output = openLogOutput(config.logs.output_paths, streams, config.logs.error_output_paths)
  const store = new MetricStore(config.metrics.level, clock.now(), viewsOf(config.metrics.views))
  const spans = new OwnSpans(resource, config.traces)
  const stopObserving = observeProcess(store, clock)

  const serialize: Serialize = (signal, records) => {
    if (signal === 'traces') return spans.serialize(records as readonly OwnSpan[])
    if (signal === 'logs') return encodeLogs(resource, records as readonly PlainLogRecord[])
    return encodeMetrics(resource, records as readonly PlainMetric[])
  }

  const logConfig = { ...logConfigOf(config.logs), write: (line: string) => output.write(line), clock }
  const fields = { ...(config.logs.disable_zap_resource ? {} : { resource }), ...config.logs.initial_fields }
  const unexported = createLogger(logConfig, fields)
  const deps: OutletDeps = {
    ...{ build, clock, serialize, logger: unexported, stdout: streams.stdout },
    counter: store.meter().bind(ownTelemetryInstruments).lost,
    window: config.logs.sampling?.tick ?? WINDOW,
  }
  const logs = config.logs.processors.flatMap(processor => outletsOf(processor, 'logs', deps))
  const tracesOn = config.traces.level !== 'none'
  const traces = tracesOn ? config.traces.processors.flatMap(each => outletsOf(each, 'traces', deps)) : []
  const metricsOn = config.metrics.level !== 'none'
  const readers = (metricsOn ? config.metrics.readers : []).flatMap(({ periodic }) =>
    periodic === undefined ? [] : readersOf(periodic, store, deps),
  )
  for (const { feed } of traces) spans.take(span => feed.add('traces', span))
  const subscriptions = new Subscriptions({ ...deps, store, spans: tracesOn ? spans : undefined })
  const pages: { close(): Promise<void> }[] = []

  const logger: Logger = createLogger(
    {
      ...logConfig,
      observe(entry) {
        for (const { feed } of logs) feed.add('logs', logRecord(entry))
        subscriptions.log(entry)
        options.log?.(entry)
      },
    },
    fields,
  )

  return {
    logger: more => (more === undefined ? logger : logger.with(more)),
    meter: labels => store.meter(labels),
    tracer: name => spans.tracer(name),
    ledger: new LedgerBook(),
    metricsText: () => prometheusText(store, resource, PLAIN),
    subscribe: (next, subscription) => subscriptions.add(next, subscription),
    async start() {
      await Promise.all([...logs, ...traces, ...readers].map(each => each.start()))
      if (traces.length > 0) await spans.ready()
      for (const { pull } of metricsOn ? config.metrics.readers : []) {
        const page = pull?.exporter.prometheus
        if (page === undefined) continue
        const scope = page.without_scope_info
          ? {}
          : { otel_scope_name: build.command, otel_scope_version: build.version }
        const text = () => prometheusText(store, resource, { ...page, constant: scope })
        const opened = await openMetricsPage(page, text, { within: build, logger, clock })
        logger.debug('Serving the metrics page', { endpoint: opened.address })
        pages.push(opened)
      }
    },
    async shutdown() {
      await subscriptions.close()
      await Promise.all([...logs, ...traces, ...readers].map(each => each.close()))
      await Promise.all(pages.splice(0).map(page => page.close()))
      stopObserving()
      output.close()
    },
  }
}

const PLAIN = { without_units: true, without_type_suffix: true }

function logConfigOf(logs: TelemetryConfig['logs']): Omit<LogConfig, 'write' | 'clock' | 'observe'> {
  const { level } = logs
  return {
    level: level === 'dpanic' || level === 'panic' || level === 'fatal' ? 'none' : level,
    encoding: logs.encoding,
    caller: !logs.disable_caller,
    stackFrom: logs.disable_stacktrace ? undefined : logs.development ? 'warn' : 'error',
    sampling: logs.sampling,
  }
}
