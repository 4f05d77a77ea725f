import { list, MessageType, nested, one } from './message-type.ts'
import { keyValueMessage, resourceMessage, scopeMessage } from './tables-common.ts'

/** `opentelemetry.proto.trace.v1.Span.Event`. */
export const spanEventMessage: MessageType = new MessageType('Event', () => [
  one(1, 'timeUnixNano', 'fixed64'),
  one(2, 'name', 'string'),
  list(3, 'attributes', keyValueMessage),
  one(4, 'droppedAttributesCount', 'uint32'),
])

/** `opentelemetry.proto.trace.v1.Span.Link`. */
export const spanLinkMessage: MessageType = new MessageType('Link', () => [
  one(1, 'traceId', 'id'),
  one(2, 'spanId', 'id'),
  one(3, 'traceState', 'string'),
  list(4, 'attributes', keyValueMessage),
  one(5, 'droppedAttributesCount', 'uint32'),
  one(6, 'flags', 'fixed32'),
])

/** `opentelemetry.proto.trace.v1.Status`. */
export const statusMessage: MessageType = new MessageType('Status', () => [
  one(2, 'message', 'string'),
  one(3, 'code', 'enum'),
])

/** `opentelemetry.proto.trace.v1.Span`. */
export const spanMessage: MessageType = new MessageType('Span', () => [
  one(1, 'traceId', 'id'),
  one(2, 'spanId', 'id'),
  one(3, 'traceState', 'string'),
  one(4, 'parentSpanId', 'id'),
  one(16, 'flags', 'fixed32'),
  one(5, 'name', 'string'),
  one(6, 'kind', 'enum'),
  one(7, 'startTimeUnixNano', 'fixed64'),
  one(8, 'endTimeUnixNano', 'fixed64'),
  list(9, 'attributes', keyValueMessage),
  one(10, 'droppedAttributesCount', 'uint32'),
  list(11, 'events', spanEventMessage),
  one(12, 'droppedEventsCount', 'uint32'),
  list(13, 'links', spanLinkMessage),
  one(14, 'droppedLinksCount', 'uint32'),
  nested(15, 'status', statusMessage),
])

/** `opentelemetry.proto.trace.v1.ScopeSpans`. */
export const scopeSpansMessage: MessageType = new MessageType('ScopeSpans', () => [
  nested(1, 'scope', scopeMessage),
  list(2, 'spans', spanMessage),
  one(3, 'schemaUrl', 'string'),
])

/** `opentelemetry.proto.trace.v1.ResourceSpans`. */
export const resourceSpansMessage: MessageType = new MessageType('ResourceSpans', () => [
  nested(1, 'resource', resourceMessage),
  list(2, 'scopeSpans', scopeSpansMessage),
  one(3, 'schemaUrl', 'string'),
])

/** `opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest`, equal on the wire to `TracesData`. */
export const tracesMessage: MessageType = new MessageType('ExportTraceServiceRequest', () => [
  list(1, 'resourceSpans', resourceSpansMessage),
])
