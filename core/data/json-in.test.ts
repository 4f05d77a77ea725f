import { describe, expect, it } from 'vitest'
import { trust } from './admit.ts'
import { admitJson, fromJson } from './json-in.ts'
import { toJson, toJsonBytes } from './json-out.ts'
import { Malformed } from './malformed.ts'
import { decoded, itemsOf } from './otlp.test-support.ts'

/** The span in a request with the given members. */
function span(members: string): unknown {
  const bytes = fromJson('traces', `{"resourceSpans":[{"scopeSpans":[{"spans":[{${members}}]}]}]}`)
  return itemsOf('traces', decoded('traces', bytes))[0]!.item
}

/** The body of a log record with the given value. */
function body(value: string): unknown {
  const bytes = fromJson('logs', `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${value}}]}]}]}`)
  return (itemsOf('logs', decoded('logs', bytes))[0]!.item as { body: unknown }).body
}

describe('A value in OTLP/JSON', () => {
  it.each([
    [
      'an id in upper case',
      '"traceId":"5B8EFFF798038103D269B633813FC60C"',
      { traceId: 'hex:5b8efff798038103d269b633813fc60c' },
    ],
    ['an id in mixed case', '"spanId":"eEe19B7ec3C1b174"', { spanId: 'hex:eee19b7ec3c1b174' }],
    [
      'a time beyond 2^53 as a number',
      '"endTimeUnixNano":1544712660300000001',
      { endTimeUnixNano: '1544712660300000001' },
    ],
    ['a time as a string', '"endTimeUnixNano":"18446744073709551615"', { endTimeUnixNano: '18446744073709551615' }],
    ['a time with an exponent', '"endTimeUnixNano":1.5e3', { endTimeUnixNano: '1500' }],
    ['an enum as a number', '"kind":2', { kind: 2 }],
    ['an enum that is not known yet', '"kind":77', { kind: 77 }],
    ['a negative enum', '"kind":-1', { kind: -1 }],
    ['null', '"name":null,"kind":1,"attributes":null,"status":null', { kind: 1 }],
    ['an unknown name', '"nme":{"deep":[{"er":null}]},"kind":1', { kind: 1 }],
    ['a name of the proto file', '"trace_state":"a","kind":1', { kind: 1 }],
    ['escapes', '"name":"\\u00fc\\ud83d\\ude80\\n\\"\\\\\\/\\b\\f\\r\\t"', { name: 'ü🚀\n"\\/\b\f\r\t' }],
    ['lone surrogates', '"name":"a\\ud83db\\ude80c\\ud83d\\u0041"', { name: 'a\ufffdb\ufffdc\ufffdA' }],
    ['a key with an escape', '"n\\u0061me":"a"', { name: 'a' }],
    ['space everywhere', ' \r\n\t"name" : \t"a" \n', { name: 'a' }],
    ['a flag of 32 bits', '"flags":4294967295', { flags: 4294967295 }],
  ])('is read: %s', (_, members, expected) => {
    expect(span(members)).toEqual(expected)
  })

  it.each([
    ['{"intValue":"-9223372036854775808"}', { intValue: '-9223372036854775808' }],
    ['{"intValue":9223372036854775807}', { intValue: '9223372036854775807' }],
    ['{"intValue":0}', { intValue: '0' }],
    ['{"doubleValue":"NaN"}', { doubleValue: Number.NaN }],
    ['{"doubleValue":"-Infinity"}', { doubleValue: Number.NEGATIVE_INFINITY }],
    ['{"doubleValue":-0.0}', { doubleValue: -0 }],
    ['{"doubleValue":1e-7}', { doubleValue: 1e-7 }],
    ['{"doubleValue":"2.5"}', { doubleValue: 2.5 }],
    ['{"doubleValue":0.1000000000000000055511151231257827}', { doubleValue: 0.1 }],
    ['{"doubleValue":123456789012345678901234567890}', { doubleValue: 1.2345678901234568e29 }],
    ['{"bytesValue":"+/8="}', { bytesValue: 'hex:fbff' }],
    ['{"bytesValue":"-_8"}', { bytesValue: 'hex:fbff' }],
    ['{"boolValue":false}', { boolValue: false }],
    ['{"arrayValue":{"values":[null,{"stringValue":""}]}}', { arrayValue: { values: [{}, { stringValue: '' }] } }],
    ['{}', {}],
  ])('is read: %s', (value, expected) => {
    expect(body(value)).toEqual(expected)
  })

  it('given twice counts as it was given last', () => {
    const json =
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"intValue":1,"stringValue":"a","intValue":2}}]}]}]}'
    expect(toJson(admitJson('logs', json).payload)).toContain('"body":{"intValue":"2"}')
  })

  it('that is not UTF-8 is repaired and counted, with an escape in it or without', () => {
    const json = Buffer.from('{"resourceLogs":[{"schemaUrl":"a~","scopeLogs":[{"schemaUrl":"~\\n"}]}]}')
    for (let i = 0; i < json.length; i++) if (json[i] === 0x7e) json[i] = 0xff
    const { payload, repairedStrings } = admitJson('logs', json)
    expect(repairedStrings).toBe(2)
    expect(toJson(payload)).toBe('{"resourceLogs":[{"schemaUrl":"a\ufffd","scopeLogs":[{"schemaUrl":"\ufffd\\n"}]}]}')
    expect(() => admitJson('logs', json, { invalidUtf8: 'refuse' })).toThrow('string is not UTF-8')
  })
})

