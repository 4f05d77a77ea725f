import type { Component, Route } from '#core/component'
import { nameOf } from './guard.ts'
import type { PlanNode } from './planned.ts'

/** What a component of each kind must be able to do: one of these. */
const METHODS = {
  receiver: [],
  processor: ['transform', 'consume'],
  exporter: ['consume'],
  connector: ['consume'],
  extension: [],
} as const

/** @throws {TypeError} when what `create` returned is no component of its kind */
export function assertComponent(created: Component, { kind }: PlanNode): Component {
  const value: unknown = created
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`create returned ${nameOf(value)}, not a component`)
  const methods: readonly string[] = METHODS[kind]
  if (methods.length > 0 && !methods.some(name => has(value, [name], 'function'))) {
    throw new TypeError(`create returned a component without ${methods.join(' or ')}`)
  }
  for (const name of ['start', 'shutdown']) {
    if (Reflect.get(value, name) !== undefined && !has(value, [name], 'function')) {
      throw new TypeError(`create returned a component whose ${name} is not a function`)
    }
  }
  return created
}

/** @throws {TypeError} when a component offers routes or readiness parts that are none */
export function assertContributions({ routes = [], readiness = [] }: Component): void {
  const isRoute = (one: unknown) =>
    has(one, ['method', 'path'], 'string') && has(one, ['handle'], 'function') && (one as Route).path.startsWith('/')
  const isPart = (one: unknown) => has(one, ['name'], 'string') && has(one, ['read'], 'function')
  if (!Array.isArray(routes) || !routes.every(isRoute)) {
    throw new TypeError('its routes are not a list of method, path and handle')
  }
  if (!Array.isArray(readiness) || !readiness.every(isPart)) {
    throw new TypeError('its readiness is not a list of name and read')
  }
}

function has(value: unknown, names: readonly string[], type: string): boolean {
  return typeof value === 'object' && value !== null && names.every(name => typeof Reflect.get(value, name) === type)
}
