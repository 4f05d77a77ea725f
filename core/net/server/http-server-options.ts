import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type Static, t } from '#core/config'
import { httpAuthSection } from '../auth.ts'
import { checkServerTls, serverTls } from '../tls-options.ts'
import { middlewaresOption, networkAddressFields } from './network-address-options.ts'

/** Defaults in which the servers of components differ. */
interface HttpServerDefaults {
  readonly endpoint: string
  readonly write_timeout?: string
  readonly read_header_timeout?: string
  readonly idle_timeout?: string
}

/** The values of `compression_algorithms`; the empty one stands for a body without `Content-Encoding`. */
export const SERVER_ENCODINGS = ['', 'gzip', 'zstd', 'zlib', 'snappy', 'deflate', 'lz4', 'x-snappy-framed'] as const

/** The options of an HTTP server, with the Collector's keys and defaults (`config/confighttp`). */
export function httpServerFields(defaults: HttpServerDefaults) {
  return {
    ...networkAddressFields(defaults.endpoint),
    tls: t.whenPresent(serverTls, { description: 'TLS of the server; plaintext without it.' }),
    cors,
    auth: httpAuthSection,
    max_request_body_size: t.bytes({
      default: 20 << 20,
      description: 'Largest request body, before and after decompression; `0` means the default too.',
    }),
    include_metadata: t.boolean({
      default: false,
      description: 'Hands the request headers to the pipeline, `host` among them.',
    }),
    response_headers: t.headers({ default: {}, description: 'Headers added to every answer.' }),
    compression_algorithms: t.list(t.oneOf(SERVER_ENCODINGS, { description: 'A `Content-Encoding`.' }), {
      default: SERVER_ENCODINGS,
      description: 'Encodings of request bodies that are understood; others are refused.',
    }),
    read_timeout: t.duration({
      default: '0s',
      description: 'How long a request body may take to arrive; `0s` means 1m.',
    }),
    read_header_timeout: t.duration({
      default: defaults.read_header_timeout ?? '1m',
      description: 'How long request headers may take to arrive; `0s` means 1m.',
    }),
    write_timeout: t.duration({
      default: defaults.write_timeout ?? '30s',
      description: 'How long an answer may take to be read by the peer; `0s` means 30s.',
    }),
    idle_timeout: t.duration({
      default: defaults.idle_timeout ?? '1m',
      description: 'How long a connection is kept open for the next request; `0s` means 2m.',
    }),
    keep_alives_enabled: t.boolean({
      default: true,
      description: 'Keeps connections open after an answer.',
    }),
    middlewares: middlewaresOption,
  }
}

const cors = t.whenPresent(
  t.section({
    allowed_origins: t.list(t.string({ description: 'An origin; `*` within stands for any characters.' }), {
      default: [],
      description:
        'Origins of web pages that may send here; `*` stands for any characters. Empty: none, CORS stays off.',
    }),
    allowed_headers: t.list(t.string({ description: 'A header name, or `*`.' }), {
      default: [],
      description: 'Headers that web pages may send beside the simple ones; `*` for any.',
    }),
    exposed_headers: t.list(t.string({ description: 'A header name.' }), {
      default: [],
      description: 'Headers of answers that web pages may read.',
    }),
    max_age: t.integer({
      default: 0,
      minimum: 0,
      description: 'Seconds for which browsers may remember what is allowed; `0` leaves it to them.',
    }),
  }),
  { description: 'Which web pages may send here.' },
)

const section = t.section(httpServerFields({ endpoint: 'localhost:0' }))
/** What {@link httpServerFields} are received as. */
export type HttpServerConfig = Static<typeof section>

/** Faults across the options of an HTTP server, in the Collector's words. */
export function* checkHttpServer(config: HttpServerConfig): Iterable<string> {
  if (config.tls !== undefined) for (const fault of checkServerTls(config.tls)) yield `tls: ${fault}`
  for (const [name, value] of Object.entries(config.response_headers)) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch {
      // The value is a secret.
      yield `response_headers: "${name}" is not a valid header`
    }
  }
}
