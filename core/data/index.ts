export { type AdmitOptions, type Admitted, admit, trust } from './admit.ts'
export { build, encode, encodeMessage, plainAttributes, plainValue } from './builder.ts'
export { DraftSealed } from './chunk-draft.ts'
export { openDraft } from './draft.ts'
export { type FlatAttributes, type FlatRecord, type FlatValue, flatRecords } from './flat-records.ts'
export { admitJson, fromJson } from './json-in.ts'
export { toJson, toJsonBytes } from './json-out.ts'
export { key } from './key.ts'
export { Malformed } from './malformed.ts'
export { isMergeable, merge } from './merge.ts'
export { type Field, type FieldKind, MessageType } from './message-type.ts'
export {
  decodePartialSuccess,
  encodePartialSuccess,
  type PartialSuccess,
  partialSuccessFromJson,
  partialSuccessToJson,
} from './partial-success.ts'
export * from './payload.ts'
export * from './plain.ts'
export * from './records.ts'
export * from './signal.ts'
export { type SplitLimits, split } from './split.ts'
export { REQUEST } from './tables.ts'
