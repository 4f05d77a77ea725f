import {
  type Component,
  type ConnectorDefinition,
  type ConsumeContext,
  type Consumer,
  type Definition,
  type Distribution,
  defineConnector,
  defineExporter,
  defineExtension,
  defineProcessor,
  defineReceiver,
  type ExporterDefinition,
  type ExtensionDefinition,
  type ProcessorDefinition,
  type ReceiverDefinition,
} from '#core/component'
import { ConfigError, parseYamlNode, t } from '#core/config'
import type { Payload } from '#core/data'
import type { Configuration } from './configuration.ts'
import { configure } from './configure.ts'

const every = { traces: 'stable', metrics: 'stable', logs: 'stable', profiles: 'alpha' } as const
const between = { traces: every, metrics: every, logs: every, profiles: every }
const free = t.section({
  tag: t.string({ default: '', description: 'Anything, to tell configurations apart.' }),
  depends: t.list(t.string({ description: 'An extension.' }), { default: [], description: 'Extensions needed.' }),
})
const noop: Component & Consumer = { consume: async (_data: Payload, _context: ConsumeContext) => {} }

/** A distribution of components named `nop` that do nothing, with the given ones added in front. */
export function testDistribution(...more: readonly Definition[]): Distribution {
  const of = <D extends Definition>(kind: D['kind'], last: D) =>
    [...more.filter(one => one.kind === kind), last] as unknown as D[]
  const common = { type: 'nop', description: 'Does nothing.', config: free }
  return {
    command: 'test',
    description: 'A distribution for tests',
    version: '1.2.3',
    receivers: of<ReceiverDefinition>('receiver', defineReceiver({ ...common, stability: every, create: () => ({}) })),
    processors: of<ProcessorDefinition>(
      'processor',
      defineProcessor({
        ...common,
        stability: every,
        create: (_config, _signal, next) => ({ consume: (d, c) => next.consume(d, c) }),
      }),
    ),
    exporters: of<ExporterDefinition>('exporter', defineExporter({ ...common, stability: every, create: () => noop })),
    connectors: of<ConnectorDefinition>(
      'connector',
      defineConnector({ ...common, type: 'forward', stability: between, create: () => noop }),
    ),
    extensions: of<ExtensionDefinition>(
      'extension',
      defineExtension({ ...common, stability: 'stable', dependencies: config => config.depends, create: () => ({}) }),
    ),
  }
}

const telemetry = { schema: t.section({ level: t.string({ default: 'info', description: 'A level.' }) }) }

/** Decodes and checks a YAML text. */
export function configured(
  yaml: string,
  distribution: Distribution = testDistribution(),
  gates: readonly string[] = [],
): Configuration {
  const root = parseYamlNode(yaml, 'config.yaml')
  return configure(distribution, { root, warnings: [] }, { telemetry, gates: new Set(gates) })
}

/** The faults that `run` throws, each as `path: message`. */
export function faultsOf(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  }
  return []
}
