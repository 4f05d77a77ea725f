import { list, MessageType, many, nested, one, oneof } from './message-type.ts'

/** `opentelemetry.proto.common.v1.AnyValue`. */
export const anyValueMessage: MessageType = new MessageType('AnyValue', () =>
  oneof('value', [
    one(1, 'stringValue', 'string'),
    one(2, 'boolValue', 'bool'),
    one(3, 'intValue', 'int64'),
    one(4, 'doubleValue', 'double'),
    nested(5, 'arrayValue', arrayValueMessage),
    nested(6, 'kvlistValue', keyValueListMessage),
    one(7, 'bytesValue', 'bytes'),
    one(8, 'stringValueStrindex', 'int32'),
  ]),
)

/** `opentelemetry.proto.common.v1.ArrayValue`. */
export const arrayValueMessage: MessageType = new MessageType('ArrayValue', () => [list(1, 'values', anyValueMessage)])

/** `opentelemetry.proto.common.v1.KeyValue`. */
export const keyValueMessage: MessageType = new MessageType('KeyValue', () => [
  one(1, 'key', 'string'),
  nested(2, 'value', anyValueMessage),
  one(3, 'keyStrindex', 'int32'),
])

/** `opentelemetry.proto.common.v1.KeyValueList`. */
export const keyValueListMessage: MessageType = new MessageType('KeyValueList', () => [
  list(1, 'values', keyValueMessage),
])

/** `opentelemetry.proto.common.v1.InstrumentationScope`. */
export const scopeMessage: MessageType = new MessageType('InstrumentationScope', () => [
  one(1, 'name', 'string'),
  one(2, 'version', 'string'),
  list(3, 'attributes', keyValueMessage),
  one(4, 'droppedAttributesCount', 'uint32'),
])

/** `opentelemetry.proto.common.v1.EntityRef`. */
export const entityRefMessage: MessageType = new MessageType('EntityRef', () => [
  one(1, 'schemaUrl', 'string'),
  one(2, 'type', 'string'),
  many(3, 'idKeys', 'string'),
  many(4, 'descriptionKeys', 'string'),
])

/** `opentelemetry.proto.resource.v1.Resource`. */
export const resourceMessage: MessageType = new MessageType('Resource', () => [
  list(1, 'attributes', keyValueMessage),
  one(2, 'droppedAttributesCount', 'uint32'),
  list(3, 'entityRefs', entityRefMessage),
])
