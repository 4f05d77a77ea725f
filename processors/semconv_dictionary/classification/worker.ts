/**
 * The entry of a worker thread: reads what is too long to be read beside forwarding.
 * @module
 */
import type { Convention } from './convention.ts'
import { readPackageConventions } from './package-conventions.ts'
import { readRegistryConventions } from './registry-conventions.ts'

/** The standard. */
export function standard(): Convention[] {
  return readPackageConventions()
}

/** The registries at some paths. */
export function registries(paths: readonly string[]): Convention[] {
  return readRegistryConventions(paths)
}
