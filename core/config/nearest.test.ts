import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

test.each([
  ['htttp', ['grpc', 'http'], 'http'],
  ['endpont', ['timeout', 'endpoint'], 'endpoint'],
  ['sendBatchSize', ['send_batch_size', 'send_batch_max_size'], 'send_batch_size'],
  ['protcols', ['protocols'], 'protocols'],
  ['tiemout', ['timeout', 'tls'], 'timeout'],
  ['otlphtp', ['otlp_http', 'otlp_grpc', 'debug'], 'otlp_http'],
  ['foo', ['endpoint', 'timeout'], undefined],
  ['x', ['tls'], undefined],
  ['', ['a'], undefined],
  ['anything', [], undefined],
  ['a'.repeat(10_000), ['a'.repeat(100)], undefined],
])('nearest to %s among %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected)
})
