import { list, MessageType, many, nested, one, oneof } from './message-type.ts'
import { keyValueMessage, resourceMessage, scopeMessage } from './tables-common.ts'

/** `opentelemetry.proto.metrics.v1.Exemplar`. */
export const exemplarMessage: MessageType = new MessageType('Exemplar', () => [
  list(7, 'filteredAttributes', keyValueMessage),
  one(2, 'timeUnixNano', 'fixed64'),
  ...oneof('value', [one(3, 'asDouble', 'double'), one(6, 'asInt', 'sfixed64')]),
  one(4, 'spanId', 'id'),
  one(5, 'traceId', 'id'),
])

/** `opentelemetry.proto.metrics.v1.NumberDataPoint`. */
export const numberDataPointMessage: MessageType = new MessageType('NumberDataPoint', () => [
  list(7, 'attributes', keyValueMessage),
  one(2, 'startTimeUnixNano', 'fixed64'),
  one(3, 'timeUnixNano', 'fixed64'),
  ...oneof('value', [one(4, 'asDouble', 'double'), one(6, 'asInt', 'sfixed64')]),
  list(5, 'exemplars', exemplarMessage),
  one(8, 'flags', 'uint32'),
])

/** `opentelemetry.proto.metrics.v1.HistogramDataPoint`. */
export const histogramDataPointMessage: MessageType = new MessageType('HistogramDataPoint', () => [
  list(9, 'attributes', keyValueMessage),
  one(2, 'startTimeUnixNano', 'fixed64'),
  one(3, 'timeUnixNano', 'fixed64'),
  one(4, 'count', 'fixed64'),
  one(5, 'sum', 'double'),
  many(6, 'bucketCounts', 'fixed64'),
  many(7, 'explicitBounds', 'double'),
  list(8, 'exemplars', exemplarMessage),
  one(10, 'flags', 'uint32'),
  one(11, 'min', 'double'),
  one(12, 'max', 'double'),
])

/** `opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets`. */
export const bucketsMessage: MessageType = new MessageType('Buckets', () => [
  one(1, 'offset', 'sint32'),
  many(2, 'bucketCounts', 'uint64'),
])

/** `opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint`. */
export const exponentialHistogramDataPointMessage: MessageType = new MessageType(
  'ExponentialHistogramDataPoint',
  () => [
    list(1, 'attributes', keyValueMessage),
    one(2, 'startTimeUnixNano', 'fixed64'),
    one(3, 'timeUnixNano', 'fixed64'),
    one(4, 'count', 'fixed64'),
    one(5, 'sum', 'double'),
    one(6, 'scale', 'sint32'),
    one(7, 'zeroCount', 'fixed64'),
    nested(8, 'positive', bucketsMessage),
    nested(9, 'negative', bucketsMessage),
    one(10, 'flags', 'uint32'),
    list(11, 'exemplars', exemplarMessage),
    one(12, 'min', 'double'),
    one(13, 'max', 'double'),
    one(14, 'zeroThreshold', 'double'),
  ],
)

/** `opentelemetry.proto.metrics.v1.SummaryDataPoint.ValueAtQuantile`. */
export const valueAtQuantileMessage: MessageType = new MessageType('ValueAtQuantile', () => [
  one(1, 'quantile', 'double'),
  one(2, 'value', 'double'),
])

/** `opentelemetry.proto.metrics.v1.SummaryDataPoint`. */
export const summaryDataPointMessage: MessageType = new MessageType('SummaryDataPoint', () => [
  list(7, 'attributes', keyValueMessage),
  one(2, 'startTimeUnixNano', 'fixed64'),
  one(3, 'timeUnixNano', 'fixed64'),
  one(4, 'count', 'fixed64'),
  one(5, 'sum', 'double'),
  list(6, 'quantileValues', valueAtQuantileMessage),
  one(8, 'flags', 'uint32'),
])

/** `opentelemetry.proto.metrics.v1.Gauge`. */
export const gaugeMessage: MessageType = new MessageType('Gauge', () => [list(1, 'dataPoints', numberDataPointMessage)])

/** `opentelemetry.proto.metrics.v1.Sum`. */
export const sumMessage: MessageType = new MessageType('Sum', () => [
  list(1, 'dataPoints', numberDataPointMessage),
  one(2, 'aggregationTemporality', 'enum'),
  one(3, 'isMonotonic', 'bool'),
])

/** `opentelemetry.proto.metrics.v1.Histogram`. */
export const histogramMessage: MessageType = new MessageType('Histogram', () => [
  list(1, 'dataPoints', histogramDataPointMessage),
  one(2, 'aggregationTemporality', 'enum'),
])

/** `opentelemetry.proto.metrics.v1.ExponentialHistogram`. */
export const exponentialHistogramMessage: MessageType = new MessageType('ExponentialHistogram', () => [
  list(1, 'dataPoints', exponentialHistogramDataPointMessage),
  one(2, 'aggregationTemporality', 'enum'),
])

/** `opentelemetry.proto.metrics.v1.Summary`. */
export const summaryMessage: MessageType = new MessageType('Summary', () => [
  list(1, 'dataPoints', summaryDataPointMessage),
])

/** `opentelemetry.proto.metrics.v1.Metric`. */
export const metricMessage: MessageType = new MessageType('Metric', () => [
  one(1, 'name', 'string'),
  one(2, 'description', 'string'),
  one(3, 'unit', 'string'),
  ...oneof('data', [
    nested(5, 'gauge', gaugeMessage),
    nested(7, 'sum', sumMessage),
    nested(9, 'histogram', histogramMessage),
    nested(10, 'exponentialHistogram', exponentialHistogramMessage),
    nested(11, 'summary', summaryMessage),
  ]),
  list(12, 'metadata', keyValueMessage),
])

/** `opentelemetry.proto.metrics.v1.ScopeMetrics`. */
export const scopeMetricsMessage: MessageType = new MessageType('ScopeMetrics', () => [
  nested(1, 'scope', scopeMessage),
  list(2, 'metrics', metricMessage),
  one(3, 'schemaUrl', 'string'),
])

/** `opentelemetry.proto.metrics.v1.ResourceMetrics`. */
export const resourceMetricsMessage: MessageType = new MessageType('ResourceMetrics', () => [
  nested(1, 'resource', resourceMessage),
  list(2, 'scopeMetrics', scopeMetricsMessage),
  one(3, 'schemaUrl', 'string'),
])

/** `opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest`, equal on the wire to `MetricsData`. */
export const metricsMessage: MessageType = new MessageType('ExportMetricsServiceRequest', () => [
  list(1, 'resourceMetrics', resourceMetricsMessage),
])
