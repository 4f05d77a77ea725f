import { describe, expect, test } from 'vitest'
import { checkDelivery } from './check.ts'
import { deliveryConfig } from './rig.test-support.ts'
import { batchSizer } from './sizer.ts'

const faultsOf = (written: unknown) => [...checkDelivery(deliveryConfig(written))]

describe('defaults', () => {
  test('are those of the Collector', () => {
    expect(deliveryConfig()).toEqual({
      timeout: 5000,
      retry_on_failure: {
        initial_interval: 5000,
        randomization_factor: 0.5,
        multiplier: 1.5,
        max_interval: 30_000,
        max_elapsed_time: 300_000,
      },
      sending_queue: {
        num_consumers: 10,
        queue_size: 1000,
        sizer: 'requests',
        block_on_overflow: false,
        wait_for_result: false,
        storage: undefined,
        drain_timeout: 10_000,
        batch: undefined,
      },
    })
    expect(faultsOf({})).toEqual([])
  })

  test('of batching apply once its key is written', () => {
    expect(deliveryConfig({ sending_queue: { batch: {} } }).sending_queue?.batch).toEqual({
      flush_timeout: 200,
      min_size: 8192,
      max_size: 0,
      sizer: undefined,
      partition: { metadata_keys: [] },
    })
  })

  test('may differ by exporter', () => {
    const config = deliveryConfig({}, { timeout: '30s', queue: 'off', retry: 'off' })
    expect(config).toEqual({ timeout: 30_000, retry_on_failure: undefined, sending_queue: undefined })
    const written = deliveryConfig({ sending_queue: {} }, { queue: 'off', numConsumers: 1, queueSize: 10 })
    expect(written.sending_queue).toMatchObject({ num_consumers: 1, queue_size: 10 })
  })

  test('go with `enabled: false`', () => {
    const off = { enabled: false }
    expect(deliveryConfig({ sending_queue: off, retry_on_failure: off })).toMatchObject({
      retry_on_failure: undefined,
      sending_queue: undefined,
    })
  })
})

describe('batches are measured', () => {
  test.each([
    ['as written', { sizer: 'items', batch: { sizer: 'bytes' } }, 'bytes'],
    ['as the queue is', { sizer: 'bytes', batch: {} }, 'bytes'],
    ['in items, where the queue counts requests', { batch: {} }, 'items'],
  ])('%s', (_, sending_queue, sizer) => {
    expect(batchSizer(deliveryConfig({ sending_queue }).sending_queue!)).toBe(sizer)
  })
})

describe('faults in the words of the Collector', () => {
  test.each([
    [
      { retry_on_failure: { randomization_factor: -0.1 } },
      'retry_on_failure: randomization_factor value must be greater than or equal to 0',
    ],
    [
      { retry_on_failure: { randomization_factor: 1.1 } },
      'retry_on_failure: randomization_factor value must be less than or equal to 1',
    ],
    [{ retry_on_failure: { multiplier: -1 } }, 'retry_on_failure: multiplier value must be greater than or equal to 0'],
    [
      { retry_on_failure: { max_elapsed_time: '4s', max_interval: '1s' } },
      "retry_on_failure: 'max_elapsed_time' must not be less than 'initial_interval'",
    ],
    [
      { retry_on_failure: { max_elapsed_time: '20s' } },
      "retry_on_failure: 'max_elapsed_time' must not be less than 'max_interval'",
    ],
    [{ sending_queue: { num_consumers: 0 } }, 'sending_queue: `num_consumers` must be positive'],
    [{ sending_queue: { queue_size: 0 } }, 'sending_queue: `queue_size` must be positive'],
    [
      { sending_queue: { storage: 'file_storage', wait_for_result: true } },
      'sending_queue: `wait_for_result` is not supported with a persistent queue configured with `storage`',
    ],
    [
      { sending_queue: { sizer: 'items', batch: {} } },
      'sending_queue: `min_size` must be less than or equal to `queue_size`',
    ],
    [
      { sending_queue: { batch: { sizer: 'requests', min_size: 1 } } },
      'sending_queue::batch: `batch` supports only `items` or `bytes` sizer, found "requests"',
    ],
    [
      { sending_queue: { batch: { flush_timeout: '0s' } } },
      'sending_queue::batch: `flush_timeout` must be positive, found 0',
    ],
    [{ sending_queue: { batch: { min_size: -1 } } }, 'sending_queue::batch: `min_size` must be non-negative, found -1'],
    [{ sending_queue: { batch: { max_size: -1 } } }, 'sending_queue::batch: `max_size` must be non-negative, found -1'],
    [
      { sending_queue: { batch: { min_size: 10, max_size: 9 } } },
      'sending_queue::batch: `max_size` (9) must be greater or equal to `min_size` (10)',
    ],
    [
      { sending_queue: { batch: { partition: { metadata_keys: ['Tenant', 'tenant'] } } } },
      'sending_queue::batch::partition: duplicate entry in metadata_keys: "tenant" (case-insensitive)',
    ],
  ])('%j', (written, fault) => {
    expect(faultsOf(written)).toEqual([fault])
  })

  test('a queue in bytes may be smaller than batches in items', () => {
    expect(faultsOf({ sending_queue: { sizer: 'bytes', queue_size: 100, batch: { sizer: 'items' } } })).toEqual([])
  })
})
