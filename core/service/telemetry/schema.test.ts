import { describe, expect, test } from 'vitest'
import { check, fromPlain, parseYaml } from '#core/config'
import { configure } from '#core/testing'
import { checkTelemetry, type TelemetryConfig, telemetrySchema } from './schema.ts'

/** What is wrong with a written `service::telemetry`. */
function faultsOf(yaml: string): readonly string[] {
  const checked = check(telemetrySchema, fromPlain(parseYaml(yaml)), ['service', 'telemetry'])
  if (checked.faults !== undefined) return checked.faults.map(({ path, message }) => `${path}: ${message}`)
  return [...checkTelemetry(checked.value as TelemetryConfig)]
}

const OTLP_TWICE = `
  - batch:
      exporter:
        otlp:
          protocol: http/protobuf
          endpoint: 127.0.0.1:4317
          headers: HEADERS
  - simple:
      exporter:
        console: {}
  - simple:
      exporter:
        otlp:
          protocol: http/protobuf
          endpoint: http://127.0.0.1:4317
          headers: HEADERS`

/** The shapes that the Collector's own tests accept, of schema 0.2 (headers as a map) and 0.3 (as a list). */
const ACCEPTED: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['metrics off without readers', 'metrics: { level: none, readers: [] }'],
  ...(['{ key1: value1 }', '[{ name: key1, value: value1 }]'] as const).flatMap(headers => {
    const processors = OTLP_TWICE.replaceAll('HEADERS', headers)
    const indented = processors.replaceAll('\n', '\n  ')
    return [
      [`logs with headers ${headers}`, `logs:\n  level: "info"\n  processors:${indented}\n  output_paths: []`],
      [`traces with headers ${headers}`, `traces:\n  level: "None"\n  propagators: []\n  processors:${indented}`],
      [
        `metrics with headers ${headers}`,
        `metrics:
  level: Detailed
  readers:
    - periodic:
        exporter: { otlp: { protocol: http/protobuf, endpoint: "127.0.0.1:4317", headers: ${headers} } }
    - pull: { exporter: { prometheus: { host: 127.0.0.1, port: 8902 } } }`,
      ],
    ] as const
  }),
  ['a sampler', 'traces: { sampler: { parent_based: { root: { trace_id_ratio_based: { ratio: 0.01 } } } } }'],
  [
    'a page with all switches',
    `metrics:
  level: normal
  readers:
    - pull:
        exporter:
          prometheus:
            { host: "[::0]", port: 8888, without_scope_info: false, without_units: false, without_type_suffix: false }`,
  ],
  [
    'logs with everything',
    `logs:
  level: info
  development: true
  disable_caller: true
  disable_stacktrace: true
  encoding: console
  output_paths: [stderr]
  error_output_paths: [stderr]
  initial_fields: { fieldKey: fieldValue }
  sampling: { enabled: false, tick: 1s, initial: 234, thereafter: 567 }
  processors: [{ batch: { exporter: { console: {} } } }]`,
  ],
  [
    'a resource with detection',
    'resource: { attributes: [{ name: foo, value: bar }], detection/development: { detectors: [{ host: {} }] } }',
  ],
]

test.each(ACCEPTED)('accepts %s', (_, yaml) => {
  expect(faultsOf(yaml)).toEqual([])
})

test.each([
  ['metrics: { level: basic, address: "localhost:6666" }', 'has invalid keys: address'],
  ['metrics: { level: basic, readers: [] }', 'collector telemetry metrics reader should exist'],
  ['metrics: { level: basic, views: [{ selector: {}, stream: {} }] }', 'can only be set when'],
  [
    'metrics: { level: detailed, views: [{ stream: { aggregation: { explicit_bucket_histogram: { boundaries: [2, 1] } } } }] }',
    'boundaries: must rise, got 2, 1',
  ],
  ['metrics: { unknown: basic }', 'has invalid keys: unknown'],
  ['traces: { propagators: [jaeger] }', 'must be one of "tracecontext", "b3"'],
  ['traces: { processors: [{}] }', 'traces::processors::0: batch or simple must be specified'],
  ['logs: { processors: [{ batch: }] }', 'logs::processors::0::batch::exporter: otlp or console must be specified'],
  ['logs: { processors: [{ batch: { exporter: { otlp: { endpoint: "a b" } } } }] }', 'must be a URL or host:port'],
  ['traces: { sampler: { jaeger_remote: {} } }', 'traces::sampler: unsupported sampler "jaeger_remote"'],
  ['traces: { sampler: { trace_id_ratio_based: { ratio: 2 } } }', 'ratio must be between 0 and 1, got 2'],
  ['traces: { sampler: { parent_based: { roots: {} } } }', 'parent_based has no "roots"'],
])('refuses %s', (yaml, fault) => {
  expect(faultsOf(yaml).join('\n')).toContain(fault)
})

describe('defaults', () => {
  test('of a page that is written hold too', () => {
    const reader = { pull: { exporter: { prometheus: { host: '0.0.0.0' } } } }
    const { readers } = configure(telemetrySchema, { metrics: { readers: [reader] } }).metrics
    expect(readers[0]?.pull?.exporter.prometheus).toMatchObject({
      host: '0.0.0.0',
      port: 8888,
      without_scope_info: true,
      without_units: true,
      without_type_suffix: true,
    })
  })
})
