import { expect, test } from 'vitest'
import { defineExporter, defineReceiver } from '#core/component'
import { type ConfigError, t } from '#core/config'
import { configured, faultsOf, testDistribution } from './pipeline.test-support.ts'

const nop = { consume: async () => {} }

/** The smallest configuration without faults, with parts replaced. */
function yaml(
  over: Partial<
    Record<'receivers' | 'processors' | 'exporters' | 'connectors' | 'extensions' | 'service', string>
  > = {},
): string {
  const parts = {
    receivers: '{ nop: }',
    processors: '{ nop: }',
    exporters: '{ nop: }',
    service: '{ pipelines: { traces: { receivers: [nop], processors: [nop], exporters: [nop] } } }',
    ...over,
  }
  return Object.entries(parts)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')
}
const traces = (pipeline: string) => `{ pipelines: { traces: ${pipeline} } }`

test('a configuration without faults is decoded whole', () => {
  const configuration = configured(
    yaml({
      receivers: '{ nop: { tag: a }, nop/unused: }',
      extensions: '{ nop/x: }',
      service: '{ extensions: [nop/x], pipelines: { traces/a: { receivers: [nop], exporters: [" nop "] } } }',
    }),
  )
  expect([...configuration.receivers.keys()]).toEqual(['nop', 'nop/unused'])
  expect(configuration.receivers.get('nop')!.config).toEqual({ tag: 'a', depends: [] })
  expect(configuration.enabled.map(reference => reference.id)).toEqual(['nop/x'])
  expect(configuration.telemetry).toEqual({ level: 'info' })
  const pipeline = configuration.pipelines.get('traces/a')!
  expect(pipeline.id).toMatchObject({ signal: 'traces', name: 'a' })
  expect(pipeline.exporters).toMatchObject([{ id: 'nop', origin: { file: 'config.yaml', line: 4 } }])
})

