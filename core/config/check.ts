import { Checker } from './checker.ts'
import type { Fault, Warning } from './fault.ts'
import { type ConfigNode, NullNode } from './node.ts'
import type { Origin } from './origin.ts'
import type { Schema } from './schema.ts'

/** A value that its component can rely on, or everything that is wrong with what was written. */
export type Checked<T> =
  | { readonly value: T; readonly faults?: undefined; readonly warnings: readonly Warning[] }
  | { readonly value?: undefined; readonly faults: readonly Fault[]; readonly warnings: readonly Warning[] }

export interface CheckOptions {
  /** Where to place faults about what is missing when there is no node to point at. */
  readonly origin?: Origin
}

/**
 * Holds what was written against a schema and turns it into what the component receives: durations in milliseconds,
 * sizes in bytes, defaults filled in, sections switched on or off. The rules are the Collector's decoder's
 * (`confmap/internal/decoder.go`): no conversion between types, unknown keys are faults, strings receive the source
 * text of a reference, a single string where a list is wanted is split at commas, a key with nothing after it keeps the
 * defaults.
 *
 * ajv has no part in it: the same declarations are JSON Schema ({@link jsonSchema}), and a test holds the two against
 * each other; but compiling them costs some 7 ms a component at start, and faults need positions and the words of users.
 *
 * @param node what was written; `undefined` and null mean nothing was
 * @param path of `node` in the whole configuration, for faults
 * @returns the value, deeply frozen, or all faults
 */
export function check<T>(
  schema: Schema<T>,
  node: ConfigNode | undefined,
  path: readonly string[] = [],
  options: CheckOptions = {},
): Checked<T> {
  const checker = new Checker()
  const value = checker.option(schema, node ?? new NullNode(options.origin), path, options.origin)
  const { faults, warnings } = checker
  return faults.length > 0 ? { faults, warnings } : { value: value as T, warnings }
}
