import { describe, expect, test } from 'vitest'
import { checkGrpcServer } from './grpc-server-options.ts'
import { checkHttpServer } from './http-server-options.ts'
import { grpcSettings, grpcSettingsBeside, httpSettings, httpSettingsBeside } from './settings.ts'
import { grpcConfig, httpConfig } from './testdata/harness.ts'

describe('options of HTTP servers', () => {
  test('have the Collector’s defaults', () => {
    expect(httpConfig()).toMatchObject({
      transport: 'tcp',
      tls: undefined,
      cors: undefined,
      auth: undefined,
      max_request_body_size: 20_971_520,
      include_metadata: false,
      response_headers: {},
      compression_algorithms: ['', 'gzip', 'zstd', 'zlib', 'snappy', 'deflate', 'lz4', 'x-snappy-framed'],
      read_timeout: 0,
      read_header_timeout: 60_000,
      write_timeout: 30_000,
      idle_timeout: 60_000,
      keep_alives_enabled: true,
      middlewares: [],
    })
  })

  test('that cannot be are faults; a header value is not shown', () => {
    const faults = [
      ...checkHttpServer(httpConfig({ response_headers: { 'x y': 'a', x: 'secret\n', ok: 'b' }, tls: {} })),
    ]
    expect(faults).toEqual([
      'tls: TLS configuration must include both certificate and key for server connections',
      'response_headers: "x y" is not a valid header',
      'response_headers: "x" is not a valid header',
    ])
  })

  test('of zero mean a guard of ours', () => {
    const zero = { read_timeout: '0s', read_header_timeout: '0s', write_timeout: '0s', idle_timeout: '0s' }
    expect(httpSettings(httpConfig({ ...zero, max_request_body_size: 0 }))).toMatchObject({
      maxBody: 20 << 20,
      readTimeout: 60_000,
      readHeaderTimeout: 60_000,
      writeTimeout: 30_000,
      idleTimeout: 120_000,
    })
  })
})

describe('options of gRPC servers', () => {
  test('have the Collector’s defaults', () => {
    expect(grpcConfig()).toMatchObject({
      max_recv_msg_size_mib: 0,
      max_concurrent_streams: 0,
      read_buffer_size: 0,
      write_buffer_size: 0,
      keepalive: {
        server_parameters: { max_connection_idle: 0, max_connection_age: 0, max_connection_age_grace: 0, time: 0 },
        enforcement_policy: { min_time: 0, permit_without_stream: false },
      },
      include_metadata: false,
    })
  })

  test('of zero mean grpc-go’s defaults, and so does keepalive switched off', () => {
    const expected = {
      maxMessage: 4 << 20,
      keepalive: { maxIdle: Number.POSITIVE_INFINITY, time: 7_200_000, timeout: 20_000, minTime: 300_000 },
    }
    expect(grpcSettings(grpcConfig())).toMatchObject(expected)
    expect(grpcSettings(grpcConfig({ keepalive: { enabled: false } }))).toMatchObject(expected)
  })

  test.each([
    [{ max_recv_msg_size_mib: -1 }, /^invalid max_recv_msg_size_mib value, must be between 1 and \d+: -1$/],
    [{ read_buffer_size: -2 }, /^invalid read_buffer_size value: -2$/],
    [{ write_buffer_size: -3 }, /^invalid write_buffer_size value: -3$/],
    [{ tls: {} }, /^tls: TLS configuration must include both certificate and key/],
  ])('%j is a fault', (written, fault) => {
    expect([...checkGrpcServer(grpcConfig(written))]).toEqual([expect.stringMatching(fault)])
  })
})

test('the protocol beside the configured one has the same limits', () => {
  const http = httpSettings(httpConfig({ max_request_body_size: 1000, include_metadata: true }))
  expect(grpcSettingsBeside(http)).toMatchObject({ maxMessage: 1000, includeMetadata: true })
  const grpc = grpcSettings(grpcConfig({ max_recv_msg_size_mib: 2 }))
  expect(httpSettingsBeside(grpc)).toMatchObject({ maxBody: 2 << 20, includeMetadata: false })
})
