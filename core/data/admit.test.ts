import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit } from './admit.ts'
import { Malformed } from './malformed.ts'
import { decoded, encoded, itemsOf, OTLP_SIGNALS, type OtlpSignal, RandomRequests, WILD } from './otlp.test-support.ts'

const seeds = fc.integer()

function countOf(signal: OtlpSignal, bytes: Buffer): number {
  return itemsOf(signal, decoded(signal, bytes)).length
}

describe.each(OTLP_SIGNALS)('The door for %s', signal => {
  it('lets everything protobuf allows pass unchanged and counts the items', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const bytes = new RandomRequests(seed).request(signal)
        const { payload, repairedStrings } = admit(signal, bytes)
        expect(repairedStrings).toBe(0)
        if (bytes.length > 0) expect(payload.flat()).toBe(bytes)
        expect(payload.items).toBe(countOf(signal, bytes))
        expect(payload.bytes).toBe(bytes.length)
      }),
      { numRuns: 50 },
    )
  })

  it('leaves a singular field at most once in a message, with the meaning protobuf gives the repetition', () => {
    let rewritten = 0
    fc.assert(
      fc.property(seeds, seed => {
        const bytes = new RandomRequests(seed, { ...WILD, repeat: 0.1 }).request(signal)
        const { payload } = admit(signal, bytes)
        expect(decoded(signal, payload.flat())).toEqual(decoded(signal, bytes))
        expect(payload.items).toBe(countOf(signal, bytes))
        if (!payload.flat().equals(bytes)) rewritten++
        if (payload.bytes > 0) expect(admit(signal, payload.flat()).payload.flat()).toBe(payload.flat())
      }),
      { numRuns: 50 },
    )
    expect(rewritten).toBeGreaterThan(10)
  })

  it('repairs strings that are not UTF-8 and leaves everything else as it was', () => {
    let repaired = 0
    fc.assert(
      fc.property(seeds, seed => {
        const bytes = new RandomRequests(seed, { ...WILD, badUtf8: 0.02 }).request(signal)
        const { payload, repairedStrings } = admit(signal, bytes)
        expect(payload.items).toBe(countOf(signal, payload.flat()))
        const text = JSON.stringify(decoded(signal, payload.flat()))
        expect(text.includes('\ufffd')).toBe(repairedStrings > 0)
        repaired += repairedStrings
        if (repairedStrings === 0) return
        expect(() => decoded(signal, bytes)).toThrow()
        expect(() => admit(signal, bytes, { invalidUtf8: 'refuse' })).toThrow(Malformed)
      }),
      { numRuns: 50 },
    )
    expect(repaired).toBeGreaterThan(10)
  })

  it('accepts nothing damaged that protobufjs refuses', () => {
    let refused = 0
    fc.assert(
      fc.property(seeds, seed => {
        const random = new RandomRequests(seed, { ...WILD, unknown: 0.05 })
        const whole = random.request(signal)
        if (whole.length === 0) return
        for (let i = 0; i < 20; i++) {
          const bytes = Buffer.from(
            whole.subarray(0, random.random() < 0.2 ? random.below(whole.length) : whole.length),
          )
          if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256)
          try {
            admit(signal, bytes, { invalidUtf8: 'refuse' })
          } catch (error) {
            expect(error).toBeInstanceOf(Malformed)
            expect((error as Malformed).offset).toBeGreaterThanOrEqual(0)
            expect((error as Malformed).offset).toBeLessThanOrEqual(bytes.length)
            refused++
            continue
          }
          expect(() => decoded(signal, bytes)).not.toThrow()
        }
      }),
      { numRuns: 30 },
    )
    expect(refused).toBeGreaterThan(100)
  })

  it('admits an empty request as a payload of nothing', () => {
    const { payload } = admit(signal, Buffer.alloc(0))
    expect(payload).toMatchObject({ items: 0, bytes: 0, chunks: [] })
  })
})

