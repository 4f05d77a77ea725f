import { counter, gauge } from '#core/component'

/** Label beside the ones given here: `processor`. */
export const agentGatewayInstruments = {
  reparentedSpans: counter({
    name: 'otelcol_processor_agent_gateway_reparented_spans',
    unit: '{span}',
    description: 'Spans that were given another parent, or made the root, by reason.',
    labels: ['reason'],
  }),
  joinedTraces: counter({
    name: 'otelcol_processor_agent_gateway_joined_traces',
    unit: '{trace}',
    description: 'Traces that became part of another one, by what they have in common.',
    labels: ['by'],
  }),
  doubleSpans: counter({
    name: 'otelcol_processor_agent_gateway_double_spans',
    unit: '{span}',
    description: 'Built-in spans that tell of the same work as a span of the tracing plugin: dropped or marked.',
  }),
  droppedPoints: counter({
    name: 'otelcol_processor_agent_gateway_dropped_points',
    unit: '{datapoint}',
    description: 'Data points dropped because another series tells the same, by reason.',
    labels: ['reason'],
  }),
  redactions: counter({
    name: 'otelcol_processor_agent_gateway_redactions',
    unit: '{redaction}',
    description: 'Bodies and attributes taken out, by kind.',
    labels: ['kind'],
  }),
  earlySpans: counter({
    name: 'otelcol_processor_agent_gateway_early_spans',
    unit: '{span}',
    description: 'Spans that left before their window was over because too much was waiting.',
  }),
  lateSpans: counter({
    name: 'otelcol_processor_agent_gateway_late_spans',
    unit: '{span}',
    description: 'Spans that came after others of their trace had left.',
  }),
  waitingSpans: gauge({
    name: 'otelcol_processor_agent_gateway_waiting_spans',
    unit: '{span}',
    description: 'Spans that wait for others of their trace.',
  }),
  waitingTraces: gauge({
    name: 'otelcol_processor_agent_gateway_waiting_traces',
    unit: '{trace}',
    description: 'Traces of which spans wait.',
  }),
} as const
