export { formatBytes, InvalidBytes, parseBytes } from './bytes.ts'
export { type Checked, type CheckOptions, check } from './check.ts'
export { formatDuration, InvalidDuration, parseDuration } from './duration.ts'
export { removeFromYaml } from './edit-yaml.ts'
export { type Environment, processEnvironment } from './environment.ts'
export { type Excerpt, formatExcerpt } from './excerpt.ts'
export {
  ConfigError,
  type Fault,
  formatFault,
  joinPath,
  type Stage,
  sortFaults,
  visible,
  type Warning,
} from './fault.ts'
export type { DiagnosticCode } from './fault-code.ts'
export { type JsonSchemaObject, type JsonSchemaOptions, jsonSchema } from './json-schema.ts'
export { splitKeys } from './merge.ts'
export { nearest } from './nearest.ts'
export {
  type ConfigNode,
  fromPlain,
  ListNode,
  type MapEntry,
  MapNode,
  NullNode,
  ScalarNode,
  type ScalarValue,
  toPlain,
} from './node.ts'
export { optionTable } from './option-table.ts'
export { compareOrigins, formatOrigin, type Origin } from './origin.ts'
export { placeFaults } from './place-faults.ts'
export type { FetchAnswer, Provider, ProviderContext } from './provider.ts'
export { readTextFile } from './read-text.ts'
export { isCredentialName, REDACTED, redactUrls } from './redacted.ts'
export { type Resolved, type ResolveOptions, resolve } from './resolve.ts'
export { type Retrieved, retrievedFromYaml, retrievedText } from './retrieved.ts'
export { type Option, type Schema, type Static, t, type Written } from './schema.ts'
export { elementOf, kindOf, optionsOf } from './schema-kind.ts'
export { sentences } from './sentences.ts'
export { type Secrecy, SourceText, SourceTexts } from './source-text.ts'
export { type JsonFault, type JsonValidator, validateJson } from './validate-json.ts'
export type { Bytes, Duration, Reference, WrittenHeaders } from './written.ts'
export { redactSchema, type WrittenFormOptions, writtenForm } from './written-form.ts'
export { parseYaml, parseYamlLoosely, parseYamlNode, YamlError } from './yaml-parse.ts'
export { printJson, printYaml, stringifyYaml, type YamlPrintOptions } from './yaml-print.ts'
