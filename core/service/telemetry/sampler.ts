import type { Sampler } from '@opentelemetry/sdk-trace'

type Sdk = typeof import('@opentelemetry/sdk-trace')

/** A sampler as it is written: one key, which names it, and its options. */
type Written = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>

const PARENTS = [
  ['remote_parent_sampled', 'remoteParentSampled'],
  ['remote_parent_not_sampled', 'remoteParentNotSampled'],
  ['local_parent_sampled', 'localParentSampled'],
  ['local_parent_not_sampled', 'localParentNotSampled'],
] as const

/** What is wrong with `service::telemetry::traces::sampler`, if anything is. */
export function samplerFault(written: unknown): string | undefined {
  if (written === undefined || written === null) return undefined
  const entries = typeof written === 'object' ? Object.entries(written as Written) : []
  if (entries.length !== 1) return 'must name one sampler'
  const [kind, options] = entries[0]!
  if (kind === 'always_on' || kind === 'always_off') return undefined
  if (kind === 'trace_id_ratio_based') {
    const ratio = options?.ratio ?? 1
    const good = typeof ratio === 'number' && ratio >= 0 && ratio <= 1
    return good ? undefined : `trace_id_ratio_based::ratio must be between 0 and 1, got ${JSON.stringify(ratio)}`
  }
  if (kind !== 'parent_based') return `unsupported sampler ${JSON.stringify(kind)}`
  const known = ['root', ...PARENTS.map(([key]) => key)]
  const stranger = Object.keys(options ?? {}).find(key => !known.includes(key as (typeof known)[number]))
  if (stranger !== undefined) return `parent_based has no ${JSON.stringify(stranger)}`
  return known.map(key => samplerFault(options?.[key])).find(fault => fault !== undefined)
}

/** The sampler that was written, `parent_based` with a root that samples everything when none was. */
export function samplerOf(sdk: Sdk, written: unknown): Sampler {
  const [kind, options] = Object.entries((written ?? { parent_based: null }) as Written)[0]!
  switch (kind) {
    case 'always_off':
      return new sdk.AlwaysOffSampler()
    case 'trace_id_ratio_based':
      return new sdk.TraceIdRatioBasedSampler(Number(options?.ratio ?? 1))
    case 'parent_based': {
      const parents = PARENTS.filter(([key]) => options?.[key] != null)
      return new sdk.ParentBasedSampler({
        root: samplerOf(sdk, options?.root ?? { always_on: null }),
        ...Object.fromEntries(parents.map(([key, name]) => [name, samplerOf(sdk, options?.[key])])),
      })
    }
    default:
      return new sdk.AlwaysOnSampler()
  }
}
