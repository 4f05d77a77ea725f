import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { admit, openDraft } from '#core/data'
import { gatewayToEnd } from '../../../processors/agent_gateway/tools/commands.test-support.ts'
import { METRICS, PLUGIN_METRICS } from '../../../processors/agent_gateway/tools/monitoring/metrics.ts'
import { type MetricFact, prometheusName } from '../../../processors/agent_gateway/tools/monitoring/prometheus-name.ts'
import { INSTRUMENTS } from '../tracing-plugin/instruments.ts'

const HERE = import.meta.dirname
const read = (name: string) => readFileSync(join(HERE, name), 'utf8')

/** What the gateway sent when it was recorded, without the prefix. */
function recorded(): ReadonlyMap<string, MetricFact> {
  const found = new Map<string, MetricFact>()
  for (const file of ['0001_v1_metrics.pb', '0066_v1_metrics.pb']) {
    const bytes = readFileSync(join(HERE, '../../../processors/agent_gateway/testdata', file))
    for (const { name, type, unit } of openDraft(admit('metrics', bytes).payload).metrics()) {
      found.set(name.replace(/^openclaw\./, ''), { kind: type === 'sum' ? 'counter' : 'histogram', unit })
    }
  }
  return found
}

const DOCUMENTED = new Map(
  Object.entries(JSON.parse(read('testdata/documented-metrics.json')) as Record<string, MetricFact>),
)
const FROM_PLUGIN = new Map<string, MetricFact>(
  Object.entries(INSTRUMENTS).map(([name, instrument]) => [
    name,
    { kind: 'bounds' in instrument ? 'histogram' : 'counter', unit: instrument.unit },
  ]),
)
const OWN = [
  ...['spans', 'metric_points', 'log_records'].flatMap(noun => [
    `otelcol_receiver_refused_${noun}`,
    `otelcol_exporter_send_failed_${noun}`,
  ]),
  'otelcol_exporter_queue_size',
  'otelcol_exporter_queue_capacity',
  'otelcol_connector_agent_gateway_detections_raised',
  'otelcol_processor_agent_gateway_reparented_spans',
  'otelcol_processor_agent_gateway_early_spans',
  'otelcol_processor_agent_gateway_waiting_spans',
]

interface Target {
  readonly expr: string
  readonly datasource: { readonly type: string }
}
const dashboard = JSON.parse(read('grafana.json')) as {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly Target[]
    readonly gridPos: Record<'x' | 'y' | 'w' | 'h', number>
  }[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}
