import fc from 'fast-check'
import protobuf from 'protobufjs'
import { describe, expect, test } from 'vitest'
import type { Code } from '#core/component'
import type { WireStatus } from './status.ts'
import {
  decodeGrpcMessage,
  decodeStatus,
  decodeStatusJson,
  encodeGrpcMessage,
  encodeStatus,
  encodeStatusDetails,
  parseRetryAfter,
  printRetryAfter,
  statusJson,
} from './status-codec.ts'

const { root } = protobuf.parse(`
  syntax = "proto3"; package google.rpc;
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message Any { string type_url = 1; bytes value = 2; }
  message RetryInfo { Duration retry_delay = 1; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
`)
const Status = root.lookupType('google.rpc.Status')
const RetryInfo = root.lookupType('google.rpc.RetryInfo')

const statuses: fc.Arbitrary<WireStatus> = fc
  .record({
    code: fc.integer({ min: 0, max: 16 }),
    message: fc.string({ unit: 'grapheme' }),
    retryAfter: fc.option(fc.nat(10_000_000), { nil: undefined }),
  })
  .map(({ code, message, retryAfter }) => ({
    code: code as Code,
    message,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }))

describe('google.rpc.Status', () => {
  test('as we write it is read by protobufjs', () => {
    fc.assert(
      fc.property(statuses, status => {
        const read = Status.toObject(Status.decode(encodeStatus(status)), { longs: Number, defaults: true })
        expect([read.code, read.message]).toEqual([status.code, status.message])
        if (status.retryAfter === undefined) {
          expect(read.details).toEqual([])
          return
        }
        expect(read.details[0].typeUrl).toBe('type.googleapis.com/google.rpc.RetryInfo')
        const { retryDelay } = RetryInfo.toObject(RetryInfo.decode(read.details[0].value), {
          longs: Number,
          defaults: true,
        })
        expect(retryDelay.seconds * 1000 + retryDelay.nanos / 1e6).toBe(status.retryAfter)
      }),
    )
  })

  test('survives protobuf and JSON', () => {
    fc.assert(
      fc.property(statuses, status => {
        expect(decodeStatus(encodeStatus(status))).toEqual(status)
        expect(decodeStatus(Buffer.from(encodeStatusDetails(status), 'base64'))).toEqual(status)
        const empty = status.code === 0 && status.message === ''
        if (!empty) expect(decodeStatusJson(statusJson(status))).toEqual(status)
      }),
    )
  })

  test('with other details is read without them', () => {
    const bytes = Status.encode(
      Status.fromObject({
        code: 8,
        message: 'full',
        details: [
          { typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo', value: Buffer.from('0a0161', 'hex') },
          { typeUrl: 'type.googleapis.com/google.rpc.RetryInfo', value: Buffer.from('0a0408011001', 'hex') },
        ],
      }),
    ).finish()
    expect(decodeStatus(Buffer.from(bytes))).toEqual({ code: 8, message: 'full', retryAfter: 1000.000001 })
  })

  test('is not seen in other bytes', () => {
    for (const text of ['<html>503</html>', 'Not Found', '404 page not found\n', '{"code":3}']) {
      expect(decodeStatus(Buffer.from(text))).toBeUndefined()
    }
    for (const text of ['', 'x', '[]', '"code"', 'null', '{}']) expect(decodeStatusJson(text)).toBeUndefined()
  })

  test('never breaks its reader', () => {
    fc.assert(fc.property(fc.uint8Array(), bytes => void decodeStatus(Buffer.from(bytes))))
    fc.assert(fc.property(fc.json(), text => void decodeStatusJson(text)))
  })

  test('in JSON has the names of protobuf', () => {
    expect(JSON.parse(statusJson({ code: 8, message: 'full', retryAfter: 1500 }))).toEqual({
      code: 8,
      message: 'full',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }],
    })
  })
})

describe('grpc-message', () => {
  test.each([
    ['plain text', 'plain text'],
    ['100%', '100%25'],
    ['line\nline', 'line%0Aline'],
    ['\u{1f4a5} ü', '%F0%9F%92%A5 %C3%BC'],
  ])('of %j is %s', (message, coded) => {
    expect(encodeGrpcMessage(message)).toBe(coded)
    expect(decodeGrpcMessage(coded)).toBe(message)
  })

  test('survives every string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(decodeGrpcMessage(encodeGrpcMessage(text))).toBe(text)
      }),
    )
  })

  test.each(['%', '50% off', '%zz', '%4', 'ü%'])('%j, which is no valid coding, stands for itself', text => {
    expect(decodeGrpcMessage(text)).toBe(text)
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['0', 0],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 2026 12:00:07 GMT', 7000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ])('of %j is %j ms', (header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds)
  })

  test('is printed in whole seconds', () => {
    expect([0, 999, 1000, 2999].map(printRetryAfter)).toEqual(['0', '0', '1', '2'])
  })
})
