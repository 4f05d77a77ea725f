import type { Definition } from '#core/component'
import { ConfigError, type Fault } from '#core/config'
import { SIGNALS, type Signal } from '#core/data'
import type { Configuration, Configured, PipelineConfiguration, Reference } from './configuration.ts'
import { describeCycle, findCycles } from './cycle.ts'
import { planConnectors } from './plan-connectors.ts'
import { planExtensions } from './plan-extensions.ts'
import {
  type ConnectorNode,
  type ExporterNode,
  edgesOf,
  type PipelineNode,
  type Plan,
  type PlannedPipeline,
  type ProcessorNode,
  type ReceiverNode,
} from './planned.ts'
import { startOrder } from './start-order.ts'

/**
 * Decides what will run and how it is wired, without building anything.
 * @throws {ConfigError} with every fault of the graph in the Collector's words: signals that a component does not
 *   support, connectors with one end only, cycles, extensions that cannot be put in order
 */
export function plan(configuration: Configuration): Plan {
  const faults: Fault[] = []
  const pipelines = [...configuration.pipelines.values()]
  const connectors = planConnectors(configuration, faults)
  const nodes: PipelineNode[] = [
    ...planExporters(configuration, pipelines, faults),
    ...planProcessors(configuration, pipelines, faults),
    ...connectors,
    ...planReceivers(configuration, pipelines, faults),
  ]
  const extensions = planExtensions(configuration, faults)
  const planned = new Map(pipelines.map(pipeline => [pipeline.id.toString(), route(pipeline, connectors)]))
  const edges = [...edgesOf(planned.values())]
  const cycles = findCycles(nodes, edges)
  for (const cycle of cycles) {
    faults.push({ path: '', message: describeCycle(cycle), code: 'cycle', ...originOf(cycle[0]!.configured) })
  }
  if (faults.length > 0) throw new ConfigError(faults, { stage: 'build' })
  return { configuration, extensions, components: startOrder(nodes, edges), pipelines: planned }
}

function planReceivers(
  { receivers }: Configuration,
  pipelines: readonly PipelineConfiguration[],
  faults: Fault[],
): ReceiverNode[] {
  return gather(pipelines, 'receivers', receivers, faults).map(use => ({
    kind: 'receiver',
    key: `receiver:${use.configured.id}`,
    ...use,
  }))
}

function planExporters(
  { exporters }: Configuration,
  pipelines: readonly PipelineConfiguration[],
  faults: Fault[],
): ExporterNode[] {
  return gather(pipelines, 'exporters', exporters, faults).map(use => ({
    kind: 'exporter',
    key: `exporter:${use.configured.id}`,
    ...use,
  }))
}

function planProcessors(
  { processors }: Configuration,
  pipelines: readonly PipelineConfiguration[],
  faults: Fault[],
): ProcessorNode[] {
  const nodes: ProcessorNode[] = []
  for (const pipeline of pipelines) {
    const signal = pipeline.id.signal
    for (const reference of pipeline.processors) {
      const configured = processors.get(reference.id)!
      if (configured.definition.stability[signal] === undefined) {
        faults.push(unsupported(reference, `processor, in pipeline "${pipeline.id}"`))
      }
      const key = `processor:${reference.id}:${pipeline.id}`
      nodes.push({ kind: 'processor', key, configured, signals: [signal], pipelines: [pipeline.id.toString()] })
    }
  }
  return nodes
}

interface Use<D extends Definition> {
  readonly configured: Configured<D>
  readonly signals: readonly Signal[]
  readonly pipelines: readonly string[]
}

/** The receivers or exporters that some pipeline mentions, each once; connectors are left to others. */
function gather<D extends Definition & { readonly stability: { readonly [S in Signal]?: unknown } }>(
  pipelines: readonly PipelineConfiguration[],
  place: 'receivers' | 'exporters',
  components: ReadonlyMap<string, Configured<D>>,
  faults: Fault[],
): Use<D>[] {
  const uses = new Map<string, { configured: Configured<D>; signals: Set<Signal>; pipelines: string[] }>()
  for (const pipeline of pipelines) {
    for (const reference of pipeline[place]) {
      const configured = components.get(reference.id)
      if (configured === undefined) continue
      let use = uses.get(reference.id)
      if (use === undefined) {
        use = { configured, signals: new Set(), pipelines: [] }
        uses.set(reference.id, use)
      }
      const { signal } = pipeline.id
      if (!use.signals.has(signal) && configured.definition.stability[signal] === undefined) {
        faults.push(unsupported(reference, `${configured.definition.kind} for data type "${signal}"`))
      }
      use.signals.add(signal)
      if (!use.pipelines.includes(pipeline.id.toString())) use.pipelines.push(pipeline.id.toString())
    }
  }
  return [...uses.values()].map(use => ({ ...use, signals: SIGNALS.filter(signal => use.signals.has(signal)) }))
}

/** The way through one pipeline: ids become keys of nodes, a connector becomes its instances on this side. */
function route(pipeline: PipelineConfiguration, connectors: readonly ConnectorNode[]): PlannedPipeline {
  const id = pipeline.id.toString()
  const mentioned = (references: readonly Reference[], kind: 'receiver' | 'exporter', side: 'inputs' | 'outputs') =>
    unique(references).flatMap(reference => {
      const ends = connectors.filter(node => node.configured.id.toString() === reference.id)
      if (ends.length === 0) return [`${kind}:${reference.id}`]
      return ends.filter(node => node[side].includes(id)).map(node => node.key)
    })
  return {
    id: pipeline.id,
    sources: mentioned(pipeline.receivers, 'receiver', 'outputs'),
    processors: pipeline.processors.map(reference => `processor:${reference.id}:${id}`),
    targets: mentioned(pipeline.exporters, 'exporter', 'inputs'),
  }
}

/** A component mentioned twice at one end of a pipeline is wired once, as in the Collector. */
function unique(references: readonly Reference[]): Reference[] {
  return [...new Map(references.map(reference => [reference.id, reference])).values()]
}

function unsupported(reference: Reference, what: string): Fault {
  const message = `failed to create "${reference.id}" ${what}: telemetry type is not supported`
  return { path: '', message, code: 'unsupported-signal', ...originOf(reference) }
}

function originOf(of: { readonly origin: Fault['origin'] | undefined }): Pick<Fault, 'origin'> {
  return of.origin === undefined ? {} : { origin: of.origin }
}
