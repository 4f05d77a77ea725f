import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit } from './admit.ts'
import { build, encode, plainAttributes, plainValue } from './builder.ts'
import { toJson } from './json-out.ts'
import { decoded, encoded, OTLP_SIGNALS, RandomRequests } from './otlp.test-support.ts'
import { Double } from './records.ts'

describe.each(OTLP_SIGNALS)('Building %s', signal => {
  it('gives the message that OTLP/JSON of the same shape is', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        const { payload } = admit(signal, new RandomRequests(seed, { pad: 0 }).request(signal))
        const bytes = encode(signal, JSON.parse(toJson(payload)))
        expect(decoded(signal, bytes)).toEqual(decoded(signal, payload.flat()))
        expect(admit(signal, bytes).payload.flat()).toEqual(bytes)
      }),
      { numRuns: 30 },
    )
  })
})

describe('Building', () => {
  it('writes fields in order with lengths of the least size, as protobufjs does', () => {
    const spans = [
      { name: 'a', kind: 2, attributes: [{ key: 'k', value: { stringValue: 'x'.repeat(200) } }], flags: 1 },
    ]
    const request = { resourceSpans: [{ scopeSpans: [{ spans }], schemaUrl: 's' }] }
    expect(encode('traces', request)).toEqual(encoded('traces', request))
  })

  it('takes ids as bytes or hex and 64 bits as number, bigint or string', () => {
    const id = Buffer.from('0123456789abcdef', 'hex')
    const spans = [
      { spanId: id, startTimeUnixNano: 1_700_000_000_000_000_000n, endTimeUnixNano: 5 },
      { spanId: '0123456789ABCDEF', startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '5' },
    ]
    const payload = build('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })
    expect(payload.items).toBe(2)
    const span = '{"spanId":"0123456789abcdef","startTimeUnixNano":"1700000000000000000","endTimeUnixNano":"5"}'
    expect(toJson(payload)).toBe(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span},${span}]}]}]}`)
  })

  it('turns values of every kind into attributes', () => {
    const attributes = plainAttributes({
      text: 'a',
      int: 5,
      big: -(2n ** 63n),
      double: 0.5,
      whole: new Double(5),
      yes: true,
      bytes: Buffer.from('ab'),
      list: ['a', 1, null],
      map: { inner: { deep: -1 } },
      nothing: null,
    })
    const payload = build('logs', { resourceLogs: [{ resource: { attributes } }] })
    expect(JSON.parse(toJson(payload)).resourceLogs[0].resource.attributes).toEqual([
      { key: 'text', value: { stringValue: 'a' } },
      { key: 'int', value: { intValue: '5' } },
      { key: 'big', value: { intValue: '-9223372036854775808' } },
      { key: 'double', value: { doubleValue: 0.5 } },
      { key: 'whole', value: { doubleValue: 5 } },
      { key: 'yes', value: { boolValue: true } },
      { key: 'bytes', value: { bytesValue: 'YWI=' } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }, {}] } } },
      {
        key: 'map',
        value: {
          kvlistValue: {
            values: [
              { key: 'inner', value: { kvlistValue: { values: [{ key: 'deep', value: { intValue: '-1' } }] } } },
            ],
          },
        },
      },
      { key: 'nothing', value: {} },
    ])
    expect(plainValue(2 ** 60)).toEqual({ doubleValue: 2 ** 60 })
  })

  it('grows beyond the memory it began with', () => {
    const logRecords = Array.from({ length: 300 }, (_, i) => ({
      severityText: `${i}${'ä'.repeat(900)}`,
      attributes: [
        { key: 'k', value: { doubleValue: i + 0.5 } },
        { key: 'l', value: { intValue: String(-i - 1) } },
      ],
    }))
    const payload = build('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
    expect(payload.items).toBe(300)
    expect(JSON.parse(toJson(payload)).resourceLogs[0].scopeLogs[0].logRecords).toEqual(logRecords)
  })

  it.each([
    ['Cannot encode name: 1 is not of kind string', { name: 1 }],
    ['Cannot encode kind: "SERVER" is not of kind enum', { kind: 'SERVER' }],
    ['Cannot encode kind: 2147483648 is not of kind enum', { kind: 2 ** 31 }],
    ['Cannot encode flags: -1 is not of kind fixed32', { flags: -1 }],
    ['Cannot encode endTimeUnixNano: 0.5 is not of kind fixed64', { endTimeUnixNano: 0.5 }],
    ['Cannot encode endTimeUnixNano: 18446744073709551616 is not of kind fixed64', { endTimeUnixNano: 2n ** 64n }],
    ['Cannot encode traceId: "xyz" is not of kind id', { traceId: 'xyz' }],
    ['Cannot encode status: 2 is not of kind message', { status: 2 }],
    ['Cannot encode events: [object Object] is not a list of kind message', { events: {} }],
    ['Cannot encode links: null is not a list of kind message', { links: [null] }],
  ])('fails: %s', (message, span) => {
    expect(() => encode('traces', { resourceSpans: [{ scopeSpans: [{ spans: [span as object] }] }] })).toThrow(message)
  })
})
