import { type Static, t } from '#core/config'

/** The options of the `own_telemetry` receiver. */
export const ownTelemetryConfig = t.section({
  metrics_interval: t.duration({ default: '1m', description: 'How often own metrics are collected.' }),
})

export type OwnTelemetryConfig = Static<typeof ownTelemetryConfig>

/** Faults of a whole configuration. */
export function* checkOwnTelemetry({ metrics_interval }: OwnTelemetryConfig): Iterable<string> {
  if (metrics_interval <= 0) yield 'metrics_interval: must be greater than zero'
}
