import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit, trust } from './admit.ts'
import { isMergeable, merge } from './merge.ts'
import { decoded, encoded, itemsOf, OTLP_SIGNALS, type OtlpSignal, RandomRequests } from './otlp.test-support.ts'
import type { Payload } from './payload.ts'
import { split } from './split.ts'

function admitted<S extends OtlpSignal>(signal: S, seed: number): Payload<S> {
  return admit(signal, new RandomRequests(seed).request(signal)).payload
}

function itemsIn(payload: Payload<OtlpSignal>): { item: unknown; header: unknown[] }[] {
  return itemsOf(payload.signal, decoded(payload.signal, payload.flat()))
}

/** What `split` has to carry along beside the items: messages in which there could be some, but are none. */
function emptiesOf(payload: Payload<OtlpSignal>): string[] {
  const found: string[] = []
  const enter = (node: Record<string, unknown>): void => {
    const inner = Object.entries(node).filter(([name]) => INNER.test(name))
    for (const child of inner.flatMap(([, value]) => value as Record<string, unknown>[])) enter(child)
    if (inner.length === 0) found.push(JSON.stringify(node))
  }
  const { $unknowns, ...request } = decoded(payload.signal, payload.flat())
  for (const entry of Object.values(request).flat()) enter(entry as Record<string, unknown>)
  return [...found, JSON.stringify($unknowns ?? [])]
}

const INNER = /^(scope[A-Z].*|spans|logRecords|metrics|gauge|sum|histogram|exponentialHistogram|summary|dataPoints)$/

describe.each(OTLP_SIGNALS)('Merging and splitting %s', signal => {
  const seeds = fc.array(fc.integer(), { minLength: 1, maxLength: 4 })

  it('merges without touching bytes', () => {
    fc.assert(
      fc.property(seeds, list => {
        const payloads = list.map(seed => admitted(signal, seed))
        const merged = merge(payloads)
        expect(merged.items).toBe(payloads.reduce((sum, payload) => sum + payload.items, 0))
        expect(merged.pieces()).toEqual(payloads.flatMap(payload => payload.pieces()))
        expect(itemsIn(merged)).toEqual(payloads.flatMap(itemsIn))
      }),
    )
  })

  it('splits by items into full payloads that merge to the same items with the same surroundings', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 30 }), (list, items) => {
        const whole = merge(list.map(seed => admitted(signal, seed)))
        const parts = split(whole, { items })
        for (const part of parts.slice(0, -1)) expect(part.items).toBe(items)
        expect(parts[parts.length - 1]!.items).toBeLessThanOrEqual(items)
        expect(itemsIn(merge(parts))).toEqual(itemsIn(whole))
        for (const part of parts) expect(admit(signal, part.flat()).payload.items).toBe(part.items)
      }),
      { numRuns: 50 },
    )
  })

  it('splits by bytes into payloads within the limit, or of one item', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 10 }), (list, bytes, items) => {
        const whole = merge(list.map(seed => admitted(signal, seed)))
        const parts = split(whole, { bytes, items })
        for (const part of parts) {
          if (part.items > 1) expect(part.bytes).toBeLessThanOrEqual(bytes)
          if (items > 0) expect(part.items).toBeLessThanOrEqual(items)
          expect(part.bytes).toBe(part.flat().length)
          expect(admit(signal, part.flat()).payload.items).toBe(part.items)
        }
        expect(itemsIn(merge(parts))).toEqual(itemsIn(whole))
      }),
      { numRuns: 50 },
    )
  })

  it('loses no empty resource, scope or metric and no unknown field of the request, and repeats none', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 10 }), (list, items) => {
        const whole = merge(list.map(seed => admitted(signal, seed)))
        const parts = split(whole, { items })
        const empties = parts.map(emptiesOf)
        expect(empties.flatMap(list => list.slice(0, -1))).toEqual(emptiesOf(whole).slice(0, -1))
        expect(empties.flatMap(list => JSON.parse(list.at(-1)!))).toEqual(JSON.parse(emptiesOf(whole).at(-1)!))
      }),
      { numRuns: 30 },
    )
  })

  it('returns a payload within the limits as it is', () => {
    const payload = merge([1, 2, 3, 4, 5].map(seed => admitted(signal, seed)))
    expect(payload.items).toBeGreaterThan(0)
    expect(split(payload, {})).toEqual([payload])
    expect(split(payload, { items: payload.items, bytes: payload.bytes })[0]).toBe(payload)
    expect(split(payload, { items: 0, bytes: 0 })[0]).toBe(payload)
    expect(merge([payload])).toBe(payload)
  })
})

