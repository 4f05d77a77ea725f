import { type Component, type Consumer, PartialError, type PipelineContext } from '#core/component'
import { processEnvironment } from '#core/config'
import type { Payload, Signal } from '#core/data'
import { createDelivery } from '#core/delivery'
import { createGrpcClient, type GrpcClient, partialSuccess, resolveClientAuthenticator, userAgent } from '#core/net'
import type { OtlpGrpcConfig } from './config.ts'
import { serverLabels } from './labels.ts'

/** Source: opentelemetry-proto, the collector services. */
const METHOD = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  profiles: '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
} as const satisfies Record<Signal, string>

/** An exporter that calls the export service of each signal. */
export function createOtlpGrpcExporter(config: OtlpGrpcConfig, context: PipelineContext): Component & Consumer {
  let client: GrpcClient | undefined
  return createDelivery({
    config,
    context,
    labels: serverLabels(config.endpoint),
    async start(host) {
      const authenticator = resolveClientAuthenticator(config.auth, host)
      client = await createGrpcClient(config, {
        clock: context.clock,
        logger: context.logger,
        userAgent: userAgent(context.build),
        environment: processEnvironment(),
        ...(authenticator === undefined ? {} : { authenticator }),
      })
    },
    async send(payload, sending) {
      const answer = await client!.call(METHOD[payload.signal], payload.pieces(), {
        timeout: config.timeout,
        signal: sending.signal,
        sender: sending,
        ...(sending.traceparent === undefined ? {} : { metadata: { traceparent: sending.traceparent } }),
      })
      judge(payload, answer, context)
    },
    async shutdown() {
      await client?.close()
    },
  })
}

/** A partial success is told as such; one that rejects nothing is a warning. */
function judge(payload: Payload, answer: Buffer, context: PipelineContext): void {
  if (answer.length === 0) return
  const partial = partialSuccess(answer)
  if (partial === undefined) return
  if (partial.rejected > 0) throw new PartialError(Math.min(partial.rejected, payload.items), partial.message)
  context.logger.warn('Partial success response', { message: partial.message })
}
