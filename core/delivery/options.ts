import { type Static, t } from '#core/config'

/** The defaults that differ from exporter to exporter; what is left out is as in the Collector's exporter helper. */
export interface DeliveryDefaults {
  /** Default `5s`. `0s`: no timeout. */
  readonly timeout?: string
  /** Whether `retry_on_failure` is on unless disabled. Default `on`. */
  readonly retry?: 'on' | 'off'
  /** Whether `sending_queue` is on unless disabled, or off unless written. Default `on`. */
  readonly queue?: 'on' | 'off'
  /** Default 10. */
  readonly numConsumers?: number
  /** In requests. Default 1000. */
  readonly queueSize?: number
  /** Default false. */
  readonly blockOnOverflow?: boolean
}

const SIZERS = ['requests', 'items', 'bytes'] as const

/** In what a queue or batch is measured: requests, spans / data points / log records, or bytes of protobuf. */
export type SizerName = (typeof SIZERS)[number]

const partition = t.section(
  {
    metadata_keys: t.list(t.string({ description: 'The name of a header or gRPC metadata key.' }), {
      default: [],
      description: 'Batch requests apart by the values of these metadata keys, regardless of case.',
    }),
  },
  { description: 'Which requests may share a batch.' },
)

const batch = t.section({
  flush_timeout: t.duration({ default: '200ms', description: 'Send a batch after this long, whatever its size.' }),
  min_size: t.integer({ default: 8192, description: 'Send a batch once it is this large, in units of its `sizer`.' }),
  max_size: t.integer({
    default: 0,
    description: 'Split batches larger than this, in units of `sizer`. `0` means no limit.',
  }),
  sizer: t.optional(
    t.oneOf(SIZERS, {
      description: 'What `min_size` and `max_size` count, `items` or `bytes`; as the queue measures, else `items`.',
    }),
  ),
  partition,
})

const retry = t.section({
  initial_interval: t.duration({ default: '5s', description: 'How long to wait after the first failure.' }),
  randomization_factor: t.number({
    default: 0.5,
    description: 'Each wait is drawn from the interval plus or minus this share of it, 0 to 1.',
  }),
  multiplier: t.number({ default: 1.5, description: 'How much longer each wait is than the one before.' }),
  max_interval: t.duration({ default: '30s', description: 'The longest interval between two attempts.' }),
  max_elapsed_time: t.duration({
    default: '5m',
    description: 'Give a request up once the next attempt would come later than this after the first. `0s`: never.',
  }),
})

/** The sections `sending_queue` and what it holds, as a component receives them. */
export type QueueConfig = Static<ReturnType<typeof queueSection>>
export type BatchConfig = Static<typeof batch>
export type RetryConfig = Static<typeof retry>

/** The part of an exporter's configuration that delivery reads. */
export interface DeliveryConfig {
  /** Milliseconds for each attempt, 0 for no limit. */
  readonly timeout: number
  /** `undefined`: failed requests are not tried again. */
  readonly retry_on_failure: RetryConfig | undefined
  /** `undefined`: the sender waits for the destination's answer. */
  readonly sending_queue: QueueConfig | undefined
}

/** Option fields for the top level of an exporter's configuration. */
export type DeliveryFields = ReturnType<typeof deliveryFields>

/**
 * The options `timeout`, `retry_on_failure` and `sending_queue` with the Collector's keys and defaults
 * (exporterhelper, configretry), for the `t.section` of an exporter. Pair with {@link checkDelivery}.
 */
export function deliveryFields(defaults: DeliveryDefaults = {}) {
  const retryText = { description: 'Try again what the destination could not take.' }
  const queueText = { description: 'Hold requests while the destination is busy or away, and send several at a time.' }
  const queue = queueSection(defaults)
  return {
    timeout: t.duration({
      default: defaults.timeout ?? '5s',
      description: 'How long one attempt to send may take. `0s`: no limit.',
    }),
    retry_on_failure: defaults.retry === 'off' ? t.whenPresent(retry, retryText) : t.unlessDisabled(retry, retryText),
    sending_queue: defaults.queue === 'off' ? t.whenPresent(queue, queueText) : t.unlessDisabled(queue, queueText),
  }
}

function queueSection(defaults: DeliveryDefaults) {
  return t.section({
    num_consumers: t.integer({
      default: defaults.numConsumers ?? 10,
      description: 'How many requests are sent at the same time.',
    }),
    queue_size: t.integer({
      default: defaults.queueSize ?? 1000,
      description: 'How much the queue holds, requests under way included, in units of `sizer`.',
    }),
    sizer: t.oneOf(SIZERS, { default: 'requests', description: 'What `queue_size` counts.' }),
    block_on_overflow: t.boolean({
      default: defaults.blockOnOverflow ?? false,
      description: 'Let senders wait for room in a full queue instead of refusing them.',
    }),
    wait_for_result: t.boolean({
      default: false,
      description: 'Answer a sender only when its request has been sent, and with what came of it.',
    }),
    storage: t.optional(
      t.componentId({ description: 'The storage extension that keeps the queue over a restart. Without: in memory.' }),
    ),
    drain_timeout: t.duration({
      default: '10s',
      description: 'How long a shutdown goes on sending and retrying what is queued. Not an option of the Collector.',
    }),
    batch: t.whenPresent(batch, { description: 'Merge queued requests into larger ones before sending.' }),
  })
}
