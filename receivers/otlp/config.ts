import { type Static, t } from '#core/config'
import { checkGrpcServer, checkHttpServer, grpcServerFields, httpServerFields } from '#core/net'

const grpc = t.section(grpcServerFields({ endpoint: 'localhost:4317', read_buffer_size: 512 << 10 }))

const http = t.section({
  ...httpServerFields({
    endpoint: 'localhost:4318',
    write_timeout: '0s',
    read_header_timeout: '0s',
    idle_timeout: '0s',
  }),
  traces_url_path: t.string({
    default: '/v1/traces',
    description: 'Path that takes traces; a missing leading `/` is added.',
  }),
  metrics_url_path: t.string({
    default: '/v1/metrics',
    description: 'Path that takes metrics; a missing leading `/` is added.',
  }),
  logs_url_path: t.string({
    default: '/v1/logs',
    description: 'Path that takes logs; a missing leading `/` is added.',
  }),
})

export const otlpReceiverConfig = t.section({
  protocols: t.section(
    {
      grpc: t.whenPresent(grpc, { description: 'OTLP/gRPC.' }),
      http: t.whenPresent(http, { description: 'OTLP/HTTP, with protobuf and JSON bodies.' }),
    },
    { description: 'What is spoken; a protocol starts when its key is present.' },
  ),
  either_protocol: t.boolean({
    default: true,
    description: 'Serves OTLP/HTTP on the gRPC port too, and OTLP/gRPC on the HTTP port.',
  }),
  invalid_utf8: t.oneOf(['repair', 'refuse'], {
    default: 'repair',
    description: 'Strings that are not UTF-8: put U+FFFD in place of the bad bytes, or refuse the request.',
  }),
})

export type OtlpReceiverConfig = Static<typeof otlpReceiverConfig>
export type OtlpHttpConfig = Static<typeof http>

export function* checkOtlpReceiverConfig({ protocols }: OtlpReceiverConfig): Iterable<string> {
  if (protocols.grpc === undefined && protocols.http === undefined) {
    yield 'must specify at least one protocol when using the OTLP receiver'
  }
  if (protocols.grpc !== undefined) {
    for (const fault of checkGrpcServer(protocols.grpc)) yield `protocols::grpc: ${fault}`
  }
  if (protocols.http !== undefined) {
    for (const fault of checkHttpServer(protocols.http)) yield `protocols::http: ${fault}`
  }
}
