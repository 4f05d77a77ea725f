import { fieldsOf, listOf } from './fields.ts'
import { BUILT_IN_ID } from './identity.ts'

/**
 * Whether the configuration turns the gateway's own exporter on: its entry is enabled, no list keeps it out, and
 * plugins are not off altogether. It says what is configured; whether the package is installed (from 2026.5 on it is not
 * bundled) cannot be seen from a plugin.
 */
export function hasBuiltInExporter(config: unknown): boolean {
  const plugins = fieldsOf(fieldsOf(config).plugins)
  if (plugins.enabled === false) return false
  if (fieldsOf(fieldsOf(plugins.entries)[BUILT_IN_ID]).enabled !== true) return false
  if (listOf(plugins.deny).includes(BUILT_IN_ID)) return false
  return !Array.isArray(plugins.allow) || plugins.allow.length === 0 || plugins.allow.includes(BUILT_IN_ID)
}
