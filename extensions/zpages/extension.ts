import type { Component, Context, Host } from '#core/component'
import { openDraft } from '#core/data'
import {
  type HttpAnswer,
  type HttpRequest,
  httpSettings,
  openServer,
  resolveAdmissions,
  resolveServerAuthenticator,
  type Server,
} from '#core/net'
import type { ZpagesConfig } from './config.ts'
import { expvarJson } from './expvar.ts'
import { extensionPage, featurePage, pipelinePage, servicePage } from './overview-pages.ts'
import { SpanStore } from './span-store.ts'
import { tracePage } from './trace-page.ts'

/** Milliseconds that an answer under way may still take at shutdown. */
const GRACE = 1_000

/** Serves pages under `/debug`. */
export class ZpagesExtension implements Component {
  readonly #config: ZpagesConfig
  readonly #context: Context
  readonly #spans = new SpanStore()
  readonly #statuses = new Map<string, string>()
  readonly #stops: (() => void)[] = []
  #server: Server | undefined

  constructor(config: ZpagesConfig, context: Context) {
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
    await this.#server?.close(GRACE)
    this.#server = undefined
  }

  async #open(host: Host): Promise<void> {
    const { id, logger, clock } = this.#context
    this.#stops.push(
      host.onStatus(({ kind, id }, { status, error }) => {
        this.#statuses.set(`${kind}:${id}`, error === undefined ? status : `${status}: ${error.message}`)
      }),
      host.subscribeOwnTelemetry({
        traces: {
          consume: async payload => {
            for (const span of openDraft(payload).spans()) this.#spans.add(span)
          },
        },
      }),
    )
    this.#server = await openServer({
      ...this.#config,
      http: { settings: httpSettings(this.#config), handle: async request => this.#answer(request, host) },
      authenticator: resolveServerAuthenticator(this.#config.auth, host),
      admissions: resolveAdmissions(this.#config.middlewares, host, 'HTTP'),
      owner: String(id),
      within: this.#context.build,
      logger,
      clock,
    })
    logger.info('Starting zPages extension', { endpoint: this.#server.address })
  }

  #answer({ method, path, query }: HttpRequest, host: Host): HttpAnswer {
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, headers: { ...TEXT, allow: 'GET' }, body: 'Only GET\n' }
    if (path === '/debug/expvarz' && this.#config.expvar.enabled) {
      return { status: 200, headers: JSON_TYPE, body: expvarJson() }
    }
    const page = this.#page(path, query, host)
    return page === undefined
      ? { status: 404, headers: TEXT, body: 'See /debug/servicez\n' }
      : { status: 200, headers: HTML_TYPE, body: method === 'HEAD' ? '' : page }
  }

  #page(path: string, query: URLSearchParams, host: Host): string | undefined {
    switch (path) {
      case '/debug/servicez':
        return servicePage(host.overview(), host.build, this.#context.clock.now())
      case '/debug/pipelinez':
        return pipelinePage(host.overview(), this.#statuses, query)
      case '/debug/extensionz':
        return extensionPage(host.overview(), this.#statuses, query)
      case '/debug/featurez':
        return featurePage(host.overview())
      case '/debug/tracez':
        return tracePage(this.#spans, query)
      default:
        return undefined
    }
  }
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
/** What a component wrote into its id or configuration cannot become a script. */
const HTML_TYPE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}
