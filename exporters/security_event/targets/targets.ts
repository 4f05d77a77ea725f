import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { datadogTarget } from './datadog.ts'
import { dynatraceTarget } from './dynatrace.ts'
import { elasticTarget } from './elastic.ts'
import { googleSecopsTarget } from './google-secops.ts'
import { RETRYABLE } from './judge-status.ts'
import type { Preset } from './presets.ts'
import { sentinelTarget } from './sentinel.ts'
import { splunkHecTarget } from './splunk-hec.ts'
import { sumoLogicTarget } from './sumo-logic.ts'
import type { Target } from './target.ts'
import { webhookTarget } from './webhook.ts'

/** A kind of receiver: how to make one, what format it prefers, and which answers mean "later". */
interface PresetDefinition {
  readonly create: (config: SecurityEventConfig, format: FormatName, retryable: readonly number[]) => Target
  readonly format: FormatName
  readonly retryable: readonly number[]
  /** Added to an endpoint without a path. */
  readonly path: string
}

/** Sources: the vendors' documentation of their ingest interfaces; see the README's table. */
export const PRESET: Readonly<Record<Preset, PresetDefinition>> = {
  webhook: { create: webhookTarget, format: 'flat', retryable: RETRYABLE, path: '' },
  dynatrace: {
    create: dynatraceTarget,
    format: 'flat',
    retryable: RETRYABLE,
    path: '/platform/ingest/v1/security.events',
  },
  splunk_hec: {
    create: splunkHecTarget,
    format: 'flat',
    retryable: [...RETRYABLE, 507],
    path: '/services/collector/event',
  },
  elastic: { create: elasticTarget, format: 'ecs', retryable: RETRYABLE, path: '/_bulk' },
  datadog: { create: datadogTarget, format: 'flat', retryable: RETRYABLE, path: '/api/v2/logs' },
  sentinel: { create: sentinelTarget, format: 'flat', retryable: RETRYABLE, path: '' },
  google_secops: { create: googleSecopsTarget, format: 'flat', retryable: RETRYABLE, path: '' },
  sumo_logic: { create: sumoLogicTarget, format: 'flat', retryable: RETRYABLE, path: '/receiver/v1/http/' },
}

/** The target that a configuration names. Headers that the user wrote win over its own. */
export function targetOf(config: SecurityEventConfig): Target {
  const preset = PRESET[config.preset]
  const url = new URL(config.endpoint)
  if (url.pathname === '/' && preset.path !== '') url.pathname = preset.path
  const { format = preset.format, retry_on_status: retryable = preset.retryable } = config
  const target = preset.create({ ...config, endpoint: url.href }, format, retryable)
  const written = new Set(Object.keys(config.headers).map(name => name.toLowerCase()))
  const headers = Object.entries(target.headers).filter(([name]) => !written.has(name))
  return { ...target, headers: Object.fromEntries(headers) }
}
