import type { BatchConfig, DeliveryConfig, QueueConfig, RetryConfig } from './options.ts'
import { batchSizer } from './sizer.ts'

/**
 * Faults in the delivery options that span keys or need the Collector's own sentence, each prefixed with its path.
 * For an exporter's `check`. Negative durations never come this far: the vocabulary of options has none.
 */
export function* checkDelivery(config: DeliveryConfig): Generator<string> {
  const { retry_on_failure: retry, sending_queue: queue } = config
  if (retry !== undefined) for (const fault of retryFaults(retry)) yield `retry_on_failure: ${fault}`
  if (queue === undefined) return
  for (const fault of queueFaults(queue)) yield `sending_queue: ${fault}`
  if (queue.batch === undefined) return
  for (const fault of batchFaults(queue.batch, queue)) yield `sending_queue::batch: ${fault}`
  for (const fault of duplicateKeyFaults(queue.batch.partition.metadata_keys)) {
    yield `sending_queue::batch::partition: ${fault}`
  }
}

function* retryFaults(retry: RetryConfig): Generator<string> {
  if (retry.multiplier < 0) yield 'multiplier value must be greater than or equal to 0'
  if (retry.randomization_factor < 0) yield 'randomization_factor value must be greater than or equal to 0'
  if (retry.randomization_factor > 1) yield 'randomization_factor value must be less than or equal to 1'
  if (retry.max_elapsed_time <= 0) return
  for (const key of ['initial_interval', 'max_interval'] as const) {
    if (retry.max_elapsed_time < retry[key]) yield `'max_elapsed_time' must not be less than '${key}'`
  }
}

function* queueFaults(queue: QueueConfig): Generator<string> {
  if (queue.num_consumers <= 0) yield '`num_consumers` must be positive'
  if (queue.queue_size <= 0) yield '`queue_size` must be positive'
  if (queue.storage !== undefined && queue.wait_for_result) {
    yield '`wait_for_result` is not supported with a persistent queue configured with `storage`'
  }
  if (queue.batch !== undefined && batchSizer(queue) === queue.sizer && queue.batch.min_size > queue.queue_size) {
    yield '`min_size` must be less than or equal to `queue_size`'
  }
}

function* batchFaults(batch: BatchConfig, queue: QueueConfig): Generator<string> {
  if (batchSizer(queue) === 'requests') yield '`batch` supports only `items` or `bytes` sizer, found "requests"'
  if (batch.flush_timeout === 0) yield '`flush_timeout` must be positive, found 0'
  if (batch.min_size < 0) yield `\`min_size\` must be non-negative, found ${batch.min_size}`
  if (batch.max_size < 0) yield `\`max_size\` must be non-negative, found ${batch.max_size}`
  if (batch.max_size > 0 && batch.max_size < batch.min_size) {
    yield `\`max_size\` (${batch.max_size}) must be greater or equal to \`min_size\` (${batch.min_size})`
  }
}

/** Lower-cased keys that occur twice, in the Collector's words. */
export function* duplicateKeyFaults(keys: readonly string[]): Generator<string> {
  const seen = new Set<string>()
  for (const key of keys) {
    const lower = key.toLowerCase()
    if (seen.has(lower)) yield `duplicate entry in metadata_keys: "${lower}" (case-insensitive)`
    seen.add(lower)
  }
}
