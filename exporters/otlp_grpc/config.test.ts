import { describe, expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkOtlpGrpc, otlpGrpcConfig } from './config.ts'

const faults = (written: object) => [...checkOtlpGrpc(configure(otlpGrpcConfig, written))]

test('the defaults are those of the Collector', () => {
  expect(configure(otlpGrpcConfig, {})).toMatchObject({
    endpoint: '',
    compression: 'gzip',
    read_buffer_size: 0,
    write_buffer_size: 524_288,
    keepalive: undefined,
    wait_for_ready: false,
    balancer_name: 'round_robin',
    headers: {},
    auth: undefined,
    tls: { insecure: false, insecure_skip_verify: false, min_version: '1.2' },
    timeout: 5000,
    retry_on_failure: { initial_interval: 5000, max_interval: 30_000, max_elapsed_time: 300_000 },
    sending_queue: { num_consumers: 10, queue_size: 1000 },
  })
  expect(configure(otlpGrpcConfig, { keepalive: null }).keepalive).toEqual({
    time: 10_000,
    timeout: 10_000,
    permit_without_stream: false,
  })
})

describe('a configuration', () => {
  test.each<[object, string[]]>([
    [{}, ['requires a non-empty "endpoint"']],
    [{ endpoint: 'backend:4317' }, []],
    [{ endpoint: 'https://backend:4317' }, []],
    [{ endpoint: 'dns:///backend:4317' }, []],
    [{ endpoint: 'unix:///run/otel.sock' }, []],
    [{ endpoint: 'backend' }, ['endpoint: address backend: missing port in address']],
    [{ endpoint: 'backend:http' }, ['endpoint: invalid port "http"']],
    [{ endpoint: 'a:1', balancer_name: 'x' }, ['balancer_name: invalid balancer_name: x']],
    [
      { endpoint: 'a:1', tls: { cert_file: 'c' } },
      ['tls: for auth via TLS, provide both certificate and key, or neither'],
    ],
    [{ endpoint: 'a:1', sending_queue: { num_consumers: 0 } }, ['sending_queue: `num_consumers` must be positive']],
    [
      { endpoint: 'a:1', middlewares: [{ id: 'x' }] },
      ['middlewares: must be empty, because middlewares of clients are not supported'],
    ],
  ])('%j has faults %j', (written, expected) => {
    expect(faults(written)).toEqual(expected)
  })

  test('with an unknown compression is refused', () => {
    expect(() => configure(otlpGrpcConfig, { endpoint: 'a:1', compression: 'lzma' })).toThrow('compression')
  })
})
