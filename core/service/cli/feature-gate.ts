export type Stage = 'Alpha' | 'Beta' | 'Stable' | 'Deprecated'

/** A switch for behaviour that is not settled yet, by the Collector's name. */
export interface FeatureGate {
  readonly id: string
  readonly stage: Stage
  readonly description: string
  /** Version of the Collector that introduced it. */
  readonly fromVersion: string
  readonly toVersion?: string
}

const NO_EFFECT = 'Accepted so that command lines of the Collector run; changes nothing here'

/** The gates of the Collector's core, so that command lines written for it are understood. Sorted by id. */
export const FEATURE_GATES: readonly FeatureGate[] = [
  {
    id: 'confmap.enableMergeAppendOption',
    stage: 'Alpha',
    description: 'Joins lists of receivers, exporters and extensions when several sources are merged',
    fromVersion: 'v0.120.0',
  },
  { id: 'pdata.useProtoPooling', stage: 'Alpha', description: NO_EFFECT, fromVersion: 'v0.133.0' },
  { id: 'pkg.exporterhelper.queueBatchEnabled', stage: 'Alpha', description: NO_EFFECT, fromVersion: 'v0.158.0' },
  { id: 'receiverhelper.newReceiverMetrics', stage: 'Alpha', description: NO_EFFECT, fromVersion: 'v0.138.0' },
  {
    id: 'service.AllowNoPipelines',
    stage: 'Alpha',
    description: 'Allows a configuration without receivers, exporters and pipelines',
    fromVersion: 'v0.122.0',
  },
  {
    id: 'service.partialReload',
    stage: 'Alpha',
    description: 'Accepted so that command lines of the Collector run; a reload is always partial here',
    fromVersion: 'v0.157.0',
  },
  {
    id: 'service.partialReloadReceivers',
    stage: 'Beta',
    description: 'Accepted so that command lines of the Collector run; a reload is always partial here',
    fromVersion: 'v0.157.0',
  },
  {
    id: 'service.profilesSupport',
    stage: 'Alpha',
    description: 'Allows pipelines of profiles',
    fromVersion: 'v0.112.0',
  },
  { id: 'telemetry.newPipelineTelemetry', stage: 'Alpha', description: NO_EFFECT, fromVersion: 'v0.123.0' },
]

/**
 * Which gates are on after reading values of `--feature-gates`: ids separated by commas, `-id` switches off, `id` and
 * `+id` on.
 * @throws {Error} in the Collector's words
 */
export function enabledGates(values: readonly string[], gates: readonly FeatureGate[] = FEATURE_GATES): Set<string> {
  const enabled = new Set(gates.filter(({ stage }) => stage === 'Beta' || stage === 'Stable').map(({ id }) => id))
  for (const value of values.filter(text => text !== '')) {
    for (const [index, text] of value.split(',').entries()) {
      if (text === '') throw new Error(`empty feature gate identifier at index ${index}`)
      const on = !text.startsWith('-')
      const id = text.replace(/^[-+]/, '')
      const gate = gates.find(one => one.id === id)
      if (gate === undefined) {
        throw new Error(`no such feature gate "${id}". valid gates: [${gates.map(one => one.id).join(' ')}]`)
      }
      if (gate.stage === 'Stable' && !on) throw new Error(`feature gate "${id}" is stable, can not be disabled`)
      if (gate.stage === 'Deprecated' && on) throw new Error(`feature gate "${id}" is deprecated, can not be enabled`)
      if (on) enabled.add(id)
      else enabled.delete(id)
    }
  }
  return enabled
}
