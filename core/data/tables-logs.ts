import { list, MessageType, nested, one } from './message-type.ts'
import { anyValueMessage, keyValueMessage, resourceMessage, scopeMessage } from './tables-common.ts'

/** `opentelemetry.proto.logs.v1.LogRecord`. */
export const logRecordMessage: MessageType = new MessageType('LogRecord', () => [
  one(1, 'timeUnixNano', 'fixed64'),
  one(11, 'observedTimeUnixNano', 'fixed64'),
  one(2, 'severityNumber', 'enum'),
  one(3, 'severityText', 'string'),
  nested(5, 'body', anyValueMessage),
  list(6, 'attributes', keyValueMessage),
  one(7, 'droppedAttributesCount', 'uint32'),
  one(8, 'flags', 'fixed32'),
  one(9, 'traceId', 'id'),
  one(10, 'spanId', 'id'),
  one(12, 'eventName', 'string'),
])

/** `opentelemetry.proto.logs.v1.ScopeLogs`. */
export const scopeLogsMessage: MessageType = new MessageType('ScopeLogs', () => [
  nested(1, 'scope', scopeMessage),
  list(2, 'logRecords', logRecordMessage),
  one(3, 'schemaUrl', 'string'),
])

/** `opentelemetry.proto.logs.v1.ResourceLogs`. */
export const resourceLogsMessage: MessageType = new MessageType('ResourceLogs', () => [
  nested(1, 'resource', resourceMessage),
  list(2, 'scopeLogs', scopeLogsMessage),
  one(3, 'schemaUrl', 'string'),
])

/** `opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest`, equal on the wire to `LogsData`. */
export const logsMessage: MessageType = new MessageType('ExportLogsServiceRequest', () => [
  list(1, 'resourceLogs', resourceLogsMessage),
])
