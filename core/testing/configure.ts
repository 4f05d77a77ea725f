import { ConfigError, check, fromPlain, type Schema } from '#core/config'

/**
 * What a component receives when `written` stands under its id in a configuration: defaults filled in, units converted.
 * @throws {ConfigError} with every fault
 */
export function configure<C>(schema: Schema<C>, written: unknown = {}): C {
  const checked = check(schema, fromPlain(written))
  if (checked.faults !== undefined) throw new ConfigError(checked.faults)
  return checked.value
}
