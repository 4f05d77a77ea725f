import type { Labels, Ledger, LogFields, PipelineContext } from '#core/component'
import type { PlanNode } from './planned.ts'
import type { Running } from './running.ts'
import type { GraphServices } from './services.ts'
import type { SharedStates } from './shared-states.ts'

/** What a component is given when it is created. */
export function contextFor(running: Running, services: GraphServices, states: SharedStates): PipelineContext {
  const { node } = running
  let ledger: Ledger | undefined
  return {
    id: node.configured.id,
    build: services.build,
    clock: services.clock,
    logger: services.logger(logFields(node)),
    meter: services.meter(meterLabels(node)),
    tracer: services.tracer(node.configured.id.toString()),
    get ledger() {
      ledger ??= services.ledger.component(running.instance)
      return ledger
    },
    signals: node.signals,
    get pipelines() {
      return running.instance.pipelines
    },
    report: (status, error) => services.report(running.instance, status, asError(error)),
    shared: create => states.use(node.configured, running, create),
  }
}

/** The fields that the Collector adds to a component's log lines. */
export function logFields(node: PlanNode): LogFields {
  return {
    'otelcol.component.id': node.configured.id.toString(),
    'otelcol.component.kind': node.kind,
    ...(node.kind === 'processor' ? { 'otelcol.pipeline.id': node.pipelines[0]! } : {}),
    ...(node.kind === 'processor' || node.kind === 'connector' ? { 'otelcol.signal': node.signals[0] } : {}),
    ...(node.kind === 'connector' ? { 'otelcol.signal.output': node.signals[1] } : {}),
  }
}

function meterLabels(node: PlanNode): Labels {
  return { [node.kind]: node.configured.id.toString() }
}

/** Consumers of status events read its message. */
function asError(error: unknown): Error | undefined {
  return error === undefined || error instanceof Error ? error : new Error(String(error))
}
