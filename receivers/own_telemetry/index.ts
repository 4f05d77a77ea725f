import { defineReceiver } from '#core/component'
import { checkOwnTelemetry, ownTelemetryConfig } from './config.ts'
import { OwnTelemetryReceiver } from './receiver.ts'

/** Receives what the collector tells about itself: its own spans, metrics and logs. */
export const ownTelemetryReceiver = defineReceiver({
  type: 'own_telemetry',
  description: 'Receives what the collector tells about itself: its own spans, metrics and logs.',
  stability: { traces: 'beta', metrics: 'beta', logs: 'beta' },
  config: ownTelemetryConfig,
  check: checkOwnTelemetry,
  create: (config, next, context) => new OwnTelemetryReceiver(config, next, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { ownTelemetryReceiver as ownTelemetry }
