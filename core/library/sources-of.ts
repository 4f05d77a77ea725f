import { type Environment, retrievedFromYaml } from '#core/config'
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
  if (typeof config !== 'string') return { ...more, sources: [base], config }
  if (!/\n|^\s*\{/.test(config)) return { ...more, sources: [base, config] }
  const providers = { text: () => retrievedFromYaml(config, 'config') }
  return { ...more, sources: [base, 'text:config'], resolve: { providers } }
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
  return url.protocol === 'file:' ? `file:${decodeURIComponent(url.pathname)}` : url.href
}
