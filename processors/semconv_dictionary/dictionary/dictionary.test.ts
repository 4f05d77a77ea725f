import { describe, expect, test } from 'vitest'
import { aLog, aPoint, FakeClock, logsOf, metricsOf, type PlainAttributes, payloadOf } from '#core/testing'
import { Observer } from '../analysis/observer.ts'
import { type LearnedSignal, walk } from '../analysis/walk.ts'
import { Dictionary, type DictionaryOptions } from './dictionary.ts'
import { decodeEntry, encodeEntry } from './entry-codec.ts'

const MINUTE = 60_000

function lab(over: Partial<DictionaryOptions> = {}) {
  const clock = new FakeClock()
  const removed: string[] = []
  const options = {
    shards: 4,
    budget: 1000,
    perAttributeCap: 10,
    staleAfter: 24 * 60 * MINUTE,
    purgeAfter: 7 * 24 * 60 * MINUTE,
  }
  const dictionary = new Dictionary(
    { ...options, clock, ...over },
    { removed: (entry, reason) => removed.push(`${entry.name} ${reason}`) },
  )
  const observer = new Observer(1)
  const learn = async (signal: LearnedSignal, request: Parameters<typeof payloadOf>[1]) => {
    const payload = payloadOf(signal, request)
    walk(observer, signal, payload.flat())
    await dictionary.apply(observer.take(1, payload.items))
  }
  const learnLogs = (attributes: PlainAttributes[], service = 'shop') =>
    learn(
      'logs',
      logsOf(
        attributes.map(each => aLog({ attributes: each })),
        { resource: { 'service.name': service } },
      ),
    )
  return { clock, dictionary, learn, learnLogs, observer, removed }
}

const cardinality = (dictionary: Dictionary, name: string) => dictionary.get('attribute', name)?.sketch.cardinality

describe('a dictionary', () => {
  test('knows who sends what, when, and how many different values', async () => {
    const { clock, dictionary, learnLogs } = lab()
    const first = clock.now()
    await learnLogs([{ a: 1 }, { a: 2, b: 'x' }])
    await clock.advance(MINUTE)
    await learnLogs([{ a: 1 }], 'cart')
    const entry = dictionary.get('attribute', 'a')!
    expect([entry.firstSeen, entry.lastSeen, entry.count]).toEqual([first, first + MINUTE, 3])
    expect(Object.fromEntries(entry.services)).toEqual({ shop: 2, cart: 1 })
    expect(entry.sketch.cardinality).toBe(2)
    expect(dictionary.size).toBe(3)
  })

  test('counts the attribute sets of a metric and keeps unit, description, instrument and keys', async () => {
    const { dictionary, learn } = lab()
    const sum = {
      isMonotonic: true,
      dataPoints: [aPoint({ attributes: { a: 1 } }), aPoint({ attributes: { a: 1, b: 2 } })],
    }
    await learn('metrics', metricsOf([{ name: 'm', unit: 'By', description: 'D', sum }]))
    const { unit, description, instrument, keys, sketch } = dictionary.get('metric', 'm')!
    expect([unit, description, instrument, [...keys], sketch.cardinality]).toEqual(['By', 'D', 1, ['a', 'b'], 2])
  })

  test('marks an attribute above its cap and goes on counting', async () => {
    const { dictionary, learnLogs } = lab()
    await learnLogs(Array.from({ length: 11 }, (_, n) => ({ a: n })))
    const entry = dictionary.get('attribute', 'a')!
    expect([dictionary.overflowed(entry), entry.sketch.cardinality]).toEqual([true, 11])
  })

  test('has names that objects cannot have as keys', async () => {
    const { dictionary, learnLogs } = lab()
    await learnLogs([JSON.parse('{"__proto__": "x", "constructor": 1, "toString": 2}')])
    expect(['__proto__', 'constructor', 'toString'].map(name => cardinality(dictionary, name))).toEqual([1, 1, 1])
  })
})

