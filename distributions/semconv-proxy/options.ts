/** A setting of the proxy: a flag, an environment variable and a key of the file. */
export interface ProxyOption {
  readonly type: 'text' | 'number' | 'flag' | 'word'
  readonly default: string | number | boolean
  readonly description: string
  /** What a number must be. */
  readonly number?: 'port' | 'positive' | 'not negative'
  readonly words?: readonly string[]
  readonly short?: string
}

/** Every setting, by the name of its flag without dashes. `PROXY_` and the name in capitals is its variable. */
export const OPTIONS = {
  'backend-endpoint': {
    type: 'text',
    default: '',
    description:
      'Where everything is forwarded to: host:port (plaintext), or http:// or https:// and host:port. Required',
  },
  'backend-protocol': {
    type: 'word',
    words: ['auto', 'grpc', 'http'],
    default: 'auto',
    description: 'How: auto asks the backend at start, gRPC where it speaks HTTP/2 and OTLP/HTTP otherwise',
  },
  'backend-insecure': {
    type: 'flag',
    default: false,
    description: 'With https://, does not verify the certificate of the backend',
  },
  'backend-ca-file': { type: 'text', default: '', description: 'Authorities that vouch for the backend (PEM); TLS' },
  'backend-cert-file': { type: 'text', default: '', description: 'Own certificate for the backend (PEM); TLS' },
  'backend-key-file': { type: 'text', default: '', description: 'Private key of that certificate (PEM); TLS' },
  'backend-server-name': { type: 'text', default: '', description: 'Name in the certificate of the backend; TLS' },
  'backend-compression': {
    type: 'word',
    words: ['gzip', 'zstd', 'none'],
    default: 'gzip',
    description: 'How forwarded requests are compressed',
  },
  queue: {
    type: 'word',
    words: ['none', 'memory', 'disk'],
    default: 'none',
    description:
      'What happens while the backend is away. none: senders are told to try again. memory or disk: requests wait here',
  },
  'data-dir': { type: 'text', default: './data', description: 'Directory of the dictionary, and of a queue on disk' },
  'listen-host': { type: 'text', default: '0.0.0.0', description: 'Address that all ports listen on' },
  'api-port': {
    type: 'number',
    number: 'port',
    default: 8080,
    description: 'Port of the REST API, probes and metrics',
  },
  'otlp-grpc-port': { type: 'number', number: 'port', default: 4317, description: 'Port for OTLP over gRPC' },
  'otlp-http-port': { type: 'number', number: 'port', default: 4318, description: 'Port for OTLP over HTTP' },
  'ring-buffer-size': {
    type: 'number',
    number: 'positive',
    default: 10_000,
    description: 'Requests that may wait to be analysed; further ones are forwarded only. Raise it when drops grow',
  },
  'worker-count': {
    type: 'number',
    number: 'not negative',
    default: 0,
    description: 'Threads that analyse; 0: half as many as the machine runs in parallel',
  },
  'global-budget': {
    type: 'number',
    number: 'positive',
    default: 10_000,
    description: 'Entries and exactly counted values that are kept; lowering it evicts more',
  },
  'per-attr-cap': {
    type: 'number',
    number: 'positive',
    default: 1000,
    description: 'Distinct values above which an attribute is marked as overflowed',
  },
  'shard-count': { type: 'number', number: 'positive', default: 64, description: 'Parts of the dictionary' },
  'stale-after': { type: 'text', default: '24h', description: 'Names not seen for so long are stale' },
  'purge-after': { type: 'text', default: '168h', description: 'Names not seen for so long are removed' },
  'registry-path': {
    type: 'text',
    default: '',
    description: 'Registries of your own, compared with before the standard: files or directories, separated by commas',
  },
  'log-level': {
    type: 'word',
    words: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    short: 'l',
    description: 'How much is logged; debug logs every request',
  },
} as const satisfies Readonly<Record<string, ProxyOption>>

export type OptionName = keyof typeof OPTIONS

type ValueOf<O extends ProxyOption> = O['type'] extends 'number' ? number : O['type'] extends 'flag' ? boolean : string

/** The settings of a proxy. */
export type Settings = { readonly [K in OptionName]: ValueOf<(typeof OPTIONS)[K]> }

/** The environment variable of a setting. */
export function variableOf(name: string): string {
  return `PROXY_${name.toUpperCase().replaceAll('-', '_')}`
}

/** What `--help` prints. */
export function helpText(): string {
  const rows = Object.entries<ProxyOption>(OPTIONS).map(([name, option]) => {
    const value = option.type === 'flag' ? '' : ` <${option.words?.join('|') ?? option.type}>`
    const standard = option.default === '' || option.default === false ? '' : ` (default ${option.default})`
    const short = option.short === undefined ? '' : `-${option.short}, `
    return `  ${short}--${name}${value}\n      ${option.description}${standard}\n`
  })
  return `Forwards OTLP to a backend and learns every attribute and metric name on the way.

Usage: semconv-proxy --backend-endpoint host:port [options]

${rows.join('')}  --config <file>
      YAML file with any of the options above as keys
  -h, --help
  -v, --version

A flag wins over its environment variable (PROXY_ and the name in capitals, for example ${variableOf('data-dir')}),
that over the file, and that over the default.
`
}
