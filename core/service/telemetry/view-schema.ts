import { type Static, t } from '#core/config'

const names = (description: string) =>
  t.list(t.string({ description: 'A name; `*` and `?` stand for any characters.' }), { default: [], description })

const selector = t.section(
  {
    instrument_name: t.string({ default: '', description: 'Name; `*` and `?` stand for any characters.' }),
    instrument_type: t.optional(
      t.oneOf(
        [
          'counter',
          'gauge',
          'histogram',
          'observable_counter',
          'observable_gauge',
          'observable_up_down_counter',
          'up_down_counter',
        ],
        { description: 'Kind of instrument.' },
      ),
    ),
    unit: t.string({ default: '', description: 'Unit, for example `By`.' }),
    meter_name: t.string({ default: '', description: 'Instrumentation scope; here `millrace` for all.' }),
    meter_version: t.string({ default: '', description: 'Its version; instruments here have none.' }),
    meter_schema_url: t.string({ default: '', description: 'Its schema; instruments here have none.' }),
  },
  { description: 'The instruments it is for; all that is written must fit.' },
)

const nothing = t.section({})
const aggregation = t.section(
  {
    default: t.whenPresent(nothing, { description: 'As declared.' }),
    drop: t.whenPresent(nothing, { description: 'Leaves the instrument out.' }),
    last_value: t.whenPresent(nothing, { description: 'As declared: gauges tell their last value.' }),
    sum: t.whenPresent(nothing, { description: 'As declared: counters tell their sum.' }),
    explicit_bucket_histogram: t.whenPresent(
      t.section({
        boundaries: t.list(t.number({ description: 'Upper bound of a bucket.' }), {
          default: [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000],
          description: 'Upper bounds of the buckets, rising.',
        }),
        record_min_max: t.boolean({ default: true, description: 'Accepted for compatibility.' }),
      }),
      { description: 'Other buckets for a histogram.' },
    ),
  },
  { description: 'What is made of what is recorded.' },
)

/** An entry of `metrics::views`, in the form of the OpenTelemetry configuration schema 0.3. */
export const view = t.section({
  selector,
  stream: t.section(
    {
      name: t.string({ default: '', description: 'Another name.' }),
      description: t.string({ default: '', description: 'Another description.' }),
      aggregation,
      attribute_keys: t.section(
        { included: names('Labels that are kept; none: all.'), excluded: names('Labels among them that are not.') },
        { description: 'Which labels are kept; series that become equal are added up.' },
      ),
    },
    { description: 'What becomes of them.' },
  ),
})
export type ViewConfig = Static<typeof view>

/** Faults of one view. */
export function* checkView({ stream }: ViewConfig): Iterable<string> {
  const boundaries = stream.aggregation.explicit_bucket_histogram?.boundaries ?? []
  if (boundaries.some((bound, i) => i > 0 && bound <= boundaries[i - 1]!)) {
    yield `stream::aggregation::explicit_bucket_histogram::boundaries: must rise, got ${boundaries.join(', ')}`
  }
}