describe('The door', () => {
  const refused: [string, number[], string, number][] = [
    ['field number 0', [0x00, 0x01], 'field number 0', 0],
    ['a group', [0x0b], 'field 1 has wire type 3, which OTLP does not use', 0],
    ['wire type 7 of an unknown field', [0xcf, 0x01], 'field 25 has wire type 7, which OTLP does not use', 0],
    ['a wrong wire type of a known field', [0x08, 0x01], 'field 1 has wire type 0, which is not its own', 0],
    ['a length beyond the message', [0x0a, 0x02, 0x12], 'length goes beyond the enclosing message', 0],
    ['a length beyond the parent', [0x0a, 0x02, 0x12, 0x01, 0x00], 'length goes beyond the enclosing message', 2],
    ['a missing length', [0x0a], 'message ends before the length of a field', 0],
    ['half a tag', [0xca], 'message ends within a tag or length', 1],
    ['a tag of six bytes', [0x8a, 0x80, 0x80, 0x80, 0x80, 0x00], 'tag or length takes more than 32 bits', 5],
    ['half a number', [0xc8, 0x01, 0x80], 'message ends within a number', 3],
    ['a number of eleven bytes', [0xc8, 0x01, ...Array(10).fill(0x80), 0x00], 'number takes more than 10 bytes', 12],
    [
      'a fixed field over the end',
      [0x0a, 0x06, 0x12, 0x04, 0x12, 0x02, 0x39, 0x00],
      'field goes beyond the enclosing message',
      6,
    ],
  ]
  it.each(refused)('refuses %s', (_, bytes, reason, offset) => {
    let error: unknown
    try {
      admit('traces', Buffer.from(bytes))
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(Malformed)
    expect(error).toMatchObject({ reason, offset, message: `Malformed OTLP message: ${reason} (at byte ${offset})` })
  })

  it('refuses packed doubles that are cut off', () => {
    const point = Buffer.from([0x3a, 0x09, ...Array(9).fill(0)])
    const wrap = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([tag, body.length]), body])
    const metric = wrap(0x4a, wrap(0x0a, point))
    expect(() => admit('metrics', wrap(0x0a, wrap(0x12, wrap(0x12, metric))))).toThrow('no multiple of 8')
  })

  it('admits values nested 100 messages deep and refuses 101', () => {
    const wrap = (tag: number, body: Buffer): Buffer => {
      const length: number[] = []
      for (let n = body.length; ; n >>>= 7) {
        if (n < 128) {
          length.push(n)
          break
        }
        length.push((n & 127) | 128)
      }
      return Buffer.concat([Buffer.from([tag, ...length]), body])
    }
    // ResourceLogs, ScopeLogs, LogRecord and the body are 4 levels; an array with its one value is 2 more.
    const nested = (pairs: number, inner: Buffer): Buffer => {
      let value = inner
      for (let i = 0; i < pairs; i++) value = wrap(0x2a, wrap(0x0a, value))
      return wrap(0x0a, wrap(0x12, wrap(0x12, wrap(0x2a, value))))
    }
    expect(admit('logs', nested(48, Buffer.alloc(0))).payload.items).toBe(1)
    expect(() => admit('logs', nested(48, wrap(0x2a, Buffer.alloc(0))))).toThrow('messages nest too deeply')
    expect(() => admit('logs', nested(5000, Buffer.alloc(0)))).toThrow('messages nest too deeply')
    const map = (value: Buffer) => wrap(0x32, wrap(0x0a, wrap(0x12, value)))
    // A map takes 3 levels: the map, its entry, the value in that.
    let value: Buffer = Buffer.from([0x0a, 0x01, 0x41])
    for (let i = 0; i < 32; i++) value = map(value)
    expect(admit('logs', nested(0, value)).payload.items).toBe(1)
    expect(() => admit('logs', nested(0, map(value)))).toThrow('messages nest too deeply')
  })

  it('keeps the last of several members of a oneof, and merges what is split of that one', () => {
    const text = Buffer.from('0a0161', 'hex')
    const first = Buffer.from('2a040a020a7a'.replace('7a', '00'), 'hex')
    const value = Buffer.concat([first, text, Buffer.from('2a040a021801', 'hex'), Buffer.from('2a040a021802', 'hex')])
    const log = Buffer.concat([Buffer.from([0x2a, value.length]), value])
    const scope = Buffer.concat([Buffer.from([0x12, log.length]), log])
    const resource = Buffer.concat([Buffer.from([0x12, scope.length]), scope])
    const request = Buffer.concat([Buffer.from([0x0a, resource.length]), resource])
    const { payload } = admit('logs', request)
    const body = itemsOf('logs', decoded('logs', payload.flat()))[0]!.item
    expect(body).toEqual({ body: { arrayValue: { values: [{ intValue: '1' }, { intValue: '2' }] } } })
  })

  it('counts the points of the one kind of data that stays when a metric has two', () => {
    const metrics = {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints: [{}, {}] } }] }] }],
    }
    const whole = encoded('metrics', metrics)
    expect(admit('metrics', whole).payload.items).toBe(2)
    const gauge = whole.subarray(whole.length - 6)
    const metric = Buffer.concat([gauge, Buffer.from('3a020a00', 'hex')])
    const scope = Buffer.concat([Buffer.from([0x12, metric.length]), metric])
    const resource = Buffer.concat([Buffer.from([0x12, scope.length]), scope])
    const { payload } = admit('metrics', Buffer.concat([Buffer.from([0x0a, resource.length]), resource]))
    expect(payload.items).toBe(1)
    expect(decoded('metrics', payload.flat())).toEqual({
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ sum: { dataPoints: [{}] } }] }] }],
    })
  })

  it('repairs requests larger than the memory it keeps, and copies what is well', () => {
    const spans = Array.from({ length: 2000 }, (_, i) => ({ name: `${i}`.padEnd(200, 'ä'), kind: i % 6 }))
    const whole = encoded('traces', { resourceSpans: [{ scopeSpans: [{ spans }], schemaUrl: 'bad~' }] })
    const bytes = Buffer.from(whole)
    bytes[bytes.lastIndexOf(0x7e)] = 0xff
    const { payload, repairedStrings } = admit('traces', bytes)
    expect(repairedStrings).toBe(1)
    expect(payload.items).toBe(2000)
    expect(itemsOf('traces', decoded('traces', payload.flat())).map(({ item }) => item)).toEqual(
      itemsOf('traces', decoded('traces', whole)).map(({ item }) => item),
    )
  })

  it('copies bytes that lie in a resizable buffer', () => {
    const store = new ArrayBuffer(4, { maxByteLength: 64 })
    const bytes = Buffer.from(store)
    bytes.set([0x0a, 0x02, 0x12, 0x00])
    const { payload } = admit('logs', bytes)
    store.resize(0)
    expect(payload.flat().toString('hex')).toBe('0a021200')
  })

  it('counts the samples of profiles and keeps the rest opaque', () => {
    const wrap = (tag: number, ...bodies: Buffer[]) => {
      const body = Buffer.concat(bodies)
      return Buffer.concat([Buffer.from([tag, body.length]), body])
    }
    const sample = wrap(0x12, Buffer.from([0x08, 0x01]))
    const profile = wrap(0x12, wrap(0x0a, Buffer.from([0x08, 0x01])), sample, sample, Buffer.from([0x18, 0x05]))
    const dictionary = wrap(0x12, Buffer.from([0x2a, 0x02, 0xff, 0xfe]))
    const bytes = Buffer.concat([wrap(0x0a, wrap(0x12, profile)), dictionary])
    const { payload } = admit('profiles', bytes)
    expect(payload.items).toBe(2)
    expect(payload.flat()).toBe(bytes)
    expect(() => admit('profiles', bytes.subarray(0, 9))).toThrow(Malformed)
  })
})