/** Situation, configuration, what is said. */
const faults: readonly (readonly [string, string, readonly string[]])[] = [
  ['nothing configured', '{}', ['empty configuration file']],
  ['only a service', 'service: { pipelines: {} }', ['empty configuration file']],
  [
    'no receivers',
    yaml({ receivers: '' }),
    [
      'no receiver configuration specified in config',
      'service::pipelines::traces: references receiver "nop" which is not configured',
    ],
  ],
  [
    'no exporters',
    yaml({ exporters: '{}' }),
    [
      'no exporter configuration specified in config',
      'service::pipelines::traces: references exporter "nop" which is not configured',
    ],
  ],
  [
    'no service',
    'receivers: { nop: }\nexporters: { nop: }',
    ['service::pipelines: service must have at least one pipeline'],
  ],
  [
    'no pipelines',
    yaml({ service: '{ pipelines: }' }),
    ['service::pipelines: service must have at least one pipeline'],
  ],
  [
    'pipeline without receivers',
    yaml({ service: traces('{ exporters: [nop] }') }),
    ['service::pipelines::traces: must have at least one receiver'],
  ],
  [
    'pipeline without exporters',
    yaml({ service: traces('{ receivers: [nop] }') }),
    ['service::pipelines::traces: must have at least one exporter'],
  ],
  [
    'pipeline without anything',
    yaml({ service: traces('') }),
    [
      'service::pipelines::traces: must have at least one receiver',
      'service::pipelines::traces: must have at least one exporter',
    ],
  ],
  [
    'processor twice',
    yaml({ service: traces('{ receivers: [nop], processors: [nop, nop, nop], exporters: [nop] }') }),
    ['service::pipelines::traces: references processor "nop" multiple times'],
  ],
  [
    'undefined receiver',
    yaml({ service: traces('{ receivers: [nop, nop/2], exporters: [nop] }') }),
    ['service::pipelines::traces: references receiver "nop/2" which is not configured'],
  ],
  [
    'undefined processor',
    yaml({ service: traces('{ receivers: [nop], processors: [nop/2], exporters: [nop] }') }),
    ['service::pipelines::traces: references processor "nop/2" which is not configured'],
  ],
  [
    'undefined exporter',
    yaml({ service: traces('{ receivers: [nop], exporters: [nop/2] }') }),
    ['service::pipelines::traces: references exporter "nop/2" which is not configured'],
  ],
  [
    'undefined extension',
    yaml({ service: '{ extensions: [nop/2], pipelines: { traces: { receivers: [nop], exporters: [nop] } } }' }),
    ['service::extensions: references extension "nop/2" which is not configured'],
  ],
  [
    'connector named like an exporter and a receiver',
    yaml({ receivers: '{ nop: , nop/2: }', exporters: '{ nop: , forward: }', connectors: '{ forward: }' }),
    [
      'exporters: unknown type: "forward" for id: "forward" (valid values: [nop])',
      'connectors::forward: ambiguous ID: Found both "forward" exporter and "forward" connector. Change one of the components\' IDs to eliminate ambiguity (e.g. rename "forward" connector to "forward/connector")',
    ],
  ],
  [
    'profiles without the gate',
    yaml({ service: '{ pipelines: { profiles: { receivers: [nop], exporters: [nop] } } }' }),
    [
      'service::pipelines: pipeline "profiles": profiling signal support is at alpha level, gated under the "service.profilesSupport" feature gate',
    ],
  ],
  [
    'unknown signal',
    yaml({ service: '{ pipelines: { foo: { receivers: [nop], exporters: [nop] } } }' }),
    ['service::pipelines: in "foo" id: unknown pipeline signal: "foo"'],
  ],
  [
    'pipeline id without name',
    yaml({ service: '{ pipelines: { traces/: { receivers: [nop], exporters: [nop] } } }' }),
    ['service::pipelines: in "traces/" id: the part after / should not be empty'],
  ],
  [
    'pipelines equal after trimming',
    yaml({
      service:
        '{ pipelines: { traces/a: { receivers: [nop], exporters: [nop] }, "traces / a": { receivers: [nop], exporters: [nop] } } }',
    }),
    ['service::pipelines: duplicate name "traces / a" after unmarshaling traces/a'],
  ],
  [
    'ids equal after trimming',
    yaml({ exporters: '{ nop: , nop/a: , "nop / a": }' }),
    ['exporters: duplicate name "nop / a" after unmarshaling nop/a'],
  ],
  [
    'an id that is none',
    yaml({ processors: '{ nop: , /x: , nop/: , "n-p": , "": }' }),
    [
      'processors: in "/x" id: the part before / should not be empty',
      'processors: in "nop/" id: the part after / should not be empty',
      'processors: in "n-p" id: invalid character(s) in type "n-p"',
      'processors: id must not be empty',
    ],
  ],
  [
    'an id in a pipeline that is none',
    yaml({ service: traces('{ receivers: [nop, "/"], exporters: [nop] }') }),
    ['service::pipelines::traces::receivers::1: in "/" id: the part before / should not be empty'],
  ],
  [
    'unknown type',
    yaml({ receivers: '{ nop: , npo/x: }' }),
    ['receivers: unknown type: "npo" for id: "npo/x" (valid values: [nop])'],
  ],
  [
    'the logging exporter',
    yaml({ exporters: '{ nop: , logging/x: }' }),
    ['exporters: the logging exporter has been deprecated, use the debug exporter instead'],
  ],
  [
    'a section that is no map',
    yaml({ processors: 'nop', service: traces('{ receivers: [nop], exporters: [nop] }') }),
    ['processors: expected a map or struct, got "string"'],
  ],
  ['an unknown section', `${yaml()}\nexporter: {}`, ['the configuration has invalid keys: exporter']],
  [
    'unknown keys in service',
    yaml({ service: '{ pipelines: { traces: { receivers: [nop], exporter: [nop] } }, telemetri: }' }),
    ['service::pipelines::traces: has invalid keys: exporter', 'service: has invalid keys: telemetri'],
  ],
  ['an unknown option', yaml({ exporters: '{ nop: { tga: x } }' }), ['exporters::nop: has invalid keys: tga']],
]

test.each(faults)('%s', (_situation, text, expected) => {
  expect(faultsOf(() => configured(text))).toEqual(expected)
})

test('everything is told at once, each with its place and the nearest valid word', () => {
  const text = [
    'receivers:',
    '  nop: { tga: x }',
    '  npo:',
    'exporters:',
    '  nop/main:',
    'service:',
    '  pipelines:',
    '    traces:',
    '      receivers: [nop]',
    '      exporters:',
    '        - nop/mian',
    '    metrics:',
  ].join('\n')
  let message = ''
  try {
    configured(text)
  } catch (error) {
    message = (error as ConfigError).message
    expect(error).toMatchObject({ stage: 'decode' })
  }
  expect(message.split('\n')).toEqual([
    'config.yaml:2:10  receivers::nop: has invalid keys: tga (did you mean "tag"?)',
    'config.yaml:3:3  receivers: unknown type: "npo" for id: "npo" (valid values: [nop]) (did you mean "nop"?)',
    'config.yaml:11:11  service::pipelines::traces: references exporter "nop/mian" which is not configured (did you mean "nop/main"?)',
    'config.yaml:12:5  service::pipelines::metrics: must have at least one receiver',
    'config.yaml:12:5  service::pipelines::metrics: must have at least one exporter',
  ])
})

