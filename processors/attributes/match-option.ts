import { type Static, t } from '#core/config'
import { compileGoRegExp } from '#core/transform'

const keyed = t.section({
  key: t.string({ default: '', description: 'The attribute that must be there.' }),
  value: t.optional(t.any({ description: 'The value it must have, of the same type; any value when not written.' })),
})

const library = t.section({
  name: t.string({ default: '', description: 'The name of the instrumentation scope.' }),
  version: t.optional(t.string({ description: 'Its version; any when not written, none when empty.' })),
})

const texts = (description: string) => t.list(t.string({ description: 'One of them.' }), { default: [], description })

const match = t.section({
  match_type: t.oneOf(['strict', 'regexp'], {
    description: 'Whether texts below are to be equal, or are regular expressions that match some part.',
  }),
  regexp: t.section(
    {
      cacheenabled: t.boolean({ default: false, description: 'Accepted, without effect.' }),
      cachemaxnumentries: t.integer({ default: 0, minimum: 0, description: 'Accepted, without effect.' }),
    },
    { description: 'Accepted, without effect: matching needs no cache.' },
  ),
  services: texts('Spans: `service.name` of the resource is one of these.'),
  span_names: texts('Spans: the name is one of these.'),
  span_kinds: texts('Spans: the kind is one of these, for example `SPAN_KIND_SERVER`.'),
  log_bodies: texts('Log records: the body is one of these.'),
  log_severity_texts: texts('Log records: the severity text is one of these.'),
  log_severity_number: t.optional(
    t.section(
      {
        min: t.integer({ default: 0, description: 'The lowest severity number that matches, 1 to 24.' }),
        match_undefined: t.boolean({ default: false, description: 'Whether records without a severity match.' }),
      },
      { description: 'Log records: the severity is at least this.' },
    ),
  ),
  metric_names: texts('Metrics: the name is one of these.'),
  attributes: t.list(keyed, { default: [], description: 'Spans and log records: all of these attributes are there.' }),
  resources: t.list(keyed, { default: [], description: 'All of these attributes of the resource are there.' }),
  libraries: t.list(library, {
    default: [],
    description: 'Spans and log records: the instrumentation scope fits all of these.',
  }),
})

/** Conditions on records as received. */
export type MatchConfig = Static<typeof match>

/** The option for conditions on records, which all must hold. Pair with {@link checkMatch}. */
export function matchOption(description: string) {
  return t.optional({ ...match, description })
}

/** Faults that do not depend on the signal. */
export function* checkMatch(config: MatchConfig): Iterable<string> {
  for (const { key, value } of [...config.attributes, ...config.resources]) {
    if (key === '') yield "can't have empty key in the list of attributes"
    if (config.match_type === 'regexp' && value != null && typeof value !== 'string') {
      yield `match_type=regexp for "${key}" only supports Str, but found ${kindOf(value)}`
    }
  }
  if (config.match_type !== 'regexp') return
  for (const pattern of patternsOf(config)) {
    try {
      compileGoRegExp(pattern)
    } catch (error) {
      yield `error parsing regexp: ${(error as Error).message}: \`${pattern}\``
    }
  }
}

function patternsOf(config: MatchConfig): string[] {
  return [
    ...TEXT_LISTS.flatMap(list => config[list]),
    ...[...config.attributes, ...config.resources].flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    ...config.libraries.flatMap(({ name, version }) => (version === undefined ? [name] : [name, version])),
  ]
}

const TEXT_LISTS = ['services', 'span_names', 'span_kinds', 'log_bodies', 'log_severity_texts', 'metric_names'] as const

function kindOf(value: unknown): string {
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'Int'
  if (typeof value === 'number') return 'Double'
  return Array.isArray(value) ? 'Slice' : 'Map'
}
