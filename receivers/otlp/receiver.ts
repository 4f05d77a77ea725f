import type { Component, Consumers, Ending, Host, PipelineContext } from '#core/component'
import {
  grpcSettings,
  grpcSettingsBeside,
  httpSettings,
  httpSettingsBeside,
  openServer,
  resolveAdmissions,
  resolveServerAuthenticator,
  type Server,
} from '#core/net'
import type { OtlpReceiverConfig } from './config.ts'
import { grpcMethods } from './grpc.ts'
import { DEFAULT_PATHS, httpHandler, pathsOf } from './http.ts'
import { Intake } from './intake.ts'

/** Milliseconds that requests under way are waited for at shutdown. */
const GRACE = 10_000

/** Milliseconds that ports stay open for a successor: longer than requests under way may take. */
const PARK = 2 * GRACE

/** Takes OTLP in over gRPC and HTTP. */
export class OtlpReceiver implements Component {
  readonly #config: OtlpReceiverConfig
  readonly #context: PipelineContext
  readonly #grpc: Intake
  readonly #http: Intake
  readonly #servers: Server[] = []

  constructor(config: OtlpReceiverConfig, next: Consumers, context: PipelineContext) {
    this.#config = config
    this.#context = context
    this.#grpc = new Intake(next, config.invalid_utf8, context, 'grpc')
    this.#http = new Intake(next, config.invalid_utf8, context, 'http')
  }

  /** The addresses it listens on, in the order gRPC, HTTP. */
  get addresses(): readonly string[] {
    return this.#servers.map(server => server.address)
  }

  async start(host: Host): Promise<void> {
    try {
      await this.#openGrpc(host)
      await this.#openHttp(host)
    } catch (error) {
      await this.shutdown()
      throw error
    }
  }

  async shutdown(ending: Ending = {}): Promise<void> {
    const park = ending.replaced === true ? PARK : 0
    await Promise.all(this.#servers.splice(0).map(server => server.close(GRACE, { park })))
  }

  async #openGrpc(host: Host): Promise<void> {
    const { grpc: config, http } = this.#config.protocols
    if (config === undefined) return
    const settings = grpcSettings(config)
    const paths = http === undefined ? DEFAULT_PATHS : pathsOf(http)
    await this.#open('grpc', {
      ...config,
      grpc: { settings, methods: grpcMethods(this.#grpc) },
      http: this.#config.either_protocol
        ? { settings: httpSettingsBeside(settings), ...httpHandler(this.#http, paths) }
        : undefined,
      authenticator: resolveServerAuthenticator(config.auth, host),
      admissions: resolveAdmissions(config.middlewares, host, 'gRPC'),
    })
  }

  async #openHttp(host: Host): Promise<void> {
    const config = this.#config.protocols.http
    if (config === undefined) return
    const settings = httpSettings(config)
    await this.#open('http', {
      ...config,
      http: { settings, ...httpHandler(this.#http, pathsOf(config)) },
      grpc: this.#config.either_protocol
        ? { settings: grpcSettingsBeside(settings), methods: grpcMethods(this.#grpc) }
        : undefined,
      authenticator: resolveServerAuthenticator(config.auth, host),
      admissions: resolveAdmissions(config.middlewares, host, 'HTTP'),
    })
  }

  async #open(
    protocol: 'grpc' | 'http',
    spec: Omit<Parameters<typeof openServer>[0], 'owner' | 'within' | 'logger' | 'clock'>,
  ): Promise<void> {
    const { id, build, logger, clock } = this.#context
    const server = await openServer({ ...spec, owner: `${id}/${protocol}`, within: build, logger, clock })
    this.#servers.push(server)
    logger.info(`Starting ${protocol.toUpperCase()} server`, { endpoint: server.address })
  }
}
