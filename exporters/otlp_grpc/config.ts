import { type Static, t } from '#core/config'
import { checkDelivery, deliveryFields } from '#core/delivery'
import { checkGrpcClient, grpcClientFields } from '#core/net'

/** The options of the `otlp_grpc` exporter. */
export const otlpGrpcConfig = t.section({
  ...grpcClientFields({ compression: 'gzip', write_buffer_size: 512 * 1024 }),
  ...deliveryFields(),
})
export type OtlpGrpcConfig = Static<typeof otlpGrpcConfig>

/** Faults across options. */
export function* checkOtlpGrpc(config: OtlpGrpcConfig): Iterable<string> {
  if (config.endpoint === '') yield 'requires a non-empty "endpoint"'
  yield* checkGrpcClient(config)
  yield* checkDelivery(config)
}
