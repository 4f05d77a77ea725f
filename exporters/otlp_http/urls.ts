import type { Labels } from '#core/component'
import type { Signal } from '#core/data'

/** The option that names the URL of a signal by itself. */
export const ENDPOINT_KEYS = {
  traces: 'traces_endpoint',
  metrics: 'metrics_endpoint',
  logs: 'logs_endpoint',
  profiles: 'profiles_endpoint',
} as const satisfies Record<Signal, string>

const PATH = {
  traces: 'v1/traces',
  metrics: 'v1/metrics',
  logs: 'v1/logs',
  profiles: 'v1development/profiles',
} as const satisfies Record<Signal, string>

type Endpoints = { readonly [K in (typeof ENDPOINT_KEYS)[Signal] | 'endpoint']: string }

/**
 * Where a signal is posted: its own endpoint as it is, else the base with the specification's path appended.
 * @throws {Error} when neither is configured
 */
export function urlFor(signal: Signal, config: Endpoints): string {
  const own = config[ENDPOINT_KEYS[signal]]
  if (own !== '') return own
  if (config.endpoint === '') throw new Error(`either endpoint or ${ENDPOINT_KEYS[signal]} must be specified`)
  return `${config.endpoint}${config.endpoint.endsWith('/') ? '' : '/'}${PATH[signal]}`
}

/** The labels that tell the metrics of several destinations apart. */
export function serverLabels(url: string): Labels {
  const { hostname, port, protocol, pathname } = new URL(url)
  return {
    'server.address': hostname,
    'server.port': port || (protocol === 'https:' ? '443' : '80'),
    'url.path': pathname,
  }
}
