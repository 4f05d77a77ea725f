import { counter } from '#core/component'

/** Label beside those given here: `connector`. */
export const detectionsInstruments = {
  examined: counter({
    name: 'otelcol_connector_agent_gateway_detections_examined',
    unit: '{item}',
    description: 'Number of spans and log records that rules were applied to.',
    labels: ['signal'],
  }),
  raised: counter({
    name: 'otelcol_connector_agent_gateway_detections_raised',
    unit: '{record}',
    description: 'Number of security records raised.',
    labels: ['rule', 'severity'],
  }),
  duplicates: counter({
    name: 'otelcol_connector_agent_gateway_detections_duplicates',
    unit: '{record}',
    description: 'Number of findings that had been raised before.',
  }),
  passed: counter({
    name: 'otelcol_connector_agent_gateway_detections_passed',
    unit: '{record}',
    description: "Number of the gateway's own security records handed on.",
  }),
} as const
