import { type Static, t } from '#core/config'
import { checkClientTls, clientTls } from '../tls-options.ts'
import { checkMiddlewares, clientAuth, clientMiddlewares } from './client-extensions.ts'

/** Defaults in which the clients of components differ. */
interface HttpClientDefaults {
  readonly compression?: 'gzip'
  readonly timeout?: string
  readonly write_buffer_size?: number
}

/** The options of an HTTP client, with the Collector's keys and defaults (`config/confighttp`). */
export function httpClientFields(defaults: HttpClientDefaults = {}) {
  return {
    endpoint: t.endpoint({ default: '', description: 'URL of the server.' }),
    proxy_url: t.secret({
      default: '',
      description:
        'Proxy for all requests, instead of the one that `HTTP_PROXY` and `HTTPS_PROXY` name. Never printed: it may hold a password.',
    }),
    tls: clientTls,
    read_buffer_size: t.integer({ default: 0, description: 'Accepted for compatibility; answers are small.' }),
    write_buffer_size: t.integer({
      default: defaults.write_buffer_size ?? 0,
      description: 'Accepted for compatibility; bodies are written as they are.',
    }),
    timeout: t.duration({
      default: defaults.timeout ?? '0s',
      description: 'How long a request may take, connecting and reading the answer included; `0s`: no limit.',
    }),
    headers: t.headers({ default: {}, description: 'Headers added to every request; `Host` sets the requested host.' }),
    auth: clientAuth,
    compression: t.oneOf(['gzip', 'zlib', 'deflate', 'snappy', 'x-snappy-framed', 'zstd', 'lz4', 'none', ''], {
      default: defaults.compression ?? '',
      description: 'How bodies are compressed. `zstd` is smaller and cheaper than `gzip` where the server takes it.',
    }),
    compression_params: t.section(
      {
        level: t.integer({
          default: 0,
          description: 'Level of gzip, zlib and deflate (-2 to 9) or zstd; `0`: the fastest.',
        }),
      },
      { description: 'Fine tuning of the compression.' },
    ),
    max_idle_conns: t.integer({
      default: 100,
      minimum: 0,
      description: 'Accepted for compatibility; unused connections are bounded by `idle_conn_timeout`.',
    }),
    max_idle_conns_per_host: t.integer({
      default: 0,
      minimum: 0,
      description: 'Accepted for compatibility; unused connections are bounded by `idle_conn_timeout`.',
    }),
    max_conns_per_host: t.integer({
      default: 0,
      minimum: 0,
      description: 'Connections to the server at once; `0`: as many as there are requests under way.',
    }),
    idle_conn_timeout: t.duration({
      default: '90s',
      description: 'A connection unused for this long is closed; `0s`: never.',
    }),
    disable_keep_alives: t.boolean({ default: false, description: 'Uses each connection for one request only.' }),
    http2_read_idle_timeout: t.duration({
      default: '0s',
      description: 'Accepted for compatibility; requests travel over HTTP/1.1.',
    }),
    http2_ping_timeout: t.duration({
      default: '0s',
      description: 'Accepted for compatibility; requests travel over HTTP/1.1.',
    }),
    cookies: t.whenPresent(t.section({}), { description: 'Keeps cookies that the server sets and sends them back.' }),
    force_attempt_http2: t.boolean({
      default: true,
      description: 'Accepted for compatibility; requests travel over HTTP/1.1.',
    }),
    middlewares: clientMiddlewares,
  }
}

const section = t.section(httpClientFields())
/** What {@link httpClientFields} are received as. */
export type HttpClientConfig = Static<typeof section>

/** Faults across the options of an HTTP client, in the Collector's words. */
export function* checkHttpClient(config: HttpClientConfig): Iterable<string> {
  const { compression, proxy_url } = config
  const { level } = config.compression_params
  if (!levelAllowed(compression, level)) {
    yield `compression_params: unsupported parameters {Level:${level}} for compression type "${compression}"`
  }
  if (proxy_url !== '' && !/^https?:$/.test(URL.parse(proxy_url)?.protocol ?? '')) {
    yield 'proxy_url: must be the http or https URL of a proxy'
  }
  for (const fault of checkClientTls(config.tls)) yield `tls: ${fault}`
  yield* checkMiddlewares(config.middlewares)
}

function levelAllowed(compression: string, level: number): boolean {
  switch (compression) {
    case '':
    case 'none':
      return true
    case 'gzip':
    case 'zlib':
    case 'deflate':
      return level >= -2 && level <= 9
    case 'zstd':
      return level >= 0 && level <= 22
    default:
      return level === 0
  }
}
