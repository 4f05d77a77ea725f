import type { Warning } from '#core/config'
import { type Plan, SECTIONS } from '#core/pipeline'

/** Components that are configured and never run. The Collector says nothing about them. */
export function* unusedComponents({ configuration, components, extensions }: Plan): Iterable<Warning> {
  const used = new Set([...components, ...extensions].map(({ kind, configured }) => `${kind}:${configured.id}`))
  for (const [kind, section] of Object.entries(SECTIONS)) {
    for (const { id, origin } of configuration[section].values()) {
      if (used.has(`${kind}:${id}`)) continue
      const where = kind === 'extension' ? 'is not listed in service::extensions' : 'is not used by any pipeline'
      yield {
        level: 'warn',
        message: `${kind} "${id}" ${where}, so it does not run`,
        path: `${section}::${id}`,
        code: 'unused-component',
        ...(origin && { origin }),
      }
    }
  }
}
