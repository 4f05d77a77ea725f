import { type Static, t } from '#core/config'
import { duplicateKeyFaults } from '#core/delivery'

export const batchConfig = t.section({
  timeout: t.duration({
    default: '200ms',
    description: 'Send a batch after this long, whatever its size. `0s`: send at once.',
  }),
  send_batch_size: t.integer({
    default: 8192,
    minimum: 0,
    description: 'Send a batch once it holds this many spans, data points or log records. `0`: send at once.',
  }),
  send_batch_max_size: t.integer({
    default: 0,
    minimum: 0,
    description: 'Split batches larger than this. `0` means no limit.',
  }),
  metadata_keys: t.list(t.string({ description: 'The name of a header or gRPC metadata key.' }), {
    default: [],
    description: 'Batch requests apart by the values of these metadata keys, regardless of case.',
  }),
  metadata_cardinality_limit: t.integer({
    default: 1000,
    minimum: 0,
    description: 'Refuse requests that would bring more than this many combinations of values. `0` means no limit.',
  }),
  wait_for_result: t.boolean({
    default: false,
    description:
      'Answer a sender only when its items have been handed on, and with what came of it. Not an option of the Collector.',
  }),
})

export type BatchConfig = Static<typeof batchConfig>

/** The Collector's own sentences for faults that span keys. */
export function* checkBatchConfig(config: BatchConfig): Iterable<string> {
  const { send_batch_size: size, send_batch_max_size: max } = config
  if (max > 0 && max < size) yield 'send_batch_max_size must be greater or equal to send_batch_size'
  yield* duplicateKeyFaults(config.metadata_keys)
  if (config.timeout < 0) yield 'timeout must be greater or equal to 0'
}
