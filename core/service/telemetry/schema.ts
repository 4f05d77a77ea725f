import { type Static, t, type Written } from '#core/config'
import { checkExporter, ownProcessor, ownReader } from './export-schema.ts'
import { samplerFault } from './sampler.ts'
import { checkView, view } from './view-schema.ts'

const sampling = t.section({
  tick: t.duration({ default: '10s', description: 'The window in which equal lines are counted.' }),
  initial: t.integer({
    default: 10,
    minimum: 0,
    description: 'Lines of the same level and message printed in each window before sampling begins.',
  }),
  thereafter: t.integer({
    default: 100,
    minimum: 0,
    description: 'After that, every n-th of them is printed; `0` prints none.',
  }),
})

const LEVELS = ['none', 'basic', 'normal', 'detailed'] as const

const limits = t.section(
  {
    attribute_count_limit: limit('Attributes of a span.'),
    attribute_value_length_limit: limit('Characters of an attribute.'),
    event_count_limit: limit('Events of a span.'),
    event_attribute_count_limit: limit('Attributes of an event.'),
    link_count_limit: limit('Links of a span.'),
    link_attribute_count_limit: limit('Attributes of a link.'),
  },
  { description: 'How much own spans may hold; more is left out.' },
)

function limit(description: string) {
  return t.optional(t.integer({ minimum: 0, description }))
}

/** `service::telemetry`, with the Collector's keys and defaults. */
export const telemetrySchema = t.section({
  logs: t.section({
    level: t.oneOf(['debug', 'info', 'warn', 'error', 'dpanic', 'panic', 'fatal'], {
      anyCase: true,
      default: 'info',
      description:
        'The least severe level that is printed. `dpanic`, `panic` and `fatal` are above all that is logged.',
    }),
    development: t.boolean({ default: false, description: 'Print stack traces from `warn` on.' }),
    encoding: t.oneOf(['console', 'json'], {
      default: 'console',
      description: 'Tab-separated lines, or a JSON object a line.',
    }),
    disable_caller: t.boolean({ default: false, description: 'Leave out the file and line that logged.' }),
    disable_stacktrace: t.boolean({ default: false, description: 'Leave out stack traces of errors.' }),
    sampling: t.unlessDisabled(sampling, { description: 'Print only some of many equal lines.' }),
    output_paths: t.list(t.string({ description: 'A path, `stdout` or `stderr`.' }), {
      default: ['stderr'],
      description: 'Where lines go: paths, `stdout`, `stderr`.',
    }),
    error_output_paths: t.list(t.string({ description: 'A path, `stdout` or `stderr`.' }), {
      default: ['stderr'],
      description: 'Where faults of logging itself go.',
    }),
    initial_fields: t.map(t.any({ description: 'A value.' }), {
      default: {},
      description: 'Fields added to each line.',
    }),
    processors: t.list(ownProcessor, { default: [], description: 'Export of own logs, beside printing them.' }),
    disable_zap_resource: t.boolean({ default: false, description: 'Leave the `resource` field out of each line.' }),
  }),
  metrics: t.section({
    level: t.oneOf(LEVELS, {
      anyCase: true,
      default: 'normal',
      description: 'How many own metrics exist.',
    }),
    readers: t.list(ownReader, {
      default: [{ pull: { exporter: { prometheus: {} } } }],
      description: 'Who gets own metrics.',
    }),
    views: t.list(view, {
      default: [],
      description: 'What becomes of instruments; only at level `detailed`. The first that fits an instrument decides.',
    }),
  }),
  traces: t.section({
    level: t.oneOf(LEVELS, {
      anyCase: true,
      default: 'basic',
      description: '`none` switches own traces off; otherwise they exist once something takes them.',
    }),
    propagators: t.list(t.oneOf(['tracecontext', 'b3'], { description: 'A propagator.' }), {
      default: [],
      description: 'How trace context is read from requests.',
    }),
    processors: t.list(ownProcessor, { default: [], description: 'Export of own traces.' }),
    sampler: t.optional(
      t.any({
        description:
          'Which traces are kept: `always_on`, `always_off`, `trace_id_ratio_based` with `ratio`, or `parent_based` with a sampler for each kind of parent. Default: `parent_based` with `root: { always_on: {} }`.',
      }),
    ),
    limits,
  }),
  resource: t.map(t.any({ description: 'A value; `null` removes an automatic attribute.' }), {
    default: {},
    description:
      'Attributes of the collector itself, beside `service.name`, `service.version` and `service.instance.id`.',
  }),
})

export type TelemetryConfig = Static<typeof telemetrySchema>
/** What a program writes under `service::telemetry`. */
export type WrittenTelemetry = NonNullable<Written<typeof telemetrySchema>>

/** Faults that span several options of `service::telemetry`, in the Collector's words. */
export function* checkTelemetry({ logs, metrics, traces }: TelemetryConfig): Iterable<string> {
  if (metrics.level !== 'none' && metrics.readers.length === 0) {
    yield 'metrics: collector telemetry metrics reader should exist when metric level is not none'
  }
  if (metrics.views.length > 0 && metrics.level !== 'detailed') {
    yield 'metrics::views: service::telemetry::metrics::views can only be set when service::telemetry::metrics::level is detailed'
  }
  for (const [i, one] of metrics.views.entries()) yield* under(`metrics::views::${i}`, checkView(one))
  for (const [i, { periodic }] of metrics.readers.entries()) {
    if (periodic !== undefined) yield* under(`metrics::readers::${i}::periodic`, checkExporter(periodic.exporter))
  }
  for (const [section, { processors }] of Object.entries({ logs, traces })) {
    for (const [i, { batch, simple }] of processors.entries()) {
      const at = `${section}::processors::${i}`
      if (batch === undefined && simple === undefined) yield `${at}: batch or simple must be specified`
      if (batch !== undefined) yield* under(`${at}::batch`, checkExporter(batch.exporter))
      if (simple !== undefined) yield* under(`${at}::simple`, checkExporter(simple.exporter))
    }
  }
  const fault = samplerFault(traces.sampler)
  if (fault !== undefined) yield `traces::sampler: ${fault}`
}

function* under(path: string, faults: Iterable<string>): Iterable<string> {
  for (const fault of faults) yield `${path}::${fault}`
}
