import { describe, expect, test } from 'vitest'
import { Code, PartialError, PermanentError, RetryableError } from '#core/component'
import { Malformed } from '#core/data'
import { DecompressionError } from './decompression-error.ts'
import { codeName, codeOfHttp, errorOf, grpcCodeOfHttp, httpStatusOf, isRetryableHttp, statusOf } from './status.ts'

describe('what a sender is told', () => {
  test.each([
    ['an error with a code', new PermanentError('no', { code: Code.NOT_FOUND }), { code: 5, message: 'no' }],
    ['a retryable error with a code', new RetryableError('no', { code: Code.ABORTED }), { code: 10, message: 'no' }],
    ['a permanent error', new PermanentError('no'), { code: 13, message: 'no' }],
    ['a retryable error', new RetryableError('later'), { code: 14, message: 'later' }],
    ['a wait', new RetryableError('later', { after: 1500 }), { code: 14, message: 'later', retryAfter: 1500 }],
    ['any other error', new Error('oops'), { code: 14, message: 'oops' }],
    ['something that is no error', 'oops', { code: 14, message: 'oops' }],
    ['data that is not OTLP', new Malformed('wrong', 3), { code: 3, message: new Malformed('wrong', 3).message }],
    ['a bad body', new DecompressionError('malformed', 'bad'), { code: 3, message: 'bad' }],
    ['a large body', new DecompressionError('too_large', 'big'), { code: 8, message: 'big' }],
    ['an unknown encoding', new DecompressionError('unsupported', 'br'), { code: 12, message: 'br' }],
    ['a partial success', new PartialError(3, 'three'), { code: 0, message: 'three' }],
  ])('of %s', (_, error, status) => {
    expect(statusOf(error)).toEqual(status)
  })
})

/** The Collector's OTLP receiver. */
const TO_HTTP = [200, 503, 500, 400, 503, 500, 500, 403, 429, 500, 503, 503, 404, 500, 503, 503, 401]
test.each(TO_HTTP.map((status, code) => [codeName(code as Code), code as Code, status] as const))(
  '%s becomes HTTP',
  (_, code, status) => {
    expect(httpStatusOf(code)).toBe(status)
  },
)

test.each([
  [400, 3, 13],
  [401, 16, 16],
  [403, 7, 7],
  [404, 12, 12],
  [429, 8, 14],
  [500, 2, 2],
  [502, 14, 14],
  [503, 14, 14],
  [504, 14, 14],
  [302, 2, 2],
])('HTTP %i is code %i in a Status, %i to a gRPC client', (status, inStatus, toClient) => {
  expect(codeOfHttp(status)).toBe(inStatus)
  expect(grpcCodeOfHttp(status)).toBe(toClient)
})

test('an exporter tries again what OTLP says is worth it', () => {
  const retryable = Object.values(Code).filter(code => errorOf({ code, message: '' }) instanceof RetryableError)
  expect(retryable.map(codeName)).toEqual([
    'Canceled',
    'DeadlineExceeded',
    'Aborted',
    'OutOfRange',
    'Unavailable',
    'DataLoss',
  ])
  expect([408, 429, 500, 501, 502, 503, 504, 505].filter(isRetryableHttp)).toEqual([429, 502, 503, 504])
})

test('a full destination is worth a retry only when it says when', () => {
  expect(errorOf({ code: Code.RESOURCE_EXHAUSTED, message: 'full' })).toBeInstanceOf(PermanentError)
  const error = errorOf({ code: Code.RESOURCE_EXHAUSTED, message: 'full', retryAfter: 3000 })
  expect(error).toBeInstanceOf(RetryableError)
  expect(error).toMatchObject({ message: 'full', code: 8, after: 3000 })
})
