import { type Component, type Context, type Host, type Route, StatusBoard } from '#core/component'
import { httpSettings, openServer, resolveAdmissions, resolveServerAuthenticator, type Server } from '#core/net'
import { type App, type AppOptions, createApp } from './app.ts'
import { createAuthenticate } from './authenticate.ts'
import type { ApiConfig } from './config.ts'
import { openApiOf } from './openapi.ts'
import { ownRoutes } from './own-routes.ts'
import { isChanging } from './readiness.ts'

/** Milliseconds that answers under way may still take at shutdown. */
const GRACE = 5_000

/**
 * One HTTP server for everything that answers over HTTP. Whenever components start or stop offering routes, a new set
 * of routes is readied beside the old one and takes its place; the port and the requests under way do not notice.
 */
export class ApiExtension implements Component {
  readonly #config: ApiConfig
  readonly #context: Context
  readonly #board = new StatusBoard()
  readonly #stops: (() => void)[] = []
  #host!: Host
  #options!: AppOptions
  #app: App | undefined
  #server: Server | undefined
  #rebuilding: Promise<void> | undefined
  #stale = false

  constructor(config: ApiConfig, context: Context) {
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
    for (const stop of this.#stops.splice(0)) stop()
    await this.#rebuilding
    await this.#server?.close(GRACE)
    this.#server = undefined
    await this.#app?.close()
    this.#app = undefined
  }

  async #open(host: Host): Promise<void> {
    const { id, logger, clock } = this.#context
    const settings = httpSettings(this.#config)
    const authenticator = resolveServerAuthenticator(this.#config.auth, host)
    const authenticate = authenticator && createAuthenticate(authenticator, settings.authParameters)
    this.#host = host
    this.#options = { settings, authenticate, logger, isChanging: () => isChanging(this.#board) }
    this.#stops.push(host.onStatus((instance, event) => this.#board.record(instance, event)))
    this.#stops.push(host.onContributionsChanged(() => this.#refresh()))
    this.#app = await this.#build(host.routes())
    this.#server = await openServer({
      ...this.#config,
      raw: { settings, onRequest: (request, response) => this.#app!.routing(request, response) },
      admissions: resolveAdmissions(this.#config.middlewares, host, 'HTTP'),
      owner: String(id),
      within: this.#context.build,
      logger,
      clock,
    })
    logger.info('API listens', { endpoint: this.#server.address })
  }

  #build(contributed: readonly Route[]): Promise<App> {
    const replaced = new Set(contributed.filter(route => route.replaces).map(nameOf))
    const all = ownRoutes(this.#host, this.#board, () => openApiOf([...own, ...contributed], this.#host.build))
    const own = all.filter(route => !replaced.has(nameOf(route)))
    return createApp([...own, ...contributed], this.#options)
  }

  /** Changes that come while a set is being readied lead to one more. */
  #refresh(): void {
    this.#stale = true
    this.#rebuilding ??= this.#rebuild().finally(() => {
      this.#rebuilding = undefined
    })
  }

  async #rebuild(): Promise<void> {
    while (this.#stale) {
      this.#stale = false
      try {
        const app = await this.#build(this.#host.routes())
        const old = this.#app
        this.#app = app
        await old?.close()
      } catch (error) {
        this.#context.logger.error('Cannot serve the changed routes, the former ones are kept', { error })
      }
    }
  }
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}
