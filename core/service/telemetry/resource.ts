import { randomUUID } from 'node:crypto'
import type { BuildInfo, Labels } from '#core/component'

/**
 * The attributes of the collector itself: `service.name`, `service.version`, `service.instance.id` and what
 * `service::telemetry::resource` adds, replaces or, with `null`, removes. Takes the map form and the declarative form
 * (`attributes: [{ name, value }]`).
 */
export function ownResource(build: BuildInfo, configured: Readonly<Record<string, unknown>>): Labels {
  const resource: Record<string, string> = {
    'service.name': build.command,
    'service.version': build.version,
    'service.instance.id': randomUUID(),
  }
  for (const [name, value] of entries(configured)) {
    if (value === null) delete resource[name]
    else resource[name] = String(value)
  }
  return resource
}

function entries(configured: Readonly<Record<string, unknown>>): Iterable<readonly [string, unknown]> {
  const { attributes } = configured
  if (!Array.isArray(attributes)) return Object.entries(configured)
  return (attributes as { name?: unknown; value?: unknown }[]).map(a => [String(a.name), a.value] as const)
}
