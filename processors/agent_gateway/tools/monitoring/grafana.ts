import type { Panel, PanelRow } from './panel.ts'

/** What the dashboard's variables begin with. */
export interface DashboardDefaults {
  /** Before the names of metrics in Prometheus, for example `openclaw_`. */
  readonly metricPrefix: string
  /** Before the names of labels. */
  readonly attributePrefix: string
}

const HEIGHT = 7
const COLUMNS = 24

/** A dashboard as Grafana imports it: both prefixes, the data sources and the gateways are variables. */
export function grafanaDashboard(rows: readonly PanelRow[], jobsQuery: string, defaults: DashboardDefaults): object {
  return {
    title: 'Agent gateway',
    uid: 'millrace-agent-gateway',
    tags: ['agent-gateway', 'millrace'],
    description: 'Tokens, cost, turns, tools, queues, security and the health of the export of an AI agent gateway.',
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    templating: { list: variables(defaults, jobsQuery) },
    panels: placed(rows),
  }
}

function variables({ metricPrefix, attributePrefix }: DashboardDefaults, jobsQuery: string): readonly object[] {
  const source = (name: string, type: string) => ({
    name,
    label: type,
    type: 'datasource',
    query: type.toLowerCase(),
    current: {},
  })
  const text = (name: string, label: string, value: string) => ({
    ...{ name, label, type: 'textbox', query: value },
    current: { text: value, value },
    options: [{ text: value, value, selected: true }],
  })
  return [
    source('prometheus', 'Prometheus'),
    source('loki', 'Loki'),
    text('metric_prefix', 'Metric prefix', metricPrefix),
    text('attribute_prefix', 'Attribute prefix', attributePrefix),
    {
      name: 'job',
      label: 'Gateway',
      type: 'query',
      datasource: { type: 'prometheus', uid: '$' + '{prometheus}' },
      query: { query: jobsQuery, refId: 'job' },
      definition: jobsQuery,
      refresh: 2,
      sort: 1,
      multi: true,
      includeAll: true,
      allValue: '.*',
      current: { text: ['All'], value: ['$__all'] },
    },
  ]
}

/** Rows one under the other, panels from left to right. */
function placed(rows: readonly PanelRow[]): readonly object[] {
  const panels: object[] = []
  let y = 0
  for (const { title, panels: inRow } of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    })
    y++
    let x = 0
    for (const panel of inRow) {
      const w = panel.width ?? 8
      if (x + w > COLUMNS) {
        x = 0
        y += HEIGHT
      }
      panels.push({ id: panels.length + 1, ...drawn(panel), gridPos: { x, y, w, h: HEIGHT } })
      x += w
    }
    y += HEIGHT
  }
  return panels
}

function drawn({ title, description, kind = 'timeseries', unit, source = 'prometheus', queries }: Panel): object {
  const datasource = { type: source, uid: `\${${source}}` }
  return {
    type: kind,
    title,
    ...(description !== undefined && { description }),
    datasource,
    fieldConfig: {
      defaults: { unit, min: 0, ...(kind === 'timeseries' && { custom: { fillOpacity: 10, showPoints: 'never' } }) },
      overrides: [],
    },
    options:
      kind === 'stat'
        ? { reduceOptions: { calcs: ['lastNotNull'] } }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat: legend,
      ...(source === 'loki' ? { queryType: 'range' } : kind === 'stat' ? { instant: true } : { range: true }),
    })),
  }
}
