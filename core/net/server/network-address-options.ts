import { t } from '#core/config'
import { LISTEN_TRANSPORTS } from './listen-address.ts'

/** The options that say where a server listens. `endpoint` is the default. */
export function networkAddressFields(endpoint: string) {
  return {
    endpoint: t.endpoint({
      default: endpoint,
      listens: true,
      description: 'Where to listen: `host:port`, `:port` for every interface, or `unix:///path`.',
    }),
    transport: t.oneOf(LISTEN_TRANSPORTS, {
      default: 'tcp',
      description: 'Kind of address: `tcp` (IPv4 before IPv6), `tcp4`, `tcp6`, or `unix` for a socket file.',
    }),
    dialer: t.section(
      { timeout: t.duration({ default: '0s', description: 'Accepted for compatibility; servers do not dial.' }) },
      { description: 'Accepted for compatibility.' },
    ),
  }
}

/** The `middlewares` option: extensions that stand between a server and its handler. */
export const middlewaresOption = t.list(
  t.section({ id: t.componentId({ description: 'The extension, listed in `service::extensions`.' }) }),
  { default: [], description: 'Extensions asked before a request is read, for example `memory_limiter`.' },
)
