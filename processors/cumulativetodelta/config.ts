import { type Static, t } from '#core/config'
import { compileGoRegExp } from '#core/transform'

/** The types of metrics that can be converted, as configurations name them, in any case. */
export const METRIC_TYPES = ['exponentialhistogram', 'histogram', 'sum'] as const

const match = (which: string) =>
  t.section(
    {
      match_type: t.optional(
        t.oneOf(['strict', 'regexp'], {
          description: 'Whether `metrics` are names, or regular expressions that match some part of one.',
        }),
      ),
      regexp: t.optional(
        t.section(
          {
            cacheenabled: t.boolean({ default: false, description: 'Accepted, without effect.' }),
            cachemaxnumentries: t.integer({ default: 0, minimum: 0, description: 'Accepted, without effect.' }),
          },
          { description: 'Accepted, without effect: matching needs no cache.' },
        ),
      ),
      metrics: t.list(t.string({ description: 'A name or a regular expression.' }), {
        default: [],
        description: `Metrics to ${which}, by name. Needs \`match_type\`.`,
      }),
      metric_types: t.list(t.string({ description: 'A type.' }), {
        default: [],
        description: `Types of metrics to ${which}: \`sum\`, \`histogram\`, \`exponentialhistogram\`.`,
      }),
    },
    { description: `Which metrics to ${which}.` },
  )

/** The options of the `cumulativetodelta` processor. */
export const cumulativeToDeltaConfig = t.section({
  include: match('convert'),
  exclude: match('leave as they are'),
  max_staleness: t.duration({
    default: '1h',
    description: 'How long a series of which nothing comes is remembered. `0s`: for ever.',
  }),
  initial_value: t.oneOf(['auto', 'keep', 'drop'], {
    default: 'auto',
    description:
      'What becomes of the first point of a series: `keep` passes it on as a delta, `drop` only remembers it, `auto` passes it on if its series began after this processor did.',
  }),
  reset_value: t.oneOf(['drop', 'keep'], {
    default: 'drop',
    description:
      'What becomes of a point whose value has fallen although its start time says nothing of a restart: `drop` only remembers it, `keep` passes it on as a delta. Not an option of the Collector.',
  }),
})
export type CumulativeToDeltaConfig = Static<typeof cumulativeToDeltaConfig>
export type MatchMetrics = CumulativeToDeltaConfig['include']

/** Faults across options, in the Collector's words. */
export function* checkCumulativeToDelta({ include, exclude }: CumulativeToDeltaConfig): Iterable<string> {
  const sections = { include, exclude }
  for (const [name, { match_type, metrics }] of Object.entries(sections)) {
    if (metrics.length > 0 && match_type === undefined) yield `${name}: match_type must be set if metrics are supplied`
    if (metrics.length === 0 && match_type !== undefined) yield `${name}: metrics must be supplied if match_type is set`
  }
  for (const [name, { metric_types }] of Object.entries(sections)) {
    for (const type of metric_types) {
      if ((METRIC_TYPES as readonly string[]).includes(type.toLowerCase())) continue
      yield `${name}::metric_types: found invalid metric type in ${name}.metric_types: ${type}. Valid values are [${METRIC_TYPES.join(' ')}]`
    }
  }
  for (const [name, { match_type, metrics }] of Object.entries(sections)) {
    if (match_type !== 'regexp') continue
    for (const pattern of metrics) {
      try {
        compileGoRegExp(pattern)
      } catch (error) {
        yield `${name}::metrics: error parsing regexp: ${(error as Error).message}: \`${pattern}\``
      }
    }
  }
}
