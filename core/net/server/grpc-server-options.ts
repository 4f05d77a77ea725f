import { type Static, t } from '#core/config'
import { authSection } from '../auth.ts'
import { checkServerTls, serverTls } from '../tls-options.ts'
import { middlewaresOption, networkAddressFields } from './network-address-options.ts'

/** Defaults in which the servers of components differ. */
interface GrpcServerDefaults {
  readonly endpoint: string
  readonly read_buffer_size?: number
}

/** The options of a gRPC server, with the Collector's keys and defaults (`config/configgrpc`). */
export function grpcServerFields(defaults: GrpcServerDefaults) {
  return {
    ...networkAddressFields(defaults.endpoint),
    tls: t.whenPresent(serverTls, { description: 'TLS of the server; plaintext without it.' }),
    max_recv_msg_size_mib: t.integer({
      default: 0,
      description: 'Largest message taken, in MiB after decompression; `0` means 4.',
    }),
    max_concurrent_streams: t.integer({
      default: 0,
      minimum: 0,
      maximum: 0x7fff_ffff,
      description: 'Calls that one connection may have under way; `0` means 1000.',
    }),
    read_buffer_size: t.integer({
      default: defaults.read_buffer_size ?? 0,
      description: 'Accepted for compatibility; reads are sized by the runtime.',
    }),
    write_buffer_size: t.integer({
      default: 0,
      description: 'Accepted for compatibility; answers are a few bytes.',
    }),
    keepalive: t.unlessDisabled(t.section({ server_parameters: serverParameters, enforcement_policy: enforcement }), {
      description: 'How long connections live, and how dead ones are found.',
    }),
    auth: authSection,
    include_metadata: t.boolean({
      default: false,
      description: 'Hands the request metadata to the pipeline, with `:authority` as `host`.',
    }),
    middlewares: middlewaresOption,
  }
}

const serverParameters = t.unlessDisabled(
  t.section({
    max_connection_idle: t.duration({
      default: '0s',
      description: 'A connection without calls is closed after this long; `0s`: never.',
    }),
    max_connection_age: t.duration({
      default: '0s',
      description: 'A connection is closed after about this long, so that load spreads anew; `0s`: never.',
    }),
    max_connection_age_grace: t.duration({
      default: '0s',
      description: 'What calls under way at `max_connection_age` may still take; `0s`: as long as they need.',
    }),
    time: t.duration({
      default: '0s',
      description: 'A connection silent for this long is pinged; `0s` means 2h.',
    }),
    timeout: t.duration({
      default: '0s',
      description: 'A connection that does not answer a ping for this long is closed; `0s` means 20s.',
    }),
  }),
  { description: 'What the server does by itself.' },
)

const enforcement = t.unlessDisabled(
  t.section({
    min_time: t.duration({
      default: '0s',
      description: 'Clients that ping more often than this are disconnected; `0s` means 5m.',
    }),
    permit_without_stream: t.boolean({
      default: false,
      description: 'Lets clients ping while they have no call under way.',
    }),
  }),
  { description: 'What clients may do.' },
)

const section = t.section(grpcServerFields({ endpoint: 'localhost:0' }))
/** What {@link grpcServerFields} are received as. */
export type GrpcServerConfig = Static<typeof section>

const MAX_MIB = Math.floor(Number.MAX_SAFE_INTEGER / (1 << 20))

/** Faults across the options of a gRPC server, in the Collector's words. */
export function* checkGrpcServer(config: GrpcServerConfig): Iterable<string> {
  const { max_recv_msg_size_mib: size, read_buffer_size: read, write_buffer_size: write } = config
  if (size < 0 || size > MAX_MIB) {
    yield `invalid max_recv_msg_size_mib value, must be between 1 and ${MAX_MIB}: ${size}`
  }
  if (read < 0) yield `invalid read_buffer_size value: ${read}`
  if (write < 0) yield `invalid write_buffer_size value: ${write}`
  if (config.tls !== undefined) for (const fault of checkServerTls(config.tls)) yield `tls: ${fault}`
}
