import type { Command, CommandInvocation } from '#core/component'
import { stringifyYaml } from '#core/config'
import type { RulePrefixes } from './alerts.ts'
import { prometheusPrefix } from './prometheus-name.ts'

const PREFIX_OPTIONS = {
  prefix: { type: 'string', description: 'What the names of metrics begin with in OTLP', default: 'openclaw' },
  'attribute-prefix': {
    type: 'string',
    description:
      'What the names of attributes begin with; the same, unless only metrics were renamed (metricNamePrefix)',
  },
} as const satisfies Command['options']

/** Prints the dashboard, ready to import. */
export const dashboardCommand: Command = {
  name: 'gateway dashboard',
  summary: 'Prints a Grafana dashboard for the agent gateway',
  usage: 'gateway dashboard [--prefix openclaw] > dashboard.json',
  options: PREFIX_OPTIONS,
  run: invocation =>
    print(invocation, async prefixes => {
      const [{ grafanaDashboard }, { JOBS_QUERY, PANEL_ROWS }] = await Promise.all([
        import('./grafana.ts'),
        import('./panel-rows.ts'),
      ])
      return `${JSON.stringify(grafanaDashboard(PANEL_ROWS, JOBS_QUERY, prefixes), undefined, 2)}\n`
    }),
}

/** Prints alert rules. */
export const rulesCommand: Command = {
  name: 'gateway rules',
  summary: 'Prints alert rules for the agent gateway, for Prometheus or for Loki',
  usage: 'gateway rules [--prefix openclaw] [--loki] > rules.yaml',
  options: {
    ...PREFIX_OPTIONS,
    loki: { type: 'boolean', description: 'Rules on security log records, for the ruler of Loki', default: false },
  },
  run: invocation =>
    print(invocation, async prefixes => {
      const { lokiRules, prometheusRules } = await import('./alerts.ts')
      return stringifyYaml(invocation.options.loki === true ? lokiRules(prefixes) : prometheusRules(prefixes))
    }),
}

async function print(
  { options, operands, stdout, stderr }: CommandInvocation,
  text: (prefixes: RulePrefixes) => Promise<string>,
): Promise<number> {
  if (operands.length > 0) {
    stderr.write(`Error: unexpected argument "${operands[0]}"\n`)
    return 2
  }
  const prefix = String(options.prefix)
  const attributes = options['attribute-prefix'] === undefined ? prefix : String(options['attribute-prefix'])
  stdout.write(await text({ metricPrefix: prometheusPrefix(prefix), attributePrefix: prometheusPrefix(attributes) }))
  return 0
}
