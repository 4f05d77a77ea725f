import { describe, expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkOtlpHttp, otlpHttpConfig } from './config.ts'
import { serverLabels, urlFor } from './urls.ts'

const faults = (written: object) => [...checkOtlpHttp(configure(otlpHttpConfig, written))]

test('the defaults are those of the Collector', () => {
  expect(configure(otlpHttpConfig, {})).toMatchObject({
    endpoint: '',
    traces_endpoint: '',
    metrics_endpoint: '',
    logs_endpoint: '',
    profiles_endpoint: '',
    encoding: 'proto',
    compression: 'gzip',
    compression_params: { level: 0 },
    read_buffer_size: 0,
    write_buffer_size: 524_288,
    proxy_url: '',
    headers: {},
    max_idle_conns: 100,
    max_idle_conns_per_host: 0,
    max_conns_per_host: 0,
    idle_conn_timeout: 90_000,
    disable_keep_alives: false,
    http2_read_idle_timeout: 0,
    http2_ping_timeout: 0,
    cookies: undefined,
    force_attempt_http2: true,
    timeout: 30_000,
    retry_on_failure: { initial_interval: 5000 },
    sending_queue: { num_consumers: 10, queue_size: 1000 },
  })
})

describe('a configuration', () => {
  const endpoint = 'http://backend:4318'
  test.each<[object, string[]]>([
    [{}, ['either endpoint or traces_endpoint must be specified']],
    [{ endpoint }, []],
    [{ logs_endpoint: endpoint }, []],
    [{ endpoint: 'backend:4318' }, ['endpoint: must be a http or https URL']],
    [{ endpoint, traces_endpoint: 'nowhere' }, ['traces_endpoint: must be a http or https URL']],
    [{ endpoint, proxy_url: 'socks5://x' }, ['proxy_url: must be the http or https URL of a proxy']],
    [{ endpoint, compression_params: { level: 9 } }, []],
    [
      { endpoint, compression_params: { level: 10 } },
      ['compression_params: unsupported parameters {Level:10} for compression type "gzip"'],
    ],
    [
      { endpoint, compression: 'snappy', compression_params: { level: 1 } },
      ['compression_params: unsupported parameters {Level:1} for compression type "snappy"'],
    ],
    [{ endpoint, compression: 'none', compression_params: { level: 99 } }, []],
    [
      { endpoint, retry_on_failure: { multiplier: -1 } },
      ['retry_on_failure: multiplier value must be greater than or equal to 0'],
    ],
    [
      { endpoint, middlewares: [{ id: 'x' }] },
      ['middlewares: must be empty, because middlewares of clients are not supported'],
    ],
  ])('%j has faults %j', (written, expected) => {
    expect(faults(written)).toEqual(expected)
  })
})

test('each signal goes to its own endpoint as it is, or below the base', () => {
  const config = configure(otlpHttpConfig, { endpoint: 'http://a:1/otlp/', logs_endpoint: 'http://b:2/in?x=1' })
  expect(urlFor('traces', config)).toBe('http://a:1/otlp/v1/traces')
  expect(urlFor('metrics', config)).toBe('http://a:1/otlp/v1/metrics')
  expect(urlFor('logs', config)).toBe('http://b:2/in?x=1')
  expect(urlFor('profiles', config)).toBe('http://a:1/otlp/v1development/profiles')
  const one = configure(otlpHttpConfig, { logs_endpoint: 'http://b:2/in' })
  expect(() => urlFor('traces', one)).toThrow('either endpoint or traces_endpoint must be specified')
  expect(serverLabels('https://a/x')).toEqual({ 'server.address': 'a', 'server.port': '443', 'url.path': '/x' })
})
