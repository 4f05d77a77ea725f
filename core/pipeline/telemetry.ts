import { counter } from '#core/component'

const COMPONENT = ['otelcol_component_id', 'otelcol_component_kind', 'otelcol_signal', 'otelcol_component_outcome']
const IN_PIPELINE = [...COMPONENT, 'otelcol_pipeline_id']
const BETWEEN_SIGNALS = [...COMPONENT, 'otelcol_signal_output']

/**
 * What the graph counts at the edges of each kind of component. The outcome is `success`, `failure` when the next
 * component failed, `refused` when one further down did.
 */
export const edgeInstruments = {
  receiverProduced: counter({
    name: 'otelcol_receiver_produced_items',
    unit: '{item}',
    description: 'Items that the receiver handed to its pipelines.',
    labels: COMPONENT,
  }),
  processorConsumed: counter({
    name: 'otelcol_processor_consumed_items',
    unit: '{item}',
    description: 'Items handed to the processor.',
    labels: IN_PIPELINE,
  }),
  processorProduced: counter({
    name: 'otelcol_processor_produced_items',
    unit: '{item}',
    description: 'Items that the processor handed on.',
    labels: IN_PIPELINE,
  }),
  connectorConsumed: counter({
    name: 'otelcol_connector_consumed_items',
    unit: '{item}',
    description: 'Items handed to the connector.',
    labels: BETWEEN_SIGNALS,
  }),
  connectorProduced: counter({
    name: 'otelcol_connector_produced_items',
    unit: '{item}',
    description: 'Items that the connector handed on.',
    labels: BETWEEN_SIGNALS,
  }),
  exporterConsumed: counter({
    name: 'otelcol_exporter_consumed_items',
    unit: '{item}',
    description: 'Items handed to the exporter.',
    labels: COMPONENT,
  }),
  processorIncoming: counter({
    name: 'otelcol_processor_incoming_items',
    unit: '{item}',
    description: 'Items passed to the processor, whatever became of them.',
    labels: ['processor', 'otel_signal'],
  }),
  processorOutgoing: counter({
    name: 'otelcol_processor_outgoing_items',
    unit: '{item}',
    description: 'Items that came out of the processor, whatever became of them.',
    labels: ['processor', 'otel_signal'],
  }),
}
