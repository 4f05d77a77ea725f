import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type protobuf from 'protobufjs'
import { describe, expect, it } from 'vitest'
import { admit, trust } from './admit.ts'
import { admitJson, fromJson } from './json-in.ts'
import { toJson } from './json-out.ts'
import { Malformed } from './malformed.ts'
import { merge } from './merge.ts'
import { decoded, OTLP_SIGNALS, type OtlpSignal, RandomRequests, requestType, WILD } from './otlp.test-support.ts'

const seeds = fc.integer()

/** The request as protobufjs reads it, without the unknown fields, which JSON does not show. */
function known(signal: OtlpSignal, bytes: Uint8Array): unknown {
  return JSON.parse(
    JSON.stringify(decoded(signal, bytes), (key, value) => {
      if (key === '$unknowns') return undefined
      return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
    }),
  )
}

/** OTLP/JSON as protobufjs reads it: its own reader expects base64 where OTLP has hex. */
function readIndependently(signal: OtlpSignal, json: string): unknown {
  const type = requestType(signal)
  const object = JSON.parse(json, (key, value) =>
    /^(traceId|spanId|parentSpanId)$/.test(key) ? Buffer.from(value, 'hex') : value,
  )
  return known(signal, type.encode(type.fromObject(object)).finish())
}

/** Writes a decoded request as OTLP/JSON in one of the many spellings a sender may choose. */
function spell(random: RandomRequests, type: protobuf.Type, message: Record<string, unknown>): string {
  const gap = () => random.pick(['', '', '', ' ', '\n\t', '\r\n'])
  const quoted = (text: string): string => {
    if (random.random() < 0.7) return JSON.stringify(text)
    const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0'))
    return `"${units.map(unit => `\\u${random.random() < 0.5 ? unit : unit.toUpperCase()}`).join('')}"`
  }
  const value = (field: protobuf.Field, one: unknown): string => {
    if (field.resolvedType) return spell(random, field.resolvedType as protobuf.Type, one as Record<string, unknown>)
    if (field.type === 'string') return quoted(one as string)
    if (field.type === 'bytes') {
      const bytes = Buffer.from((one as string).slice(4), 'hex')
      if (!/Id$/.test(field.name)) return quoted(bytes.toString(random.pick(['base64', 'base64url'])))
      return quoted(random.random() < 0.5 ? bytes.toString('hex') : bytes.toString('hex').toUpperCase())
    }
    if (field.type === 'double') return Number.isFinite(one) ? String(one) : `"${one}"`
    if (field.type === 'bool') return String(one)
    return random.random() < 0.5 ? `"${one}"` : String(one)
  }
  const members: string[] = []
  for (const field of type.fieldsArray) {
    const held = message[field.name]
    const list = Array.isArray(held) ? held.map(one => `${gap()}${value(field, one)}${gap()}`).join(',') : ''
    if (held === undefined) {
      if (random.random() < 0.05) members.push(`"${field.name}":null`)
    } else members.push(`${quoted(field.name)}${gap()}:${gap()}${field.repeated ? `[${list}]` : value(field, held)}`)
  }
  if (random.random() < 0.2) members.push(random.pick(UNKNOWN))
  if (random.random() < 0.3) members.sort(() => random.random() - 0.5)
  return `{${gap()}${members.join(`${gap()},${gap()}`)}${gap()}}`
}

const UNKNOWN = [
  '"newField":{"a":[1,-2.5e3,{"b":null}],"c":"\\u0041\\n"}',
  '"":[]',
  '"trace_id":"not hex"',
  '"largo":{"x":{}, "y":[[]]}',
  '"flag":true,"other":false',
]

describe.each(OTLP_SIGNALS)('OTLP/JSON of %s', signal => {
  it('shows what protobufjs reads in the same bytes', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const bytes = new RandomRequests(seed).request(signal)
        const json = toJson(admit(signal, bytes).payload)
        expect(readIndependently(signal, json)).toEqual(known(signal, bytes))
      }),
      { numRuns: 50 },
    )
  })

  it('becomes the message that protobufjs reads in it, however it is spelled', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const random = new RandomRequests(seed)
        const request = decoded(signal, random.request(signal))
        const json = spell(random, requestType(signal), request)
        const bytes = fromJson(signal, random.random() < 0.5 ? json : Buffer.from(json))
        expect(decoded(signal, bytes)).toEqual(decoded(signal, Buffer.from(encodeKnown(signal, request))))
        expect(admit(signal, bytes).payload.flat()).toEqual(bytes)
      }),
      { numRuns: 50 },
    )
  })

  it('is stable from text to bytes to text', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const json = toJson(admit(signal, new RandomRequests(seed).request(signal)).payload)
        expect(toJson(admitJson(signal, json).payload)).toBe(json)
      }),
      { numRuns: 50 },
    )
  })

  it('shows merged payloads as one request', () => {
    const one = admit(signal, new RandomRequests(1).request(signal)).payload
    const two = admit(signal, new RandomRequests(2).request(signal)).payload
    expect(toJson(merge([one, two]))).toBe(toJson(trust(signal, merge([one, two]).flat(), 0)))
  })

  it('never crashes on damaged text, and accepts none that JSON.parse refuses', () => {
    let refused = 0
    fc.assert(
      fc.property(seeds, seed => {
        const random = new RandomRequests(seed, { ...WILD, unknown: 0 })
        const whole = Buffer.from(spell(random, requestType(signal), decoded(signal, random.request(signal))))
        for (let i = 0; i < 20; i++) {
          const end = random.random() < 0.2 ? random.below(whole.length) : whole.length
          const json = Buffer.from(whole.subarray(0, end))
          if (end > 0) json[random.below(end)] = random.random() < 0.5 ? random.below(256) : random.pick(TOKENS)
          try {
            admitJson(signal, json)
          } catch (error) {
            if (!(error instanceof Malformed)) throw error
            expect(error.offset).toBeLessThanOrEqual(json.length)
            refused++
            continue
          }
          expect(() => JSON.parse(json.toString())).not.toThrow()
        }
      }),
      { numRuns: 20 },
    )
    expect(refused).toBeGreaterThan(50)
  })

  it('reads the example of the specification', () => {
    const json = readFileSync(new URL(`testdata/${signal}.json`, import.meta.url))
    const { payload } = admitJson(signal, json)
    expect(payload.items).toBe(signal === 'metrics' ? 4 : 1)
    expect(known(signal, payload.flat())).toEqual(readIndependently(signal, json.toString()))
    expect(JSON.parse(toJson(payload))).toEqual(
      JSON.parse(json.toString(), (key, value) =>
        /^(traceId|spanId|parentSpanId)$/.test(key) ? value.toLowerCase() : value,
      ),
    )
  })
})

const TOKENS = [...'{}[]",:\\0-1eE.nulltrfas'].map(character => character.charCodeAt(0))

/** The bytes protobufjs writes for what it has read, unknown fields left out. */
function encodeKnown(signal: OtlpSignal, request: object): Uint8Array {
  const type = requestType(signal)
  const bytes = JSON.parse(
    JSON.stringify(request, (key, value) => {
      if (key === '$unknowns') return undefined
      return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
    }),
    (_, value) => (typeof value === 'string' && value.startsWith('hex:') ? Buffer.from(value.slice(4), 'hex') : value),
  )
  return type.encode(type.fromObject(bytes)).finish()
}
