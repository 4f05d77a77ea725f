import { isDeepStrictEqual } from 'node:util'
import type { Configured } from './configuration.ts'

/** Whether a component configured as `a` would be the same configured as `b`. */
export function sameConfigured(a: Configured, b: Configured): boolean {
  if (a === b) return true
  return a.definition === b.definition && a.id.toString() === b.id.toString() && isDeepStrictEqual(a.config, b.config)
}
