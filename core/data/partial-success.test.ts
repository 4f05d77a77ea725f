import { describe, expect, it } from 'vitest'
import { Malformed } from './malformed.ts'
import { OTLP } from './otlp.test-support.ts'
import {
  decodePartialSuccess,
  encodePartialSuccess,
  partialSuccessFromJson,
  partialSuccessToJson,
} from './partial-success.ts'
import { SIGNALS } from './signal.ts'

const response = OTLP.lookupType('PartialSuccessResponse')

describe.each(SIGNALS)('The answer to an export of %s', signal => {
  it.each([
    [3, 'too old'],
    [0, 'deprecated'],
    [2 ** 40, ''],
  ])('carries %i rejected items and %j', (rejected, message) => {
    const bytes = encodePartialSuccess(signal, rejected, message)
    const read = response.toObject(response.decode(bytes), { longs: Number, defaults: true })
    expect(read).toMatchObject({ partialSuccess: { rejected, errorMessage: message } })
    expect(decodePartialSuccess(signal, bytes)).toEqual({ rejected, message })
    expect(partialSuccessFromJson(signal, partialSuccessToJson(signal, rejected, message))).toEqual({
      rejected,
      message,
    })
  })

  it('is empty for full success', () => {
    expect(encodePartialSuccess(signal, 0, '')).toHaveLength(0)
    expect(partialSuccessToJson(signal, 0, '')).toBe('{}')
    for (const json of ['{}', '{"partialSuccess":{}}', '{"partialSuccess":null}']) {
      expect(partialSuccessFromJson(signal, json)).toBeUndefined()
    }
    expect(decodePartialSuccess(signal, Buffer.alloc(0))).toBeUndefined()
    expect(decodePartialSuccess(signal, Buffer.from([0x0a, 0x00]))).toBeUndefined()
  })

  it('is refused when it is none', () => {
    expect(() => decodePartialSuccess(signal, Buffer.from('Bad Gateway'))).toThrow(Malformed)
    expect(() => partialSuccessFromJson(signal, 'Bad Gateway')).toThrow(Malformed)
  })
})

it('Rejected items have the name of their signal in OTLP/JSON', () => {
  expect(SIGNALS.map(signal => partialSuccessToJson(signal, 1, 'm'))).toEqual([
    '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"m"}}',
    '{"partialSuccess":{"rejectedDataPoints":"1","errorMessage":"m"}}',
    '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"m"}}',
    '{"partialSuccess":{"rejectedProfiles":"1","errorMessage":"m"}}',
  ])
})