describe('OTLP/JSON', () => {
  const wrap = (members: string) => `{"resourceSpans":[{"scopeSpans":[{"spans":[{${members}}]}]}]}`
  const at = wrap('').indexOf('{}') + 1
  it.each([
    ['', 'JSON text ends too early', 0],
    ['{', 'JSON text ends too early', 1],
    ['[]', 'expected "{"', 0],
    ['null', 'expected "{"', 0],
    ['{} {}', 'text goes on behind the request', 3],
    ['{"resourceSpans":{}}', 'expected "["', 17],
    ['{"resourceSpans":[{]}', 'expected a key', 19],
    ['{"resourceSpans":[],}', 'expected a key', 20],
    ["{'resourceSpans':[]}", 'expected a key', 1],
    ['{"a":[1,]}', 'expected a number', 8],
    ['{"a":01}', 'not a number', 5],
    ['{"a":nul}', 'expected null', 5],
    ['{"a":"\\x"}', 'unknown escape in a string', 6],
    ['{"a":"\\u12"}', 'unknown escape in a string', 6],
    ['{"a":"b\nc"}', 'control character in a string', 7],
    ['{"a":"b', 'JSON text ends too early', 7],
    ['{"a":"b\\', 'JSON text ends too early', 8],
    [wrap('"name":1'), 'expected a string', at + 7],
    [wrap('"kind":"SPAN_KIND_SERVER"'), 'not a number', at + 8],
    [wrap('"kind":1.5'), 'not an integer of 32 bits', at + 7],
    [wrap('"kind":2147483648'), 'not an integer of 32 bits', at + 7],
    [wrap('"flags":-1'), 'not an unsigned integer of 32 bits', at + 8],
    [wrap('"endTimeUnixNano":"18446744073709551616"'), 'not an unsigned integer of 64 bits', at + 19],
    [wrap('"endTimeUnixNano":-01'), 'not a number', at + 18],
    [wrap('"endTimeUnixNano":""'), 'not a number', at + 19],
    [wrap('"traceId":"abc"'), 'id has an odd number of hex digits', at + 11],
    [wrap('"traceId":"0g"'), 'id is not hex', at + 11],
    [wrap('"attributes":[{"key":"a","value":{"bytesValue":"%"}}]'), 'bytes are not base64', at + 48],
    [wrap('"attributes":[{"key":"a","value":{"boolValue":1}}]'), 'expected true or false', at + 46],
    [wrap('"attributes":[{"key":"a","value":"text"}]'), 'expected "{"', at + 33],
  ])('is refused: %s', (json, reason, offset) => {
    let error: unknown
    try {
      fromJson('traces', json)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(Malformed)
    expect(error).toMatchObject({ reason, offset })
  })

  it('nests as deep as protobuf may, and no deeper', () => {
    const value = (arrays: number) => `${'{"arrayValue":{"values":['.repeat(arrays)}{}${']}}'.repeat(arrays)}`
    expect(() => body(value(48))).not.toThrow()
    expect(() => body(value(49))).toThrow('messages nest too deeply')
    expect(() => span(`"unknown":${'['.repeat(100_000)}`)).toThrow('values nest too deeply')
  })

  it('is written as text or as bytes, of any size', () => {
    const name = 'ä"\n\u0001\\'.repeat(100_000)
    const json = `{"resourceSpans":[{"schemaUrl":${JSON.stringify(name)}}]}`
    const { payload } = admitJson('traces', json)
    expect(toJson(payload)).toBe(json)
    expect(toJsonBytes(payload).toString()).toBe(json)
    expect(toJson(admitJson('traces', '{}').payload)).toBe('{"resourceSpans":[]}')
  })

  it('of profiles is neither read nor written', () => {
    expect(() => toJson(trust('profiles', Buffer.alloc(0), 0))).toThrow(RangeError)
    expect(() => fromJson('profiles', '{}')).toThrow(Malformed)
  })

  it('may be larger than any buffer kept for reuse', () => {
    const name = 'n'.repeat(3_000_000)
    expect(span(`"name":"${name}","kind":1`)).toEqual({ name, kind: 1 })
  })
})
