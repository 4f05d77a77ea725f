import type { Definition } from '#core/component'

/** Where the modules of the Go Collector and of its contributors' collection live. */
const KNOWN = /^(go\.opentelemetry\.io\/collector|github\.com\/open-telemetry\/opentelemetry-collector-contrib)\//

/** Whether a module belongs to the Go Collector, so that its name says what it does. */
export function isCollectorModule(gomod: string): boolean {
  return KNOWN.test(pathOf(gomod))
}

/**
 * What a module of the Go Collector is called without what it is: `otlp` for
 * `go.opentelemetry.io/collector/receiver/otlpreceiver v0.130.0`.
 * @param gomod path and version, as a manifest has them
 */
export function componentOf(gomod: string, kind: Definition['kind'] | 'provider'): string {
  const last = pathOf(gomod)
    .replace(/\/v\d+$/, '')
    .split('/')
    .at(-1)!
    .toLowerCase()
  return last.endsWith(kind) && last !== kind ? last.slice(0, -kind.length) : last
}

/** The one among `definitions` that does the same, by type or alias. Go has no underscores in names of modules. */
export function sameIn<D extends Definition>(name: string, definitions: readonly D[]): D | undefined {
  const plain = (word: string) => word.replaceAll('_', '')
  const wanted = [name, name.replace(/auth$/, '')]
  return wanted
    .map(one => definitions.find(({ type, aliases = [] }) => [type, ...aliases].some(each => plain(each) === one)))
    .find(one => one !== undefined)
}

function pathOf(gomod: string): string {
  return gomod.trim().split(/\s+/)[0] ?? ''
}
