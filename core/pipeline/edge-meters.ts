import type { CounterDeclaration, Labels, Meter } from '#core/component'
import type { Signal } from '#core/data'
import type { EdgeMeter } from './link.ts'
import type { PlanNode } from './planned.ts'
import type { PipelineEntries } from './services.ts'
import { edgeInstruments } from './telemetry.ts'

/** Watches what is handed to a component. `signal` matters to receivers and exporters, which serve several. */
export function consumedBy(node: PlanNode, meter: Meter, signal: Signal): EdgeMeter[] {
  const labels = labelsOf(node, signal)
  switch (node.kind) {
    case 'processor':
      return [
        outcomes(meter, edgeInstruments.processorConsumed, labels),
        passing(meter, edgeInstruments.processorIncoming, processorLabels(node, signal)),
      ]
    case 'connector':
      return [outcomes(meter, edgeInstruments.connectorConsumed, labels)]
    case 'exporter':
      return [outcomes(meter, edgeInstruments.exporterConsumed, labels)]
    default:
      return []
  }
}

/** Watches what a component hands on. */
export function producedBy(node: PlanNode, meter: Meter, signal: Signal): EdgeMeter[] {
  const labels = labelsOf(node, signal)
  switch (node.kind) {
    case 'receiver':
      return [outcomes(meter, edgeInstruments.receiverProduced, labels)]
    case 'processor':
      return [
        outcomes(meter, edgeInstruments.processorProduced, labels),
        passing(meter, edgeInstruments.processorOutgoing, processorLabels(node, signal)),
      ]
    case 'connector':
      return [outcomes(meter, edgeInstruments.connectorProduced, labels)]
    default:
      return []
  }
}

/** Enters what comes into a pipeline, or an exporter, and what is given back. */
export function entering(ledger: Pick<PipelineEntries, 'received' | 'refused'>): EdgeMeter {
  return { begin: items => ledger.received(items), failed: items => ledger.refused(items) }
}

/** Enters what left a pipeline and was taken by everyone behind it. */
export function leaving(ledger: Pick<PipelineEntries, 'delivered'>): EdgeMeter {
  return { passed: items => ledger.delivered(items) }
}

function outcomes(meter: Meter, declaration: CounterDeclaration, labels: Labels): EdgeMeter {
  const bind = (outcome: string) =>
    meter.bind({ items: declaration }, { ...labels, otelcol_component_outcome: outcome }).items
  const success = bind('success')
  const bad = { refused: bind('refused'), failure: bind('failure') }
  return { passed: items => success.add(items), failed: (items, why) => bad[why].add(items) }
}

function passing(meter: Meter, declaration: CounterDeclaration, labels: Labels): EdgeMeter {
  const { items: all } = meter.bind({ items: declaration }, labels)
  return { begin: items => all.add(items) }
}

function labelsOf(node: PlanNode, signal: Signal): Labels {
  return {
    otelcol_component_id: node.configured.id.toString(),
    otelcol_component_kind: node.kind,
    otelcol_signal: node.kind === 'connector' ? node.signals[0] : signal,
    ...(node.kind === 'connector' ? { otelcol_signal_output: node.signals[1] } : {}),
    ...(node.kind === 'processor' ? { otelcol_pipeline_id: node.pipelines[0]! } : {}),
  }
}

function processorLabels(node: PlanNode, signal: Signal): Labels {
  return { processor: node.configured.id.toString(), otel_signal: signal }
}
