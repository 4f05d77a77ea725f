/**
 * The messages of a profile, as far as they are written here.
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto
 * @module
 */
import { type Field, type FieldKind, MessageType } from '#core/data'

function field(number: number, name: string, kind: FieldKind): Field {
  return { number, name, kind, repeated: false }
}

function message(number: number, name: string, type: MessageType): Field {
  return { number, name, kind: 'message', type, repeated: false }
}

function many(one: Field): Field {
  return { ...one, repeated: true }
}

const VALUE_TYPE = new MessageType('ValueType', () => [field(1, 'type', 'int64'), field(2, 'unit', 'int64')])

const SAMPLE = new MessageType('Sample', () => [
  many(field(1, 'locationId', 'uint64')),
  many(field(2, 'value', 'int64')),
])

const LINE = new MessageType('Line', () => [
  field(1, 'functionId', 'uint64'),
  field(2, 'line', 'int64'),
  field(3, 'column', 'int64'),
])

const LOCATION = new MessageType('Location', () => [field(1, 'id', 'uint64'), many(message(4, 'line', LINE))])

const FUNCTION = new MessageType('Function', () => [
  field(1, 'id', 'uint64'),
  field(2, 'name', 'int64'),
  field(3, 'systemName', 'int64'),
  field(4, 'filename', 'int64'),
  field(5, 'startLine', 'int64'),
])

/** A whole profile. Texts are numbers of places in `stringTable`, whose first entry is empty. */
export const PROFILE = new MessageType('Profile', () => [
  many(message(1, 'sampleType', VALUE_TYPE)),
  many(message(2, 'sample', SAMPLE)),
  many(message(4, 'location', LOCATION)),
  many(message(5, 'function', FUNCTION)),
  many(field(6, 'stringTable', 'string')),
  field(9, 'timeNanos', 'int64'),
  field(10, 'durationNanos', 'int64'),
  message(11, 'periodType', VALUE_TYPE),
  field(12, 'period', 'int64'),
])
