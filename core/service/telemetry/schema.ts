import { type Static, t } from '#core/config'

const sampling = t.section({
  tick: t.duration({ default: '10s', description: 'The window in which equal lines are counted.' }),
  initial: t.integer({
    default: 10,
    minimum: 0,
    description: 'Lines of the same level and message printed in each window before sampling begins.',
  }),
  thereafter: t.integer({
    default: 100,
    minimum: 0,
    description: 'After that, every n-th of them is printed; `0` prints none.',
  }),
})

const otlp = t.section({
  protocol: t.oneOf(['grpc', 'http/protobuf', 'http/json'], {
    default: 'http/protobuf',
    description: 'How own telemetry is sent.',
  }),
  endpoint: t.optional(t.endpoint({ description: 'Where to: a URL, or `host:port` for gRPC.' })),
  headers: t.optional(t.headers({ description: 'Headers sent with each request.' })),
  compression: t.oneOf(['none', 'gzip', 'zstd'], { default: 'none', description: 'Compression of request bodies.' }),
  timeout: t.integer({ default: 10_000, minimum: 0, description: 'Milliseconds allowed for one request.' }),
  insecure: t.optional(t.boolean({ description: 'Speak plaintext to a gRPC endpoint without a scheme.' })),
})

const exporter = t.section({
  otlp: t.whenPresent(otlp, { description: 'Send by OTLP.' }),
  console: t.whenPresent(t.section({}), { description: 'Print to standard output.' }),
})

const batchProcessor = t.section({
  schedule_delay: t.integer({ default: 5000, minimum: 0, description: 'Milliseconds between two exports.' }),
  export_timeout: t.integer({ default: 30_000, minimum: 0, description: 'Milliseconds allowed for one export.' }),
  max_queue_size: t.integer({
    default: 2048,
    minimum: 1,
    description: 'Records kept until the next export; more are dropped.',
  }),
  max_export_batch_size: t.integer({ default: 512, minimum: 1, description: 'Records in one request.' }),
  exporter,
})

const processor = t.section({
  batch: t.whenPresent(batchProcessor, { description: 'Collect records and export them together.' }),
  simple: t.whenPresent(t.section({ exporter }), { description: 'Export each record at once.' }),
})

const prometheus = t.section({
  host: t.string({ default: 'localhost', description: 'Host name or address to listen on.' }),
  port: t.integer({
    default: 8888,
    minimum: 0,
    maximum: 65_535,
    description: 'Port to listen on; `0` takes a free one.',
  }),
  without_scope_info: t.boolean({ default: true, description: 'Leave out the `otel_scope_*` labels.' }),
  without_units: t.boolean({ default: true, description: 'Leave out unit suffixes.' }),
  without_type_suffix: t.boolean({ default: true, description: 'Leave out the `_total` suffix of counters.' }),
})

const reader = t.section({
  pull: t.whenPresent(
    t.section({
      exporter: t.section({
        prometheus: t.whenPresent(prometheus, { description: 'A page in the Prometheus text format.' }),
      }),
    }),
    { description: 'Metrics that are fetched.' },
  ),
  periodic: t.whenPresent(
    t.section({
      interval: t.integer({ default: 60_000, minimum: 1, description: 'Milliseconds between two exports.' }),
      timeout: t.integer({ default: 30_000, minimum: 0, description: 'Milliseconds allowed for one export.' }),
      exporter,
    }),
    { description: 'Metrics that are sent.' },
  ),
})

/** `service::telemetry`, with the Collector's keys and defaults. */
export const telemetrySchema = t.section({
  logs: t.section({
    level: t.oneOf(['debug', 'info', 'warn', 'error', 'dpanic', 'panic', 'fatal'], {
      default: 'info',
      description:
        'The least severe level that is printed. `dpanic`, `panic` and `fatal` are above all that is logged.',
    }),
    development: t.boolean({ default: false, description: 'Print stack traces from `warn` on.' }),
    encoding: t.oneOf(['console', 'json'], {
      default: 'console',
      description: 'Tab-separated lines, or a JSON object a line.',
    }),
    disable_caller: t.boolean({ default: false, description: 'Leave out the file and line that logged.' }),
    disable_stacktrace: t.boolean({ default: false, description: 'Leave out stack traces of errors.' }),
    sampling: t.unlessDisabled(sampling, { description: 'Print only some of many equal lines.' }),
    output_paths: t.list(t.string({ description: 'A path, `stdout` or `stderr`.' }), {
      default: ['stderr'],
      description: 'Where lines go: paths, `stdout`, `stderr`.',
    }),
    error_output_paths: t.list(t.string({ description: 'A path, `stdout` or `stderr`.' }), {
      default: ['stderr'],
      description: 'Where faults of logging itself go.',
    }),
    initial_fields: t.map(t.any({ description: 'A value.' }), {
      default: {},
      description: 'Fields added to each line.',
    }),
    processors: t.list(processor, { default: [], description: 'Export of own logs, beside printing them.' }),
    disable_zap_resource: t.boolean({ default: false, description: 'Leave the `resource` field out of each line.' }),
  }),
  metrics: t.section({
    level: t.oneOf(['none', 'basic', 'normal', 'detailed'], {
      default: 'normal',
      description: 'How many own metrics exist.',
    }),
    readers: t.list(reader, {
      default: [{ pull: { exporter: { prometheus: {} } } }],
      description: 'Who gets own metrics.',
    }),
    views: t.list(t.any({ description: 'A view.' }), {
      default: [],
      description: 'Which instruments are kept; only at level `detailed`.',
    }),
  }),
  traces: t.section({
    level: t.oneOf(['none', 'basic', 'normal', 'detailed'], {
      default: 'basic',
      description: '`none` switches own traces off; otherwise they exist once something takes them.',
    }),
    propagators: t.list(t.oneOf(['tracecontext', 'b3'], { description: 'A propagator.' }), {
      default: [],
      description: 'How trace context is read from requests.',
    }),
    processors: t.list(processor, { default: [], description: 'Export of own traces.' }),
    sampler: t.optional(t.any({ description: 'Which traces are kept, for example `parent_based`.' })),
    limits: t.optional(t.any({ description: 'Limits of attributes, events and links.' })),
  }),
  resource: t.map(t.any({ description: 'A value; `null` removes an automatic attribute.' }), {
    default: {},
    description:
      'Attributes of the collector itself, beside `service.name`, `service.version` and `service.instance.id`.',
  }),
})

export type TelemetryConfig = Static<typeof telemetrySchema>

/** Faults that span several options of `service::telemetry`, in the Collector's words. */
export function* checkTelemetry(config: TelemetryConfig): Iterable<string> {
  if (config.metrics.level !== 'none' && config.metrics.readers.length === 0) {
    yield 'metrics: collector telemetry metrics reader should exist when metric level is not none'
  }
  if (config.metrics.views.length > 0 && config.metrics.level !== 'detailed') {
    yield 'metrics::views: service::telemetry::metrics::views can only be set when service::telemetry::metrics::level is detailed'
  }
}
