import { fileURLToPath } from 'node:url'
import { type Environment, fromPlain, type Retrieved, retrievedFromYaml } from '#core/config'
import type { Sources } from '#core/service'

/** Where a configuration comes from: a URL, a text, or an object with the keys of the YAML. See {@link sourcesOf}. */
export type ConfigSource = string | URL | object

/**
 * Reads what a program may give as its configuration. A text with a line break, or that begins with `{`, is YAML;
 * any other text is a path or URI as `--config` takes it.
 */
export function sourcesOf(config: ConfigSource, env: Environment | undefined, quiet: boolean): Sources {
  const base = `yaml:${JSON.stringify({ service: { telemetry: defaults(quiet) } })}`
  const more = env === undefined ? {} : { env }
  if (config instanceof URL) return { ...more, sources: [base, uriOf(config)] }
  if (typeof config === 'string' && !/\n|^\s*\{/.test(config)) return { ...more, sources: [base, config] }
  const providers = { program: () => retrievedFrom(config) }
  return { ...more, sources: [base, 'program:config'], resolve: { providers } }
}

/** Faults of a text are told with line and column, those of an object by path only. */
function retrievedFrom(config: string | object): Retrieved {
  if (typeof config === 'string') return retrievedFromYaml(config, 'config')
  return { node: fromPlain(written(config)), text: undefined }
}

/** Without keys whose value is `undefined`: they are not written, while a key with nothing after it is. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.map(([key, each]) => [key, written(each)]))
}

/**
 * A program that embeds a collector has a log and perhaps a metrics page of its own: none is opened unless the
 * configuration asks for it, and what goes as it should is not worth a line.
 */
function defaults(quiet: boolean): object {
  const logs = quiet ? { level: 'info', output_paths: [] } : { level: 'warn' }
  return { logs, metrics: { readers: [{}] } }
}

function uriOf(url: URL): string {
  return url.protocol === 'file:' ? `file:${fileURLToPath(url)}` : url.href
}