describe('age', () => {
  test('makes entries stale, then expired, and lets them go', async () => {
    const { clock, dictionary, learnLogs, removed } = lab({ shards: 1, staleAfter: 10, purgeAfter: 20 })
    await learnLogs([{ a: 1 }])
    const entry = dictionary.get('attribute', 'a')!
    const seen = [dictionary.status(entry)]
    await clock.advance(11)
    seen.push(dictionary.status(entry))
    dictionary.age()
    expect(dictionary.size).toBe(2)
    await clock.advance(10)
    seen.push(dictionary.status(entry))
    dictionary.age()
    expect(seen).toEqual(['active', 'stale', 'expired'])
    expect(dictionary.size).toBe(0)
    expect(removed).toEqual(['service.name expired', 'a expired'])
    // Nothing of them was stored, so nothing has to be removed from storage.
    expect([...dictionary.gone]).toEqual([])
  })
})

describe('the budget', () => {
  test('counts entries and hashes kept one by one, and turns most hashes into estimates first', async () => {
    const { dictionary, learnLogs, removed } = lab({ budget: 100 })
    await learnLogs(Array.from({ length: 60 }, (_, n) => ({ many: n, few: n % 20 })))
    expect(dictionary.usedSlots).toBe(3 + 60 + 20 + 1)
    await learnLogs(Array.from({ length: 30 }, (_, n) => ({ few: 100 + n })))
    expect(dictionary.usedSlots).toBeLessThanOrEqual(90)
    expect([cardinality(dictionary, 'many'), dictionary.get('attribute', 'many')!.sketch.estimated]).toEqual([60, true])
    expect(dictionary.get('attribute', 'few')!.sketch.estimated).toBe(false)
    expect(removed).toEqual([])
  })

  test('then lets go of entries, those of a flood first, standard ones last', async () => {
    const { clock, dictionary, learnLogs, removed } = lab({ budget: 50 })
    dictionary.isStandard = entry => entry.name.startsWith('http.')
    await learnLogs([{ 'http.method': 1, kept: 1 }, { kept: 1 }])
    await clock.advance(2 * MINUTE)
    await learnLogs([Object.fromEntries(Array.from({ length: 47 }, (_, n) => [`flood.${n}`, n]))])
    expect(dictionary.size).toBeLessThanOrEqual(50)
    expect(removed.every(each => each.startsWith('flood.'))).toBe(true)
    expect(dictionary.get('attribute', 'http.method')).toBeDefined()
    expect(dictionary.epoch).toBe(removed.length)
  })

  test('holds against a flood of names', async () => {
    const { dictionary, learnLogs } = lab({ budget: 500 })
    await learnLogs([{ a: 1 }, { a: 1 }])
    for (let wave = 0; wave < 20; wave++) {
      await learnLogs([
        Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`user.${wave * 1000 + n}.clicks`, n])),
      ])
      expect(dictionary.usedSlots).toBeLessThanOrEqual(500)
    }
    expect(dictionary.get('attribute', 'a')).toBeDefined()
  })
})

test('an entry comes back from storage as it was', async () => {
  const { dictionary, learn, learnLogs } = lab()
  await learnLogs([{ a: 1, 'zß"\n': [1, 2] }], 'märchen')
  await learn('metrics', metricsOf([{ name: 'm', unit: '1', gauge: { dataPoints: [aPoint()] } }]))
  for (const entry of dictionary.entries()) {
    const restored = decodeEntry(encodeEntry(entry), entry.sketch.encode())
    expect({ ...restored, sketch: 0 }).toEqual({ ...entry, sketch: 0, sketchChanged: false, stored: true })
    expect(restored.sketch.cardinality).toBe(entry.sketch.cardinality)
  }
})

test.each(['{}', 'x', '{"k":"attribute"}', '{"k":"no","n":"a","f":1,"l":1}'])('%s is no entry', damaged => {
  expect(() => decodeEntry(Buffer.from(damaged), undefined)).toThrow()
})
