import { describe, expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkSecurityEvent, deliveryOf, securityEventConfig } from './config.ts'

const configured = (written: object = {}) => configure(securityEventConfig, written)

test('the defaults are those of the Go exporter', () => {
  const config = configured()
  expect(config).toMatchObject({
    endpoint: 'http://localhost:8080/security-events',
    timeout: 30_000,
    retry_on_failure: {
      initial_interval: 5000,
      randomization_factor: 0.5,
      multiplier: 1.5,
      max_interval: 30_000,
      max_elapsed_time: 300_000,
    },
    sending_queue: { num_consumers: 10, queue_size: 1000 },
  })
  expect([...checkSecurityEvent(config)]).toEqual([])
})

test.each([
  [{ endpoint: '' }, 'endpoint is required'],
  [{ endpoint: 'ftp://x' }, 'endpoint: must be a http or https URL'],
  [{ preset: 'elastic', format: 'cef' }, 'format: elastic takes JSON objects, cef is text'],
])('%j is refused', (written, fault) => {
  expect([...checkSecurityEvent(configured(written))]).toEqual([fault])
})

test('sentinel needs to know where to and as whom', () => {
  expect([...checkSecurityEvent(configured({ preset: 'sentinel' }))].length).toBe(5)
})

describe('batches', () => {
  test('are merged in the queue up to max_events', () => {
    expect(deliveryOf(configured({ batch: { max_events: 7 } })).sending_queue?.batch).toMatchObject({
      min_size: 7,
      max_size: 7,
      sizer: 'items',
      flush_timeout: 1000,
    })
  })

  test('never wait for more than the queue holds', () => {
    const config = configured({ sending_queue: { sizer: 'items', queue_size: 5 } })
    expect(deliveryOf(config).sending_queue?.batch).toMatchObject({ min_size: 5, max_size: 500 })
  })

  test('may be switched off or written as in the Collector', () => {
    expect(deliveryOf(configured({ batch: { enabled: false } })).sending_queue?.batch).toBeUndefined()
    const own = configured({ sending_queue: { batch: { min_size: 3 } } })
    expect(deliveryOf(own).sending_queue?.batch?.min_size).toBe(3)
    expect(deliveryOf(configured({ sending_queue: { enabled: false } })).sending_queue).toBeUndefined()
  })
})