describe('Splitting', () => {
  it('keeps name, unit, temporality and monotonicity with the points of a metric', () => {
    const sum = { dataPoints: [{ asInt: 1 }, { asInt: 2 }, { asInt: 3 }], aggregationTemporality: 2, isMonotonic: true }
    const resourceMetrics = [{ schemaUrl: 'u', scopeMetrics: [{ metrics: [{ name: 'm', unit: 's', sum }] }] }]
    const parts = split(admit('metrics', encoded('metrics', { resourceMetrics })).payload, { items: 2 })
    expect(parts.map(part => decoded('metrics', part.flat()))).toMatchObject([
      {
        resourceMetrics: [
          {
            schemaUrl: 'u',
            scopeMetrics: [
              {
                metrics: [
                  {
                    name: 'm',
                    unit: 's',
                    sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ asInt: '1' }, { asInt: '2' }] },
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        resourceMetrics: [
          { scopeMetrics: [{ metrics: [{ sum: { aggregationTemporality: 2, dataPoints: [{ asInt: '3' }] } }] }] },
        ],
      },
    ])
  })

  it('refers to long runs of the source instead of copying them', () => {
    const spans = Array.from({ length: 100 }, () => ({ name: 'x'.repeat(200) }))
    const payload = admit('traces', encoded('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })).payload
    for (const part of split(payload, { items: 50 })) {
      const long = part.pieces().filter(piece => piece.length > 4096)
      expect(long.map(piece => piece.buffer)).toEqual([payload.flat().buffer])
    }
  })

  it('refers to one copy of a long header that lies scattered, however many payloads repeat it', () => {
    const spans = Array.from({ length: 6 }, (_, i) => ({ name: `${i}` }))
    const one = encoded('traces', { resourceSpans: [{ scopeSpans: [{ scope: { name: 'n'.repeat(5000) }, spans }] }] })
    const scattered = encoded('traces', { resourceSpans: [{ scopeSpans: [{ spans, schemaUrl: 'u'.repeat(5000) }] }] })
    const scope = Buffer.concat([one.subarray(6), scattered.subarray(6)])
    const wrap = (tag: number, body: Buffer) =>
      Buffer.concat([Buffer.from([tag, (body.length & 127) | 128, body.length >> 7]), body])
    const payload = admit('traces', wrap(0x0a, wrap(0x12, scope))).payload
    const parts = split(payload, { items: 3 })
    const headers = parts.map(part => part.pieces().filter(piece => piece.length > 4096)[0]!)
    expect(new Set(headers.map(header => `${header.byteOffset}`)).size).toBe(1)
    expect(new Set(headers.map(header => header.buffer)).size).toBe(1)
    expect(parts.map(part => part.items)).toEqual([3, 3, 3, 3])
  })

  it('leaves profiles whole and does not merge them', () => {
    const payload = trust('profiles', Buffer.from([0x0a, 0x00]), 100)
    expect(split(payload, { items: 1 })).toEqual([payload])
    expect(isMergeable('profiles')).toBe(false)
    expect(() => merge([payload, payload])).toThrow('Cannot merge 2 payloads of profiles')
  })

  it('cannot merge nothing', () => {
    expect(() => merge([])).toThrow(RangeError)
  })
})
