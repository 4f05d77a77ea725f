/** A configuration with a marked secret in every place that takes one. */
import { readFileSync } from 'node:fs'
import { authority, certificate } from '../../core/net/certificates.test-support.ts'

const FREE = '127.0.0.1:0'

/** A reference to an environment variable. */
export function environment(name: string): string {
  return `\${env:${name}}`
}

/** Secrets by what they are for. None may appear anywhere. */
export class Marks {
  readonly #marks = new Map<string, string>()

  /** A new secret, or the one of this name. */
  mark(name: string): string {
    const known = this.#marks.get(name) ?? `mark-${name}-${this.#marks.size}-5ecre7`
    this.#marks.set(name, known)
    return known
  }

  /** Takes something else as secret. */
  add(name: string, secret: string): string {
    this.#marks.set(name, secret)
    return secret
  }

  /** `user:password` as the Basic scheme sends it. */
  basic(user: string, name: string): string {
    return `Basic ${this.add(`${name} in base64`, Buffer.from(`${user}:${this.mark(name)}`).toString('base64'))}`
  }

  /** Names of the secrets that are in `text`. */
  within(text: string): string[] {
    return [...this.#marks].filter(([, secret]) => text.includes(secret)).map(([name]) => name)
  }

  get size(): number {
    return this.#marks.size
  }
}

/** A key of which a line in the middle is the mark. */
function keyOf(marks: Marks): string {
  const pem = readFileSync(certificate('server').key_file, 'utf8')
  marks.add('private key', pem.split('\n')[1]!)
  return pem
}

/**
 * The configuration. Environment variables of the names in `env` have further secrets.
 * @param backend URL of a server that refuses, `dead`: an address where nobody listens
 */
export function secretConfiguration(
  marks: Marks,
  backend: string,
  dead: string,
  files: Record<'token' | 'keys' | 'issuer', string>,
) {
  const env = {
    SERVER_TOKEN: marks.mark('token from environment'),
    SERVER_PASSWORD: marks.mark('password from environment'),
    UNUSED_SECRET: marks.mark('unused variable'),
  }
  marks.basic('agent', 'password from environment')
  marks.basic('gateway', 'client password')
  const tls = { cert_pem: readFileSync(certificate('server').cert_file, 'utf8'), key_pem: keyOf(marks) }
  const short = {
    retry_on_failure: { initial_interval: '10ms', max_interval: '10ms', max_elapsed_time: '100ms' },
    timeout: '1s',
  }
  const headers = (name: string) => ({
    Authorization: marks.mark(`${name} authorization`),
    'X-Api-Key': marks.mark(`${name} key`),
  })
  const own = (name: string) => ({
    otlp: { endpoint: `http://${dead}`, headers: headers(name), headers_list: `x-more=${marks.mark(`${name} list`)}` },
  })
  const config = {
    receivers: {
      otlp: {
        protocols: {
          grpc: { endpoint: FREE, tls, include_metadata: true, auth: { authenticator: 'basicauth/server' } },
          http: {
            endpoint: FREE,
            include_metadata: true,
            auth: { authenticator: 'bearertokenauth/server', request_params: ['authorization'] },
            response_headers: { 'x-answer': marks.mark('response header') },
          },
        },
      },
      'otlp/oidc': { protocols: { http: { endpoint: FREE, auth: { authenticator: 'oidc' } } } },
    },
    exporters: {
      debug: { verbosity: 'detailed' },
      otlp_http: { endpoint: backend, headers: headers('http'), ...short, auth: { authenticator: 'headers_setter' } },
      'otlp_http/dead': { endpoint: `http://${dead}`, headers: headers('dead'), ...short },
      'otlp_http/proxy': {
        endpoint: backend,
        ...short,
        proxy_url: `http://user:${marks.mark('password of proxy')}@${dead}`,
      },
      'otlp_http/client': { endpoint: backend, ...short, auth: { authenticator: 'basicauth/client' } },
      'otlp_http/bearer': { endpoint: backend, ...short, auth: { authenticator: 'bearertokenauth/file' } },
      'otlp_http/user': { endpoint: backend.replace('//', `//user:${marks.mark('password in URL')}@`), ...short },
      otlp_grpc: {
        endpoint: dead,
        headers: headers('grpc'),
        tls: {
          ca_pem: readFileSync(authority('ca'), 'utf8'),
          tpm: { owner_auth: marks.mark('tpm owner'), auth: marks.mark('tpm') },
        },
        ...short,
        auth: { authenticator: 'bearertokenauth/client' },
      },
    },
    extensions: {
      api: { endpoint: FREE },
      health_check: { endpoint: FREE },
      zpages: { endpoint: FREE, expvar: { enabled: true } },
      'basicauth/server': {
        htpasswd: { inline: `agent:${environment('SERVER_PASSWORD')}\nno colon ${marks.mark('htpasswd line')}\n` },
      },
      'basicauth/client': { client_auth: { username: 'gateway', password: marks.mark('client password') } },
      'bearertokenauth/server': { tokens: [environment('SERVER_TOKEN'), marks.mark('second token')] },
      'bearertokenauth/client': { token: marks.mark('client token') },
      'bearertokenauth/file': { filename: files.token, token: marks.mark('ignored token') },
      oidc: {
        providers: [{ issuer_url: files.issuer, audience: 'collector', public_keys_file: files.keys }],
      },
      headers_setter: {
        headers: [
          { action: 'upsert', key: 'x-fixed', value: marks.mark('fixed value') },
          { action: 'upsert', key: 'x-default', from_context: 'x-none', default_value: marks.mark('default value') },
          { action: 'upsert', key: 'x-sender', from_attribute: 'raw' },
        ],
      },
    },
    service: {
      telemetry: {
        logs: {
          level: 'debug',
          encoding: 'json',
          sampling: { enabled: false },
          processors: [{ batch: { schedule_delay: 50, exporter: own('logs') } }],
        },
        metrics: {
          level: 'detailed',
          readers: [
            { pull: { exporter: { prometheus: { host: '127.0.0.1', port: 0 } } } },
            { periodic: { interval: 50, exporter: own('metrics') } },
          ],
        },
        traces: { level: 'detailed', processors: [{ batch: { schedule_delay: 50, exporter: own('traces') } }] },
      },
      extensions: [
        ...['api', 'health_check', 'zpages', 'basicauth/server', 'basicauth/client', 'bearertokenauth/server'],
        ...['bearertokenauth/client', 'bearertokenauth/file', 'headers_setter', 'oidc'],
      ],
      pipelines: {
        traces: {
          receivers: ['otlp', 'otlp/oidc'],
          exporters: [
            ...[
              'debug',
              'otlp_http',
              'otlp_http/dead',
              'otlp_http/client',
              'otlp_http/bearer',
              'otlp_http/user',
              'otlp_http/proxy',
            ],
            'otlp_grpc',
          ],
        },
      },
    },
  }
  return { config, env }
}
