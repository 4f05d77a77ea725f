import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineConnector, defineExporter, defineProcessor, defineReceiver } from '#core/component'
import { t } from '#core/config'
import { configured, faultsOf, testDistribution } from './pipeline.test-support.ts'
import { plan } from './plan.ts'
import { edgesOf, type Plan } from './planned.ts'

const only = {
  type: 'only_traces',
  description: 'Knows traces only.',
  stability: { traces: 'stable' },
  config: t.section({}),
} as const
const nop = { consume: async () => {} }
const distribution = testDistribution(
  defineReceiver({ ...only, create: () => ({}) }),
  defineProcessor({ ...only, create: () => nop }),
  defineExporter({ ...only, create: () => nop }),
  defineConnector({ ...only, type: 'count', stability: { traces: { metrics: 'stable' } }, create: () => nop }),
)

const head = `
receivers: { nop: , nop/2: , only_traces: }
processors: { nop: , nop/2: , only_traces: }
exporters: { nop: , nop/2: , only_traces: }
connectors: { forward: , forward/2: , forward/3: , count: }
extensions: { nop: , nop/a: { depends: [nop/b] }, nop/b: { depends: [nop/c] }, nop/c: { depends: [nop/a] }, nop/d: { depends: [nop/e] }, nop/e: }
service:
`
const planned = (service: string): Plan => plan(configured(head + service, distribution))
const pipelines = (text: string) =>
  planned(
    `  pipelines:\n    ${text
      .trim()
      .split('\n')
      .map(line => line.trim())
      .join('\n    ')}`,
  )

/** Situation, pipelines, what is said. */
const faults: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'receiver of another signal',
    'logs: { receivers: [only_traces], exporters: [nop] }',
    ['failed to create "only_traces" receiver for data type "logs": telemetry type is not supported'],
  ],
  [
    'exporter of another signal, in two pipelines',
    `logs: { receivers: [nop], exporters: [only_traces] }
    logs/2: { receivers: [nop], exporters: [only_traces] }`,
    ['failed to create "only_traces" exporter for data type "logs": telemetry type is not supported'],
  ],
  [
    'processor of another signal',
    'logs: { receivers: [nop], processors: [only_traces], exporters: [nop] }',
    ['failed to create "only_traces" processor, in pipeline "logs": telemetry type is not supported'],
  ],
  [
    'connector without a receiving end',
    'traces/in: { receivers: [nop], exporters: [forward] }',
    ['connector "forward" used as exporter in [traces/in] pipeline but not used in any supported receiver pipeline'],
  ],
  [
    'connector without a sending end',
    `traces/in: { receivers: [nop], exporters: [nop] }
    traces/out: { receivers: [forward], exporters: [nop] }
    traces/out2: { receivers: [forward], exporters: [nop] }`,
    [
      'connector "forward" used as receiver in [traces/out traces/out2] pipeline but not used in any supported exporter pipeline',
    ],
  ],
  [
    'connector between unsupported signals',
    `logs/in: { receivers: [nop], exporters: [count] }
    metrics/out: { receivers: [count], exporters: [nop] }`,
    [
      'connector "count" used as exporter in [logs/in] pipeline but not used in any supported receiver pipeline',
      'connector "count" used as receiver in [metrics/out] pipeline but not used in any supported exporter pipeline',
    ],
  ],
  [
    'one of two signals of a connector is not taken',
    `traces/in: { receivers: [nop], exporters: [count] }
    logs/in: { receivers: [nop], exporters: [count] }
    metrics/out: { receivers: [count], exporters: [nop] }`,
    ['connector "count" used as exporter in [logs/in] pipeline but not used in any supported receiver pipeline'],
  ],
  [
    'a pipeline that feeds itself',
    'traces: { receivers: [nop, forward], processors: [nop], exporters: [forward] }',
    [
      'cycle detected: connector "forward" (traces to traces) -> processor "nop" in pipeline "traces" -> connector "forward" (traces to traces)',
    ],
  ],
  [
    'a circle of two pipelines, and another one',
    `traces: { receivers: [nop, forward/2], processors: [nop, nop/2], exporters: [forward] }
    traces/2: { receivers: [forward], exporters: [forward/2, nop] }
    logs: { receivers: [nop, forward/3], exporters: [forward/3] }`,
    [
      'cycle detected: connector "forward" (traces to traces) -> connector "forward/2" (traces to traces) -> processor "nop" in pipeline "traces" -> processor "nop/2" in pipeline "traces" -> connector "forward" (traces to traces)',
      'cycle detected: connector "forward/3" (logs to logs) -> connector "forward/3" (logs to logs)',
    ],
  ],
  [
    'everything at once',
    `logs: { receivers: [only_traces], processors: [only_traces], exporters: [only_traces, forward] }`,
    [
      'failed to create "only_traces" receiver for data type "logs": telemetry type is not supported',
      'failed to create "only_traces" processor, in pipeline "logs": telemetry type is not supported',
      'failed to create "only_traces" exporter for data type "logs": telemetry type is not supported',
      'connector "forward" used as exporter in [logs] pipeline but not used in any supported receiver pipeline',
    ],
  ],
]
test.each(faults)('%s', (_situation, text, expected) => {
  expect(faultsOf(() => pipelines(text))).toEqual(expected)
})

