import { type Static, t } from '#core/config'
import { checkClientTls, clientTls } from '../tls-options.ts'
import { checkMiddlewares, clientAuth, clientMiddlewares } from './client-extensions.ts'
import { endpointFault } from './grpc-target.ts'

const keepalive = t.section({
  time: t.duration({ default: '10s', description: 'A connection silent for this long is pinged; at least 10s.' }),
  timeout: t.duration({ default: '10s', description: 'A connection that leaves a ping unanswered so long is closed.' }),
  permit_without_stream: t.boolean({ default: false, description: 'Pings also while no call is under way.' }),
})

/** The options of a gRPC client, with the Collector's keys and defaults (`config/configgrpc`). */
export function grpcClientFields(
  defaults: { readonly compression?: 'gzip'; readonly write_buffer_size?: number } = {},
) {
  return {
    endpoint: t.endpoint({
      default: '',
      description: 'The server: `host:port`, `http(s)://host:port`, `dns:///host:port` or `unix:///path`.',
    }),
    compression: t.oneOf(['gzip', 'snappy', 'zstd', 'none', ''], {
      default: defaults.compression ?? '',
      description: 'How messages are compressed. `zstd` is smaller and cheaper than `gzip` where the server takes it.',
    }),
    tls: clientTls,
    keepalive: t.whenPresent(keepalive, { description: 'Pings that find dead connections.' }),
    read_buffer_size: t.integer({ default: 0, description: 'Accepted for compatibility; answers are a few bytes.' }),
    write_buffer_size: t.integer({
      default: defaults.write_buffer_size ?? 0,
      description: 'Accepted for compatibility; messages are written as they are.',
    }),
    wait_for_ready: t.boolean({
      default: false,
      description: 'Lets calls wait for a connection until their timeout instead of failing while there is none.',
    }),
    headers: t.headers({ default: {}, description: 'Metadata added to every call.' }),
    user_agent: t.string({ default: '', description: 'Instead of the name and version of the distribution.' }),
    balancer_name: t.string({
      default: 'round_robin',
      description: 'How calls spread over the addresses of the server: `round_robin` or `pick_first`.',
    }),
    authority: t.string({ default: '', description: 'Value of `:authority`, instead of host and port.' }),
    auth: clientAuth,
    middlewares: clientMiddlewares,
  }
}

const section = t.section(grpcClientFields())
/** What {@link grpcClientFields} are received as. */
export type GrpcClientConfig = Static<typeof section>

/** Faults across the options of a gRPC client, in the Collector's words. */
export function* checkGrpcClient(config: GrpcClientConfig): Iterable<string> {
  const fault = endpointFault(config.endpoint)
  if (fault !== undefined) yield `endpoint: ${fault}`
  if (config.balancer_name !== '' && !isBalancer(config.balancer_name)) {
    yield `balancer_name: invalid balancer_name: ${config.balancer_name}`
  }
  for (const fault of checkClientTls(config.tls)) yield `tls: ${fault}`
  yield* checkMiddlewares(config.middlewares)
}

function isBalancer(name: string): boolean {
  return name === 'round_robin' || name === 'pick_first'
}
