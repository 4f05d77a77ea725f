import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { batchConfig, checkBatchConfig } from './config.ts'

const faultsOf = (written: unknown) => [...checkBatchConfig(configure(batchConfig, written))]

test('the defaults are those of the Collector', () => {
  expect(configure(batchConfig)).toEqual({
    timeout: 200,
    send_batch_size: 8192,
    send_batch_max_size: 0,
    metadata_keys: [],
    metadata_cardinality_limit: 1000,
    wait_for_result: false,
  })
  expect(faultsOf({})).toEqual([])
})

test.each([
  [{ send_batch_size: 10, send_batch_max_size: 9 }, 'send_batch_max_size must be greater or equal to send_batch_size'],
  [{ metadata_keys: ['Tenant', 'tenant'] }, 'duplicate entry in metadata_keys: "tenant" (case-insensitive)'],
])('%j is a fault in the words of the Collector', (written, fault) => {
  expect(faultsOf(written)).toEqual([fault])
})

test('a maximum equal to the size is fine', () => {
  expect(faultsOf({ send_batch_size: 10, send_batch_max_size: 10 })).toEqual([])
})
