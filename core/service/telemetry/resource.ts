import { randomUUID } from 'node:crypto'
import { hostname, release, type } from 'node:os'
import { basename } from 'node:path'
import type { BuildInfo, Labels } from '#core/component'

const DETECTION = 'detection/development'

/**
 * The attributes of the collector itself: `service.name`, `service.version`, `service.instance.id` and what
 * `service::telemetry::resource` adds, replaces or, with `null`, removes. Takes the map form and the declarative form
 * (`attributes: [{ name, value }]`, `schema_url`, `detection/development`), also side by side.
 */
export function ownResource(build: BuildInfo, configured: Readonly<Record<string, unknown>>): Labels {
  const resource: Record<string, string> = {
    ...detected(configured[DETECTION]),
    'service.name': build.command,
    'service.version': build.version,
    'service.instance.id': randomUUID(),
  }
  for (const [name, value] of entries(configured)) {
    if (value === null) delete resource[name]
    else resource[name] = typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return resource
}

function* entries(configured: Readonly<Record<string, unknown>>): Iterable<readonly [string, unknown]> {
  const { attributes } = configured
  const declarative = Array.isArray(attributes)
  for (const entry of Object.entries(configured)) {
    const reserved = entry[0] === DETECTION || (declarative && ['attributes', 'schema_url'].includes(entry[0]))
    if (!reserved) yield entry
  }
  if (!declarative) return
  for (const { name, value } of attributes as { name?: unknown; value?: unknown }[]) yield [String(name), value]
}

/** What the named detectors find out; those that have nothing to tell here are passed over. */
function detected(section: unknown): Labels {
  const detectors = (section as { detectors?: readonly object[] } | null | undefined)?.detectors
  if (!Array.isArray(detectors)) return {}
  const names = detectors.flatMap(detector => Object.keys((detector ?? {}) as object))
  return Object.assign({}, ...names.map(name => (name in DETECTORS ? DETECTORS[name]!() : {})))
}

const DETECTORS: Readonly<Record<string, () => Labels>> = {
  host: () => ({ 'host.name': hostname(), 'host.arch': process.arch }),
  os: () => ({ 'os.type': process.platform, 'os.description': `${type()} ${release()}` }),
  process: () => ({
    'process.pid': String(process.pid),
    'process.executable.name': basename(process.execPath),
    'process.executable.path': process.execPath,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
  }),
}
