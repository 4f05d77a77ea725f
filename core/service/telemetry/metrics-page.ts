import type { Clock, Logger } from '#core/component'
import { type HttpSettings, openServer } from '#core/net'

/** Where a Prometheus page is served. */
export interface PageAddress {
  readonly host: string
  readonly port: number
}

interface Page {
  /** `ip:port` with the real port. */
  readonly address: string
  close(): Promise<void>
}

const SECOND = 1000
const SETTINGS: HttpSettings = {
  maxBody: 1 << 16,
  encodings: new Set(['']),
  includeMetadata: false,
  responseHeaders: {},
  cors: undefined,
  authParameters: [],
  readTimeout: 10 * SECOND,
  readHeaderTimeout: 10 * SECOND,
  writeTimeout: 30 * SECOND,
  idleTimeout: 60 * SECOND,
  keepAlive: true,
}

/**
 * Serves `GET /metrics` in the Prometheus text format.
 * @throws when the address is taken: the sentence names it
 */
export async function openMetricsPage(
  at: PageAddress,
  text: () => Promise<{ readonly contentType: string; readonly body: string }>,
  deps: { readonly within?: object; readonly logger: Logger; readonly clock: Clock },
): Promise<Page> {
  const endpoint = at.host.includes(':') ? `[${at.host}]:${at.port}` : `${at.host}:${at.port}`
  const server = await openServer({
    endpoint,
    owner: 'service::telemetry::metrics',
    http: {
      settings: SETTINGS,
      async handle(request) {
        if (request.path !== '/metrics') return { status: 404, body: 'See /metrics\n' }
        if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, body: 'Only GET\n' }
        const { contentType, body } = await text()
        return { status: 200, headers: { 'content-type': contentType }, body: request.method === 'HEAD' ? '' : body }
      },
    },
    ...deps,
  })
  return { address: server.address, close: () => server.close(SECOND) }
}