test('a fault in one part of the service section hides none in the others', () => {
  const service = `
  telemetry: { level: 1 }
  extensions: [nop/x]
  pipelines:
    traces: { receivers: [nop], exporter: [nop] }
    metrics: { receivers: [nop/y], exporters: [nop] }
    logs: 5`
  expect(faultsOf(() => configured(yaml({ service })))).toEqual([
    "service::telemetry::level: expected type 'string', got unconvertible type 'int'",
    'service::extensions: references extension "nop/x" which is not configured',
    'service::pipelines::traces: has invalid keys: exporter',
    'service::pipelines::metrics: references receiver "nop/y" which is not configured',
    'service::pipelines::logs: expected a map or struct, got "int"',
  ])
})

test('a mention of a component with faults is not one more fault', () => {
  expect(faultsOf(() => configured(yaml({ exporters: '{ nop: { tag: [1] } }' })))).toHaveLength(1)
})

test('what a component checks itself is told under its path, unused components included', () => {
  const config = t.section({
    low: t.integer({ default: 1, description: 'The low end.' }),
    inner: t.section({ high: t.integer({ default: 2, description: 'The high end.' }) }),
  })
  const ranged = defineExporter({
    type: 'ranged',
    description: 'Has a range.',
    stability: { traces: 'stable' },
    config,
    *check({ low, inner }) {
      if (inner.high < low) yield `inner::high: must be >= low: current values are ${inner.high} and ${low}`
      if (low === 13) yield 'unlucky: avoid it'
      if (low === 14) yield 'low and high: both are wrong'
    },
    create: () => nop,
  })
  const text = yaml({
    exporters:
      '\n  nop:\n  ranged:\n    low: 13\n    inner:\n      high: 1\n  ranged/two: { low: 14, inner: { high: 15 } }',
  })
  const run = () => configured(text, testDistribution(ranged))
  expect(faultsOf(run)).toEqual([
    'exporters::ranged::unlucky: avoid it',
    'exporters::ranged::inner::high: must be >= low: current values are 1 and 13',
    'exporters::ranged/two: low and high: both are wrong',
  ])
  expect(run).toThrow(expect.objectContaining({ stage: 'validate' }))
  expect(run).toThrow(/config\.yaml:8:13 {2}exporters::ranged::inner::high/)
})

test('an older name is accepted with a warning and kept in the id', () => {
  const renamed = defineReceiver({
    type: 'file_log',
    aliases: ['filelog'],
    description: 'Reads files.',
    stability: { traces: 'stable' },
    config: t.section({}),
    create: () => ({}),
  })
  const service = traces('{ receivers: [filelog/x, file_log], exporters: [nop] }')
  const configuration = configured(
    yaml({ receivers: '{ filelog/x: , file_log: }', service }),
    testDistribution(renamed),
  )
  expect([...configuration.receivers.keys()]).toEqual(['filelog/x', 'file_log'])
  expect(configuration.receivers.get('filelog/x')!.definition).toBe(renamed)
  expect(configuration.warnings.map(warning => warning.message)).toEqual([
    '"filelog" alias is deprecated; use "file_log" instead',
  ])
})

test('gates open what they guard', () => {
  const profiles = yaml({ service: '{ pipelines: { profiles: { receivers: [nop], exporters: [nop] } } }' })
  expect(faultsOf(() => configured(profiles, testDistribution(), ['service.profilesSupport']))).toEqual([])
  const alone = 'extensions: { nop: }\nservice: { extensions: [nop] }'
  expect(faultsOf(() => configured(alone, testDistribution(), ['service.AllowNoPipelines']))).toEqual([])
})

test('a list of ids may be one string with commas', () => {
  const service = '{ pipelines: { traces: { receivers: "nop,nop/2", exporters: nop } } }'
  const configuration = configured(yaml({ receivers: '{ nop: , nop/2: }', service }))
  expect(configuration.pipelines.get('traces')!.receivers.map(reference => reference.id)).toEqual(['nop', 'nop/2'])
})
