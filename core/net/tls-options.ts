/** The option sections of TLS, on servers and clients. @module */
import { type Schema, type Static, t } from '#core/config'
import { cipherNames, curveName, isInsecureCipher, tlsVersion } from './tls-names.ts'

/** What servers and clients have in common. */
const common = {
  ca_file: t.string({ description: 'PEM file of the authorities that vouch for the peer.', default: '' }),
  ca_pem: t.secret({ description: 'The same in the configuration itself, instead of a file.', default: '' }),
  include_system_ca_certs_pool: t.boolean({
    description: 'Trusts the authorities of the operating system beside those given.',
    default: false,
  }),
  cert_file: t.string({ description: 'PEM file of the own certificate, followed by its chain.', default: '' }),
  cert_pem: t.secret({ description: 'The same in the configuration itself, instead of a file.', default: '' }),
  key_file: t.string({ description: 'PEM file of the private key that belongs to the certificate.', default: '' }),
  key_pem: t.secret({ description: 'The same in the configuration itself, instead of a file.', default: '' }),
  min_version: t.string({ description: 'Oldest TLS version spoken: 1.0, 1.1, 1.2 or 1.3.', default: '1.2' }),
  max_version: t.string({ description: 'Newest TLS version spoken; empty for the newest there is.', default: '' }),
  cipher_suites: t.list(t.string({ description: 'IANA name.' }), {
    description: 'Cipher suites for TLS 1.2 and older, by IANA name; empty for a secure choice.',
    default: [],
  }),
  include_insecure_cipher_suites: t.boolean({
    description: 'Allows suites that are known to be weak in `cipher_suites`.',
    default: false,
  }),
  curve_preferences: t.list(t.string({ description: 'Curve.' }), {
    description: 'Key exchange groups in order of preference: X25519, P256, P384, P521, X25519MLKEM768.',
    default: [],
  }),
  reload_interval: t.duration({
    description: 'How often certificate, key and authorities are read again from their files; 0s: never.',
    default: '0s',
  }),
  tpm: t.section(
    {
      enabled: t.boolean({ description: 'Not supported: must stay false.', default: false }),
      path: t.string({ description: 'Device of the module.', default: '' }),
      owner_auth: t.secret({ description: 'Owner authorization value.', default: '' }),
      auth: t.secret({ description: 'Authorization value of the key.', default: '' }),
    },
    { description: 'Private keys in a Trusted Platform Module.' },
  ),
}

/** TLS of a server. Servers use it under `t.whenPresent`, so that its absence means plaintext. */
export const serverTls = t.section(
  {
    ...common,
    client_ca_file: t.string({
      description: 'PEM file of the authorities for client certificates, which are then required and verified.',
      default: '',
    }),
    client_ca_file_reload: t.boolean({ description: 'Reads `client_ca_file` again when it changes.', default: false }),
  },
  { description: 'TLS of the server; plaintext without it.' },
)
export type ServerTlsConfig = Static<typeof serverTls>

/** TLS of a client. On by default: `insecure` without a CA asks for plaintext. */
export const clientTls = t.section(
  {
    ...common,
    insecure: t.boolean({ description: 'Plaintext, unless a CA is given.', default: false }),
    insecure_skip_verify: t.boolean({ description: 'Does not verify the certificate of the server.', default: false }),
    server_name_override: t.string({
      description: 'Name expected in the certificate and sent as SNI, instead of the host of the endpoint.',
      default: '',
    }),
  },
  { description: 'TLS of the connection to the server.' },
)
export type ClientTlsConfig = Static<typeof clientTls>
type CommonTls = Static<Schema<Pick<ClientTlsConfig, keyof ServerTlsConfig & keyof ClientTlsConfig>>>

/** Faults across a server's TLS options, in the Collector's words. */
export function* checkServerTls(config: ServerTlsConfig): Iterable<string> {
  if (!hasCertificate(config) || !hasKey(config)) {
    yield 'TLS configuration must include both certificate and key for server connections'
  }
  yield* checkCommon(config)
}

/** Faults across a client's TLS options, in the Collector's words. */
export function* checkClientTls(config: ClientTlsConfig): Iterable<string> {
  if (hasCertificate(config) !== hasKey(config)) {
    yield 'for auth via TLS, provide both certificate and key, or neither'
  }
  yield* checkCommon(config)
}

function* checkCommon(config: CommonTls): Iterable<string> {
  if (config.ca_file !== '' && config.ca_pem !== '') {
    yield 'provide either a CA file or the PEM-encoded string, but not both'
  }
  if (config.cert_file !== '' && config.cert_pem !== '') {
    yield 'provide either a certificate file or the PEM-encoded string, but not both'
  }
  if (config.key_file !== '' && config.key_pem !== '') {
    yield 'provide either a key file or the PEM-encoded string, but not both'
  }
  const versions = [config.min_version, config.max_version].map(tlsVersion)
  for (const [i, key] of (['min_version', 'max_version'] as const).entries()) {
    if (versions[i] === undefined) yield `invalid TLS ${key}: unsupported TLS version: "${config[key]}"`
  }
  if (versions[0] && versions[1] && versions[0] > versions[1]) {
    yield 'invalid TLS configuration: min_version cannot be greater than max_version'
  }
  for (const suite of config.cipher_suites) {
    if (cipherNames(suite) === undefined || (isInsecureCipher(suite) && !config.include_insecure_cipher_suites)) {
      yield `invalid TLS cipher suite: "${suite}"`
    }
  }
  for (const curve of config.curve_preferences) {
    if (curveName(curve) === undefined) yield `invalid curve type "${curve}"`
  }
  if (config.tpm.enabled) yield 'tpm: private keys in a Trusted Platform Module are not supported'
}

function hasCertificate(config: CommonTls): boolean {
  return config.cert_file !== '' || config.cert_pem !== ''
}

function hasKey(config: CommonTls): boolean {
  return config.key_file !== '' || config.key_pem !== ''
}
