import type { Fault } from '#core/config'
import { SIGNALS, type Signal } from '#core/data'
import type { Configuration, PipelineConfiguration, Reference } from './configuration.ts'
import type { ConnectorNode } from './planned.ts'

/**
 * The instances of each connector: one for every pair of signals that it supports and that pipelines ask of it. A use
 * at one end without a supported use at the other is a fault, as in the Collector.
 */
export function planConnectors(configuration: Configuration, faults: Fault[]): ConnectorNode[] {
  const nodes: ConnectorNode[] = []
  for (const [id, configured] of configuration.connectors) {
    const taking = usesOf(configuration, id, 'exporters')
    const giving = usesOf(configuration, id, 'receivers')
    const supported = { taken: new Set<Signal>(), given: new Set<Signal>() }
    for (const from of taking.keys()) {
      for (const to of giving.keys()) {
        if (configured.definition.stability[from]?.[to] === undefined) continue
        supported.taken.add(from)
        supported.given.add(to)
        const inputs = taking.get(from)!.map(use => use.pipeline)
        const outputs = giving.get(to)!.map(use => use.pipeline)
        const pipelines = [...new Set([...inputs, ...outputs])]
        const key = `connector:${id}:${from}>${to}`
        nodes.push({ kind: 'connector', key, configured, signals: [from, to], inputs, outputs, pipelines })
      }
    }
    report(id, taking, supported.taken, 'exporter', 'receiver', faults)
    report(id, giving, supported.given, 'receiver', 'exporter', faults)
  }
  return nodes
}

interface Use {
  readonly pipeline: string
  readonly reference: Reference
}
type Uses = ReadonlyMap<Signal, readonly Use[]>

/** The pipelines that mention the connector at one end, by signal. */
function usesOf({ pipelines }: Configuration, id: string, place: 'receivers' | 'exporters'): Uses {
  const find = (pipeline: PipelineConfiguration) => pipeline[place].find(reference => reference.id === id)
  const uses = [...pipelines.values()].flatMap(pipeline => {
    const reference = find(pipeline)
    return reference === undefined ? [] : [{ signal: pipeline.id.signal, pipeline: pipeline.id.toString(), reference }]
  })
  const bySignal = SIGNALS.map(signal => [signal, uses.filter(use => use.signal === signal)] as const)
  return new Map(bySignal.filter(([, found]) => found.length > 0))
}

function report(id: string, uses: Uses, supported: Set<Signal>, as: string, missing: string, faults: Fault[]): void {
  for (const [signal, found] of uses) {
    if (supported.has(signal)) continue
    const pipelines = found.map(use => use.pipeline).join(' ')
    const message = `connector "${id}" used as ${as} in [${pipelines}] pipeline but not used in any supported ${missing} pipeline`
    const { origin } = found[0]!.reference
    faults.push({ path: '', message, code: 'one-ended-connector', ...(origin === undefined ? {} : { origin }) })
  }
}
