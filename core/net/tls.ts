/** From TLS options to what sockets need, read again from files when asked. @module */
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'
import type { Clock, Logger, Timer } from '#core/component'
import { cipherNames, curveName, TLS13_CIPHERS, tlsVersion } from './tls-names.ts'
import type { ClientTlsConfig, ServerTlsConfig } from './tls-options.ts'

/** How often a watched client CA file is compared with what was read. */
const WATCH_INTERVAL = 1000

export interface TlsDeps {
  readonly clock: Clock
  readonly logger: Logger
}

/** A server's certificate and rules. */
export interface ServerTls {
  /** For `createSecureServer`; the present state. */
  readonly options: tls.SecureContextOptions & { readonly requestCert: boolean; readonly rejectUnauthorized: boolean }
  /** Calls `apply` with new options (for `setSecureContext`) whenever the files have changed. */
  onReload(apply: (options: tls.SecureContextOptions) => void): void
  /** Stops reading files. */
  close(): void
}

/** What a client needs to speak TLS. */
export interface ClientTls {
  /** `insecure` without a CA: plaintext is wanted. */
  readonly plaintext: boolean
  /** For `tls.connect`; the present state, to be asked for at each connection. */
  connectOptions(host: string): tls.ConnectionOptions
  close(): void
}

/**
 * Reads certificates and keys.
 * @throws {Error} `failed to load TLS config: ...` with file and cause
 */
export async function loadServerTls(config: ServerTlsConfig, deps: TlsDeps): Promise<ServerTls> {
  const read = async () => ({
    ...(await context(config)),
    ...(config.client_ca_file === '' ? {} : { ca: await pem(config.client_ca_file, '', 'failed to load client CA') }),
  })
  let options = await checked(read)
  let apply: ((options: tls.SecureContextOptions) => void) | undefined
  const clientAuth = { requestCert: config.client_ca_file !== '', rejectUnauthorized: config.client_ca_file !== '' }
  const interval = config.client_ca_file_reload
    ? Math.min(config.reload_interval || WATCH_INTERVAL, WATCH_INTERVAL)
    : config.reload_interval
  const timer = rereading(interval, read, options, deps, fresh => {
    options = fresh
    apply?.({ ...fresh, ...clientAuth })
  })
  return {
    get options() {
      return { ...options, ...clientAuth }
    },
    onReload(given) {
      apply = given
    },
    close: () => timer.cancel(),
  }
}

/**
 * Reads certificates and keys.
 * @throws {Error} `failed to load TLS config: ...` with file and cause
 */
export async function loadClientTls(config: ClientTlsConfig, deps: TlsDeps): Promise<ClientTls> {
  const plaintext = config.insecure && config.ca_file === '' && config.ca_pem === ''
  if (plaintext) return { plaintext, connectOptions: () => ({}), close() {} }
  const read = () => context(config)
  let options = await checked(read)
  let secureContext = tls.createSecureContext(options)
  const timer = rereading(config.reload_interval, read, options, deps, fresh => {
    options = fresh
    secureContext = tls.createSecureContext(fresh)
  })
  return {
    plaintext,
    connectOptions(host) {
      const servername = config.server_name_override || host
      return {
        secureContext,
        ...(options.minVersion === undefined ? {} : { minVersion: options.minVersion }),
        ...(isAddress(servername) ? {} : { servername }),
        rejectUnauthorized: !config.insecure_skip_verify,
        // With an address as override the certificate must still be for it, although SNI cannot name it.
        checkServerIdentity: (_host, certificate) => tls.checkServerIdentity(servername, certificate),
      }
    },
    close: () => timer.cancel(),
  }
}

type Common = Pick<ClientTlsConfig, keyof ClientTlsConfig & keyof ServerTlsConfig>

async function context(config: Common): Promise<tls.SecureContextOptions> {
  const given = await pem(config.ca_file, config.ca_pem, 'failed to load CA CertPool File: failed to load cert')
  const cert = await pem(config.cert_file, config.cert_pem, 'failed to load TLS cert and key')
  const key = await pem(config.key_file, config.key_pem, 'failed to load TLS cert and key')
  const ca = authorities(given, config.include_system_ca_certs_pool)
  const minVersion = tlsVersion(config.min_version)
  const maxVersion = tlsVersion(config.max_version)
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(minVersion ? { minVersion } : {}),
    ...(maxVersion ? { maxVersion } : {}),
    ...(config.cipher_suites.length === 0
      ? {}
      : { ciphers: [TLS13_CIPHERS, ...config.cipher_suites.map(name => cipherNames(name))].join(':') }),
    ...(config.curve_preferences.length === 0
      ? {}
      : { ecdhCurve: config.curve_preferences.map(name => curveName(name)).join(':') }),
  }
}

/** Without own authorities those of the operating system count, as in Go; Node's own list only where there are none. */
function authorities(given: string | undefined, system: boolean): string[] | undefined {
  if (given !== undefined && !system) return [given]
  const pool = [...tls.getCACertificates('system'), ...tls.getCACertificates('extra')]
  if (given !== undefined) return [given, ...pool]
  return pool.length === 0 ? undefined : pool
}

async function pem(file: string, text: string, failure: string): Promise<string | undefined> {
  if (file === '') return text === '' ? undefined : text
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`${failure} ${file}: ${(error as Error).message}`, { cause: error })
  }
}

/** Reads, and lets OpenSSL judge what was read. */
async function checked(read: () => Promise<tls.SecureContextOptions>): Promise<tls.SecureContextOptions> {
  try {
    const options = await read()
    for (const ca of [options.ca ?? []].flat()) {
      if (!String(ca).includes('-----BEGIN')) throw new Error('failed to parse CA: no PEM certificate found')
    }
    tls.createSecureContext(options)
    return options
  } catch (error) {
    throw new Error(`failed to load TLS config: ${(error as Error).message}`, { cause: error })
  }
}

/** Reads every `interval` milliseconds. What cannot be read or used is told in the log, and the former state stays. */
function rereading(
  interval: number,
  read: () => Promise<tls.SecureContextOptions>,
  first: tls.SecureContextOptions,
  { clock, logger }: TlsDeps,
  changed: (options: tls.SecureContextOptions) => void,
): Timer {
  if (interval <= 0) return { cancel() {} }
  let known = JSON.stringify(first)
  let cancelled = false
  let complaint = ''
  const again = async () => {
    try {
      const options = await checked(read)
      const now = JSON.stringify(options)
      if (!cancelled && now !== known) {
        known = now
        changed(options)
        logger.info('TLS certificates reloaded')
      }
      complaint = ''
    } catch (error) {
      const message = (error as Error).message
      if (message !== complaint) logger.warn('Could not reload TLS certificates, keeping the former ones', { error })
      complaint = message
    }
    if (!cancelled) timer = clock.after(interval, again)
  }
  let timer = clock.after(interval, again)
  return {
    cancel() {
      cancelled = true
      timer.cancel()
    },
  }
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':')
}