const targets = dashboard.panels.flatMap(panel => panel.targets ?? [])
const rules = (
  parseYaml(read('prometheus-rules.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups.flatMap(group => group.rules)
const EXPRESSIONS = [
  ...targets.filter(({ datasource }) => datasource.type === 'prometheus').map(({ expr }) => expr),
  ...rules.map(({ expr }) => expr),
]

/** Names of series in an expression: what stands before a selector, a range or an operator, and is no function or label. */
function seriesIn(expr: string): readonly string[] {
  const bare = expr
    .replaceAll('$' + '{metric_prefix}', 'openclaw_')
    .replaceAll('$' + '{attribute_prefix}', 'label_')
    .replace(/\{[^}]*\}/g, '{}')
    .replace(/\b(by|on|ignoring) \([^)]*\)/g, '')
  return [...bare.matchAll(/\b(?:openclaw|otelcol|gen_ai)_\w+/g)].map(([name]) => name)
}

describe('every metric that is asked for', () => {
  const recordings = recorded()
  const seriesOf = (facts: ReadonlyMap<string, MetricFact>) =>
    [...facts].flatMap(([name, fact]) => {
      const base = prometheusName(name.startsWith('gen_ai.') ? name : `openclaw.${name}`, fact)
      return fact.kind === 'counter' ? [base] : ['_bucket', '_sum', '_count'].map(suffix => base + suffix)
    })
  const known = new Set([...[recordings, DOCUMENTED, FROM_PLUGIN].flatMap(seriesOf), ...OWN])

  test('exists in the recordings, the plugin, the documentation or the collector', () => {
    const asked = EXPRESSIONS.flatMap(seriesIn)
    expect(new Set(asked).size).toBeGreaterThan(30)
    expect([...new Set(asked)].filter(name => !known.has(name))).toEqual([])
  })

  test('is of the kind and unit that was recorded, or is documented', () => {
    for (const [name, fact] of Object.entries(METRICS)) {
      const expected = name in PLUGIN_METRICS ? FROM_PLUGIN.get(name) : (recordings.get(name) ?? DOCUMENTED.get(name))
      expect({ name, ...fact }).toEqual({ name, ...expected })
    }
  })

  test('is documented as it was recorded', () => {
    for (const [name, fact] of recordings) {
      if (!name.startsWith('gen_ai.')) expect({ name, ...DOCUMENTED.get(name) }).toEqual({ name, ...fact })
    }
  })

  test.each(OWN)('%s is one of the collector', name => {
    const readmes = ['receivers/otlp', 'processors/agent_gateway', 'connectors/agent_gateway_detections']
    const files = ['core/delivery/telemetry.ts', ...readmes.map(folder => `${folder}/README.md`)]
    const source = files.map(file => readFileSync(join(HERE, '../../..', file), 'utf8')).join()
    expect(source).toContain(name.replace(/^(otelcol_exporter_send_failed_).*/, '$1'))
  })
})

test.each([
  ['grafana.json', ['dashboard']],
  ['prometheus-rules.yaml', ['rules']],
  ['loki-rules.yaml', ['rules', '--loki']],
])('%s is what `gateway %s` prints', async (file, args) => {
  const { code, out } = await gatewayToEnd(...args)
  expect(code).toBe(0)
  const parse = (text: string) => (file.endsWith('.json') ? JSON.parse(text) : text)
  expect(parse(read(file))).toEqual(parse(out))
})

test('with another prefix nothing of the default is left', async () => {
  for (const args of [['rules'], ['rules', '--loki']]) {
    const { out } = await gatewayToEnd(...args, '--prefix', 'acme')
    expect(out).toContain('acme_')
    expect(out).not.toContain('openclaw')
  }
  const { out } = await gatewayToEnd('rules', '--prefix', 'acme/', '--attribute-prefix', 'openclaw')
  expect(out).toContain('acme_run_duration_ms_milliseconds_bucket{openclaw_outcome!=""}')
  expect((await gatewayToEnd('rules', '--prefix', '')).out).toContain('rate(run_duration_ms_milliseconds_bucket')
})

test('on the dashboard both prefixes are variables, and so are the data sources', () => {
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual([
    'prometheus',
    'loki',
    'metric_prefix',
    'attribute_prefix',
    'job',
  ])
  expect(JSON.stringify(dashboard.panels)).not.toContain('openclaw')
})

test('panels have titles of their own and do not overlap', () => {
  const titles = dashboard.panels.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
})

test('what operators ask for is there', () => {
  const titles = dashboard.panels.map(({ title }) => title).join('\n')
  for (const wanted of [
    /Tokens/,
    /Cost/,
    /Turn latency/,
    /Tool errors/,
    /Queue wait/,
    /Stuck sessions/,
    /Blocked tools/,
    /Authentication failures/,
    /Exporter events/,
  ]) {
    expect(titles).toMatch(wanted)
  }
})

test.each([
  ['openclaw.tokens', 'counter', '1', 'openclaw_tokens_total'],
  ['openclaw.run.duration_ms', 'histogram', 'ms', 'openclaw_run_duration_ms_milliseconds'],
  ['openclaw.memory.rss_bytes', 'histogram', 'By', 'openclaw_memory_rss_bytes'],
  ['gen_ai.client.operation.duration', 'histogram', 's', 'gen_ai_client_operation_duration_seconds'],
  ['gen_ai.client.token.usage', 'histogram', '{token}', 'gen_ai_client_token_usage'],
  ['openclaw.llm.cost.usd', 'counter', 'USD', 'openclaw_llm_cost_usd_USD_total'],
  ['a.total', 'counter', '1', 'a_total'],
] as const)('%s (%s, %s) is %s in Prometheus', (name, kind, unit, expected) => {
  expect(prometheusName(name, { kind, unit })).toBe(expected)
})