const one = 'pipelines: { traces: { receivers: [nop], exporters: [nop] } }'

test('extensions that depend on one another in a circle', () => {
  expect(faultsOf(() => planned(`  extensions: [nop/a, nop/b, nop/c]\n  ${one}`))).toEqual([
    'service::extensions: unable to order extensions by dependencies, cycle found [nop/a -> nop/b -> nop/c -> nop/a]',
  ])
})

test('an extension that depends on one that is not enabled', () => {
  expect(faultsOf(() => planned(`  extensions: [nop/d]\n  ${one}`))).toEqual([
    'service::extensions: unable to find extension nop/e on which extension nop/d depends',
  ])
})

test('extensions start after those they depend on', () => {
  const { extensions } = planned(`  extensions: [nop/d, nop, nop/e]\n  ${one}`)
  expect(extensions.map(node => node.configured.id.toString())).toEqual(['nop/e', 'nop/d', 'nop'])
})

test('who is shared: receivers and exporters by id, processors by pipeline, connectors by pair of signals', () => {
  const { components } = pipelines(`
    traces: { receivers: [nop, nop], processors: [nop], exporters: [nop, forward, count] }
    traces/2: { receivers: [nop, forward], processors: [nop], exporters: [nop] }
    logs: { receivers: [nop], exporters: [nop, nop, forward] }
    logs/2: { receivers: [forward], exporters: [nop] }
    metrics: { receivers: [count, forward], exporters: [nop] }`)
  expect(components.map(({ key, signals, pipelines }) => `${key} ${signals} ${pipelines}`)).toEqual([
    'exporter:nop traces,metrics,logs traces,traces/2,logs,logs/2,metrics',
    'processor:nop:traces/2 traces traces/2',
    'connector:forward:traces>traces traces,traces traces,traces/2',
    'connector:forward:traces>metrics traces,metrics traces,metrics',
    'connector:forward:traces>logs traces,logs traces,logs/2',
    'connector:count:traces>metrics traces,metrics traces,metrics',
    'processor:nop:traces traces traces',
    'connector:forward:logs>traces logs,traces logs,traces/2',
    'connector:forward:logs>metrics logs,metrics logs,metrics',
    'connector:forward:logs>logs logs,logs logs,logs/2',
    'receiver:nop traces,logs traces,traces/2,logs',
  ])
})

/** Pipelines of traces, the later ones possibly fed by the earlier ones through connectors. */
const service = fc
  .array(
    fc.record({
      processors: fc.subarray(['nop', 'nop/2']),
      exporters: fc.subarray(['nop', 'nop/2', 'only_traces'], { minLength: 1 }),
      receivers: fc.subarray(['nop', 'nop/2', 'only_traces'], { minLength: 1 }),
      from: fc.nat(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map(all => {
    const fed = all.map((pipeline, n) => (n > 0 && pipeline.from % 2 === 0 ? pipeline.from % n : undefined))
    return all.map((pipeline, n) => ({
      ...pipeline,
      receivers: fed[n] === undefined ? pipeline.receivers : [...pipeline.receivers, `forward/p${n}`],
      exporters: [...pipeline.exporters, ...fed.flatMap((from, to) => (from === n ? `forward/p${to}` : []))],
    }))
  })

test('everything starts after what it feeds, exporters before all others, receivers last', () => {
  fc.assert(
    fc.property(service, all => {
      const connectors = all.map((_, n) => `forward/p${n}: `).join(', ')
      const text = all.map(
        (pipeline, n) => `traces/${n}: ${JSON.stringify(pipeline, ['receivers', 'processors', 'exporters'])}`,
      )
      const yaml = `${head.replace('forward: ,', `forward: , ${connectors},`)}  pipelines:\n    ${text.join('\n    ')}`
      const { components, pipelines } = plan(configured(yaml, distribution))
      const at = new Map(components.map((node, index) => [node.key, index]))
      expect(at.size).toBe(components.length)
      for (const { from, to } of edgesOf(pipelines.values())) expect(at.get(from)).toBeGreaterThan(at.get(to)!)
      const kinds = components.map(node => node.kind)
      expect(kinds.lastIndexOf('exporter')).toBeLessThan(kinds.findIndex(kind => kind !== 'exporter'))
      expect(kinds.findLastIndex(kind => kind !== 'receiver')).toBeLessThan(kinds.indexOf('receiver'))
    }),
  )
})
