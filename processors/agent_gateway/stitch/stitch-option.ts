import { type Static, t } from '#core/config'

/** How traces are stitched. Off with `enabled: false`. */
export const stitchOption = t.unlessDisabled(
  t.section({
    window: t.duration({
      default: '2s',
      description:
        'How long the spans of a trace wait for each other, from the first one on. The gateway sends spans as they end, so the longest turn that is to be seen whole decides.',
    }),
    max_hold: t.duration({
      default: '2s',
      description:
        'The longest window for which senders are kept waiting for their acknowledgement; exporters give up after 10 s by default. A longer window needs `storage`.',
    }),
    storage: t.optional(
      t.componentId({
        description:
          'The storage extension in which spans wait. With it they are acknowledged once stored, and survive a crash.',
      }),
    ),
    run_keys: t.list(t.string({ description: 'The name of an attribute; `<prefix>` stands for the prefix.' }), {
      default: ['<prefix>.run.id', '<prefix>.runId'],
      description: 'Attributes that name a run: traces with the same value become one, late ones too.',
    }),
    session_keys: t.list(t.string({ description: 'The name of an attribute; `<prefix>` stands for the prefix.' }), {
      default: ['<prefix>.session.key', '<prefix>.sessionKey', 'gen_ai.conversation.id'],
      description:
        'Attributes that name a session: traces with the same value become one when they overlap in time, since a session has many turns one after the other.',
    }),
    join_by_time: t.boolean({
      default: true,
      description:
        'Join traces without keys where names and times leave one possibility only: a message or harness around its run, a process within its tool call. Never guesses between two.',
    }),
    keep_remote_parents: t.boolean({
      default: true,
      description:
        'Leave alone spans of kind server or consumer whose parent is missing and not said to be local: it lives in the service that called.',
    }),
    services: t.list(t.string({ description: 'A `service.name`.' }), {
      default: [],
      description:
        'The services whose spans are stitched; those of others are never changed. Empty: in each trace, those that have spans of scope `<prefix>` or with names that begin with it.',
    }),
    mark: t.string({
      default: 'millrace.stitch',
      description:
        'Spans that were changed say so in attributes of this name: `.reason`, and `.parent_span_id` or `.trace_id` with what stood there. Empty: no attributes.',
    }),
    max_spans: t.integer({
      default: 20_000,
      minimum: 1,
      description: 'Spans that may wait; beyond, the oldest trace leaves early.',
    }),
    max_traces: t.integer({
      default: 5000,
      minimum: 1,
      description: 'Traces that may wait; beyond, the oldest one leaves early.',
    }),
    max_bytes: t.bytes({
      default: '64MiB',
      description: 'Bytes of spans that may wait; beyond, the oldest trace leaves early.',
    }),
    remember_spans: t.integer({
      default: 100_000,
      minimum: 0,
      description: 'Spans that have left and are remembered, so that late ones of their traces find parent and root.',
    }),
  }),
  { description: 'Stitch traces: one root each, no parent that never comes. Acts on traces only.' },
)

export type StitchConfig = NonNullable<Static<typeof stitchOption>>
