import type { Signal } from '#core/data'
import type { UnaryHandler } from '#core/net'
import type { Intake } from './intake.ts'
import { encodeResponse } from './response.ts'

const METHOD = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  profiles: '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
} as const satisfies Record<Signal, string>

/** The export services of the wired signals. */
export function grpcMethods(intake: Intake): ReadonlyMap<string, UnaryHandler> {
  return new Map(
    intake.signals.map(signal => [
      METHOD[signal],
      async (message, context) => encodeResponse(await intake.take(signal, message, 'protobuf', context)),
    ]),
  )
}
