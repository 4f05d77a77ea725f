/** How own telemetry is exported: the keys of the OpenTelemetry configuration schema 0.3 that the Collector takes. @module */
import { type Static, t } from '#core/config'

const otlpFields = {
  protocol: t.oneOf(['grpc', 'http/protobuf', 'http/json'], {
    default: 'http/protobuf',
    description: 'How own telemetry is sent.',
  }),
  endpoint: t.endpoint({
    default: '',
    description:
      'Where to: a URL, or `host:port`, which stands for `https://host:port`, with `insecure` for `http://host:port`. Without a path HTTP requests go to `/v1/<signal>`. Default: the port of the protocol on localhost.',
  }),
  headers: t.headers({ default: {}, description: 'Headers sent with each request.' }),
  headers_list: t.optional(t.secret({ description: 'More headers, as `name=value,name=value`.' })),
  compression: t.oneOf(['none', 'gzip', 'zstd'], { default: 'none', description: 'Compression of request bodies.' }),
  timeout: t.integer({
    default: 10_000,
    minimum: 0,
    description: 'Milliseconds allowed for one request; `0`: no limit.',
  }),
  insecure: t.boolean({ default: false, description: 'Speak plaintext to an endpoint without a scheme.' }),
  certificate: t.string({ default: '', description: 'PEM file of the authorities that vouch for the server.' }),
  client_certificate: t.string({ default: '', description: 'PEM file of the own certificate.' }),
  client_key: t.string({ default: '', description: 'PEM file of its private key.' }),
}
const otlp = t.section(otlpFields)
/** Where and how own telemetry is sent by OTLP. */
export type OwnOtlpConfig = Static<typeof otlp>

const otlpMetric = t.section({
  ...otlpFields,
  temporality_preference: t.oneOf(['cumulative', 'delta', 'lowmemory'], {
    default: 'cumulative',
    description: 'Whether counters and histograms tell everything since the start or since the last export.',
  }),
  default_histogram_aggregation: t.oneOf(['explicit_bucket_histogram', 'base2_exponential_bucket_histogram'], {
    default: 'explicit_bucket_histogram',
    description: 'Accepted for compatibility: own histograms have explicit buckets.',
  }),
})

const consoleSection = t.whenPresent(t.section({}), {
  description: 'Print to standard output, an OTLP/JSON request a line.',
})

const exporter = t.section({
  otlp: t.whenPresent(otlp, { description: 'Send by OTLP.' }),
  console: consoleSection,
})
/** One destination of own logs or traces. */
export type OwnExporterConfig = Static<typeof exporter>

const batch = t.section({
  schedule_delay: t.integer({ default: 5000, minimum: 0, description: 'Milliseconds between two exports.' }),
  export_timeout: t.integer({
    default: 30_000,
    minimum: 0,
    description: 'Milliseconds allowed for one export, repeated attempts included; `0`: no limit.',
  }),
  max_queue_size: t.integer({
    default: 2048,
    minimum: 1,
    description: 'Records kept until the next export; more are dropped.',
  }),
  max_export_batch_size: t.integer({ default: 512, minimum: 1, description: 'Records in one request at most.' }),
  exporter,
})

/** An entry of `logs::processors` and `traces::processors`. */
export const ownProcessor = t.section({
  batch: t.whenPresent(batch, { description: 'Collect records and export them together.' }),
  simple: t.whenPresent(t.section({ exporter }), { description: 'Export each record at once.' }),
})
export type OwnProcessorConfig = Static<typeof ownProcessor>

const labelFilter = t.section(
  {
    included: t.list(t.string({ description: 'A name; `*` and `?` stand for any characters.' }), {
      default: [],
      description: 'Attributes that become labels.',
    }),
    excluded: t.list(t.string({ description: 'A name; `*` and `?` stand for any characters.' }), {
      default: [],
      description: 'Attributes among them that do not.',
    }),
  },
  { description: 'Resource attributes that are added to every sample as labels.' },
)

const prometheus = t.section({
  host: t.string({ default: 'localhost', description: 'Host name or address to listen on.' }),
  port: t.integer({
    default: 8888,
    minimum: 0,
    maximum: 65_535,
    listens: true,
    description: 'Port to listen on; `0` takes a free one.',
  }),
  without_scope_info: t.boolean({ default: true, description: 'Leave out the `otel_scope_*` labels.' }),
  without_units: t.boolean({ default: true, description: 'Leave out unit suffixes.' }),
  without_type_suffix: t.boolean({ default: true, description: 'Leave out the `_total` suffix of counters.' }),
  with_resource_constant_labels: labelFilter,
})

const periodic = t.section({
  interval: t.integer({ default: 60_000, minimum: 1, description: 'Milliseconds between two exports.' }),
  timeout: t.integer({
    default: 30_000,
    minimum: 0,
    description: 'Milliseconds allowed for one export, repeated attempts included; `0`: no limit.',
  }),
  exporter: t.section({
    otlp: t.whenPresent(otlpMetric, { description: 'Send by OTLP.' }),
    console: consoleSection,
  }),
})
/** Own metrics that are sent now and then. */
export type PeriodicReaderConfig = Static<typeof periodic>

/** An entry of `metrics::readers`. */
export const ownReader = t.section({
  pull: t.whenPresent(
    t.section({
      exporter: t.section({
        prometheus: t.whenPresent(prometheus, { description: 'A page in the Prometheus text format.' }),
      }),
    }),
    { description: 'Metrics that are fetched.' },
  ),
  periodic: t.whenPresent(periodic, { description: 'Metrics that are sent.' }),
})

/** Faults of one processor or reader. */
export function* checkExporter(one: {
  readonly otlp?: OwnOtlpConfig | undefined
  readonly console?: object | undefined
}) {
  if (one.otlp === undefined && one.console === undefined) yield 'exporter: otlp or console must be specified'
  if (one.otlp !== undefined) yield* checkOtlp(one.otlp)
}

function* checkOtlp({ endpoint, insecure, client_certificate: certificate, client_key: key }: OwnOtlpConfig) {
  if (endpoint !== '' && URL.parse(withScheme(endpoint, insecure)) === null) {
    yield `exporter::otlp::endpoint: must be a URL or host:port, got ${JSON.stringify(endpoint)}`
  }
  if ((certificate === '') !== (key === '')) {
    yield 'exporter::otlp: client_certificate and client_key must be given together'
  }
}

/** As in the Collector: an endpoint without a scheme is `https`, unless it is said to be insecure. */
export function withScheme(endpoint: string, insecure: boolean): string {
  return /^https?:\/\//.test(endpoint) ? endpoint : `${insecure ? 'http' : 'https'}://${endpoint}`
}
