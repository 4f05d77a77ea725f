import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConsumeContext } from '#core/component'
import { merge } from '#core/data'
import { traces } from '#core/testing'
import { DamagedEntry, decodeEntry, encodeEntry, isCredential, parseStoredKey, storedKey } from './stored-entry.ts'

const CONTEXT: ConsumeContext = {
  metadata: new Map([
    ['tenant', ['a', 'ü']],
    ['authorization', ['Bearer secret']],
  ]),
  auth: { attribute: () => 'secret', names: ['token'] },
  clientAddress: '192.0.2.1:5',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
}

test('a key tells order and size, and sorts by order', () => {
  const payload = traces(3)
  expect(storedKey(12, payload)).toBe(`q/0000000000000012/3/${payload.bytes}`)
  expect(parseStoredKey(storedKey(12, payload))).toEqual({ sequence: 12, items: 3, bytes: payload.bytes })
  expect(storedKey(9, payload) < storedKey(10, payload)).toBe(true)
  expect(parseStoredKey('q/12/3/4')).toBeUndefined()
})

test('an entry gives back the bytes, the metadata, the peer and the trace context, never who sent it', () => {
  const payload = merge([traces(2), traces(3)])
  const value = encodeEntry(payload, CONTEXT)
  const read = decodeEntry('traces', { sequence: 0, items: 5, bytes: payload.bytes }, value)
  expect(read.payload.items).toBe(5)
  expect(read.payload.flat().equals(payload.flat())).toBe(true)
  expect(read.context).toEqual({
    metadata: new Map([['tenant', ['a', 'ü']]]),
    clientAddress: CONTEXT.clientAddress,
    traceparent: CONTEXT.traceparent,
  })
  expect(value.includes('secret')).toBe(false)
})

test.each([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api_key',
  'dd-api-key',
  'apikey',
  'x-auth-token',
  'client-secret',
  'Password',
])('%s is not stored', name => expect(isCredential(name)).toBe(true))

test.each(['tenant', 'x-scope-orgid', 'user-agent', 'tokenizer', 'host'])('%s is stored', name =>
  expect(isCredential(name)).toBe(false),
)

describe('a damaged entry is told', () => {
  const payload = traces(3)
  const key = { sequence: 0, items: 3, bytes: payload.bytes }

  test('whichever bit of it has changed', () => {
    const value = encodeEntry(payload, CONTEXT)
    fc.assert(
      fc.property(fc.nat(value.length - 1), fc.nat(7), (at, bit) => {
        const damaged = Buffer.from(value)
        damaged[at]! ^= 1 << bit
        expect(() => decodeEntry('traces', key, damaged)).toThrow(DamagedEntry)
      }),
      { numRuns: 300 },
    )
  })

  test('wherever it was cut off', () => {
    const value = encodeEntry(payload, CONTEXT)
    for (let length = 0; length < value.length; length += 7) {
      expect(() => decodeEntry('traces', key, value.subarray(0, length))).toThrow(DamagedEntry)
    }
  })

  test('with the reason', () => {
    const value = encodeEntry(payload, CONTEXT)
    expect(() => decodeEntry('traces', { ...key, bytes: 1 }, value)).toThrow(
      `it holds ${payload.bytes} bytes of telemetry, its key says 1`,
    )
    expect(() => decodeEntry('traces', key, Buffer.alloc(3))).toThrow('it has 3 bytes, its fixed part alone has 9')
    value[0] = 9
    expect(() => decodeEntry('traces', key, value)).toThrow('its format is 9, known is 1')
  })
})
