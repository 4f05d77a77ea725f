import { type Component, type Context, type Host, type Status, StatusBoard } from '#core/component'
import { formatDuration } from '#core/config'
import {
  type HttpAnswer,
  httpSettings,
  openServer,
  resolveAdmissions,
  resolveServerAuthenticator,
  type Server,
} from '#core/net'
import type { HealthCheckConfig } from './config.ts'

/** Milliseconds that an answer under way may still take at shutdown. */
const GRACE = 1_000

/** Answers on one path whether the collector is up. */
export class HealthCheckExtension implements Component {
  readonly #config: HealthCheckConfig
  readonly #context: Context
  readonly #board = new StatusBoard()
  #since = 0
  #server: Server | undefined
  #unwatch: (() => void) | undefined

  constructor(config: HealthCheckConfig, context: Context) {
    this.#config = config
    this.#context = context
  }

  /** `ip:port` while it listens. */
  get address(): string | undefined {
    return this.#server?.address
  }

  async start(host: Host): Promise<void> {
    try {
      await this.#open(host)
    } catch (error) {
      await this.shutdown()
      throw error
    }
  }

  async shutdown(): Promise<void> {
    this.#unwatch?.()
    await this.#server?.close(GRACE)
    this.#server = undefined
  }

  async #open(host: Host): Promise<void> {
    const { id, logger, clock } = this.#context
    this.#since = clock.now()
    this.#unwatch = host.onStatus((instance, event) => this.#board.record(instance, event))
    this.#server = await openServer({
      ...this.#config,
      http: { settings: httpSettings(this.#config), handle: request => this.#handle(request.path) },
      authenticator: resolveServerAuthenticator(this.#config.auth, host),
      admissions: resolveAdmissions(this.#config.middlewares, host, 'HTTP'),
      owner: String(id),
      within: this.#context.build,
      logger,
      clock,
    })
    logger.info('Health check listens', { endpoint: this.#server.address, path: this.#config.path })
  }

  async #handle(path: string): Promise<HttpAnswer> {
    if (this.#config.path !== '/' && path !== this.#config.path) return { status: 404, headers: TEXT, body: NOT_FOUND }
    const healthy = isHealthy(this.#board.status)
    const status = healthy ? 200 : 503
    const { response_body: bodies } = this.#config
    if (bodies !== undefined) return { status, headers: TEXT, body: healthy ? bodies.healthy : bodies.unhealthy }
    return { status, headers: JSON_TYPE, body: JSON.stringify(healthy ? this.#available() : UNAVAILABLE) }
  }

  #available() {
    return {
      status: 'Server available',
      upSince: new Date(this.#since).toISOString(),
      uptime: formatDuration(this.#context.clock.now() - this.#since),
    }
  }
}

/** Errors of components do not make a collector unhealthy: it does what it can. As in the Collector. */
function isHealthy(status: Status): boolean {
  return status === 'OK' || status === 'RecoverableError' || status === 'PermanentError'
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const JSON_TYPE = { 'content-type': 'application/json' }
const NOT_FOUND = '404 page not found\n'
/** The zero values are what the Collector sends. */
const UNAVAILABLE = { status: 'Server not available', upSince: '0001-01-01T00:00:00Z', uptime: '' }
