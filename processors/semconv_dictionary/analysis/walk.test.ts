import { describe, expect, test } from 'vitest'
import { aLog, aPoint, aSpan, keyValues, logsOf, metricsOf, type Otlp, payloadOf, tracesOf } from '#core/testing'
import { Column, type Observation, ROW } from './observation.ts'
import { MAX_NAME, Observer } from './observer.ts'
import { ENTRY_KINDS, INSTRUMENTS, PLACES, SIGNAL_TYPES, VALUE_KINDS, wordsOf } from './vocabulary.ts'
import { type LearnedSignal, walk } from './walk.ts'

function observe(observer: Observer, signal: LearnedSignal, request: Otlp): Observation {
  const payload = payloadOf(signal, request)
  walk(observer, signal, payload.flat())
  return observer.take(1, payload.items)
}

/** What an observation says, by name, readable. */
function readable(observation: Observation) {
  const { names, rows, usage, services, hashes } = observation
  return Object.fromEntries(
    names.map((name, row) => {
      const at = (column: number) => rows[row * ROW + column]!
      const kind = ENTRY_KINDS[at(Column.KIND)]!
      const sent = [...triples(usage)].filter(([owner]) => owner === row)
      return [
        name,
        {
          kind,
          values: wordsOf<string>(kind === 'metric' ? INSTRUMENTS : VALUE_KINDS, at(Column.VALUES)).join(),
          signals: wordsOf(SIGNAL_TYPES, at(Column.SIGNALS)).join(),
          places: wordsOf(PLACES, at(Column.PLACES)).join(),
          count: at(Column.COUNT),
          services: Object.fromEntries(sent.map(([, service, count]) => [services[service!]!, count])),
          distinct: [...triples(hashes)].filter(([owner]) => owner === row).length,
        },
      ]
    }),
  )
}

function* triples(numbers: Int32Array): Iterable<[number, number, number]> {
  for (let at = 0; at < numbers.length; at += 3) yield [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!]
}

const AT = { resource: { 'service.name': 'shop' } }

describe('of spans', () => {
  test('attributes are learned wherever they stand', () => {
    const span = aSpan({
      kind: 3,
      attributes: { 'http.method': 'GET', n: 1 },
      events: [{ name: 'e', attributes: keyValues({ 'exception.type': 'x' }) }],
      links: [{ attributes: keyValues({ 'link.reason': true }) }],
    })
    const seen = readable(observe(new Observer(1), 'traces', tracesOf([span, span], AT)))
    const common = { kind: 'attribute', signals: 'trace', count: 2, services: { shop: 2 }, distinct: 1 }
    expect(seen).toEqual({
      'service.name': { ...common, count: 1, services: { shop: 1 }, values: 'string', places: 'resource' },
      'http.method': { ...common, values: 'string', places: 'span' },
      n: { ...common, values: 'int', places: 'span' },
      'exception.type': { ...common, values: 'string', places: 'span_event' },
      'link.reason': { ...common, values: 'boolean', places: 'span_link' },
    })
  })

  test('the kind of span they stand on is counted', () => {
    const spans = [aSpan({ kind: 2 }), aSpan({ kind: 2 }), aSpan({ kind: 5 })]
    const { names, rows } = observe(new Observer(1), 'traces', tracesOf(spans))
    const at = names.indexOf('n') * ROW + Column.SPAN_KINDS
    expect([...rows.slice(at, at + 6)]).toEqual([0, 0, 2, 0, 0, 1])
  })
})

test('kinds of values are told apart, those of arrays by their elements', () => {
  const attributes = {
    s: 'x',
    b: false,
    i: 5,
    d: 0.5,
    bytes: Buffer.from('x'),
    m: { a: 1 },
    none: null,
    ss: ['a', 'b'],
    is: [1, 2],
    ds: [0.5],
    bs: [true],
    mixed: ['a', 1],
    nothing: [],
  }
  const seen = readable(observe(new Observer(1), 'logs', logsOf([aLog({ attributes })], { resource: {} })))
  expect(Object.fromEntries(Object.entries(seen).map(([name, { values }]) => [name, values]))).toEqual({
    s: 'string',
    b: 'boolean',
    i: 'int',
    d: 'double',
    bytes: 'bytes',
    m: 'map',
    none: 'empty',
    ss: 'string[]',
    is: 'int[]',
    ds: 'double[]',
    bs: 'boolean[]',
    mixed: 'any[]',
    nothing: 'any[]',
  })
})

test('a value counts once however often it comes, and 1 is not "1"', () => {
  const observer = new Observer(1)
  const log = (x: unknown) => aLog({ attributes: { x } as never })
  expect(readable(observe(observer, 'logs', logsOf([log('1'), log(1), log('1')]))).x!.distinct).toBe(2)
  expect(readable(observe(observer, 'logs', logsOf([log('1'), log(2)]))).x!.distinct).toBe(1)
  observer.forget()
  expect(readable(observe(observer, 'logs', logsOf([log('1')]))).x!.distinct).toBe(1)
})

test('event names of log records are learned, with the attributes of their records', () => {
  const records = [aLog({ eventName: 'app.crash', attributes: { a: 1 } }), aLog({ attributes: { b: 1 } })]
  const observation = observe(new Observer(1), 'logs', logsOf(records, AT))
  expect(readable(observation)['app.crash']).toMatchObject({ kind: 'event', signals: 'log', count: 1 })
  expect(observation.facts).toEqual([{ row: observation.names.indexOf('app.crash'), keys: ['a'] }])
})

describe('of metrics', () => {
  const exemplars = [{ filteredAttributes: keyValues({ 'user.id': 'u' }), asInt: 1 }]
  const points = [aPoint({ attributes: { a: 1 } }, 1), aPoint({ attributes: { a: 2, z: 1 }, exemplars }, 2)]
  const { asInt: _, ...bare } = aPoint({ attributes: { a: 1 } }) as { asInt: number }
  const data = {
    counter: { sum: { isMonotonic: true, dataPoints: points } },
    updowncounter: { sum: { isMonotonic: false, dataPoints: points } },
    gauge: { gauge: { dataPoints: points } },
    histogram: { histogram: { dataPoints: [{ ...bare, exemplars }] } },
    exponential_histogram: { exponentialHistogram: { dataPoints: [{ ...bare, exemplars }] } },
    summary: { summary: { dataPoints: [bare] } },
  }

  test.each(Object.entries(data))('a %s is one, with unit, description, keys and points', (instrument, kind) => {
    const metric = { name: 'm', unit: 'By', description: 'About m', ...kind }
    const observation = observe(new Observer(1), 'metrics', metricsOf([metric], AT))
    const row = observation.names.indexOf('m')
    const two = instrument in { counter: 1, updowncounter: 1, gauge: 1 }
    const seen = readable(observation)
    expect(seen.m).toEqual({
      kind: 'metric',
      values: instrument,
      signals: 'metric',
      places: '',
      count: two ? 2 : 1,
      services: { shop: two ? 2 : 1 },
      distinct: two ? 2 : 1,
    })
    expect(seen.a!.places).toBe('data_point')
    if (instrument !== 'summary') expect(seen['user.id']!.places).toBe('exemplar')
    const facts = observation.facts.filter(each => each.row === row)
    expect(facts.flatMap(each => each.keys ?? [])).toEqual(two ? ['a', 'z'] : ['a'])
    expect(facts.find(each => each.unit !== undefined)).toMatchObject({ unit: 'By', description: 'About m' })
  })

  test('attribute sets are the same in any order', () => {
    const sets = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: 2, b: 1 },
    ]
    const gauge = { dataPoints: sets.map(attributes => aPoint({ attributes })) }
    expect(readable(observe(new Observer(1), 'metrics', metricsOf([{ name: 'm', gauge }]))).m!.distinct).toBe(2)
  })
})

describe('hostile names', () => {
  test('are left out when empty or too long, and that is counted', () => {
    const attributes = { '': 1, ['x'.repeat(MAX_NAME + 1)]: 1, ['y'.repeat(MAX_NAME)]: 1 }
    const observation = observe(new Observer(1), 'logs', logsOf([aLog({ attributes })], { resource: {} }))
    expect(observation.names).toEqual(['y'.repeat(MAX_NAME)])
    expect(observation.skipped).toBe(2)
  })

  test('are told apart although they share the bytes that are sampled', () => {
    const names = Array.from({ length: 200 }, (_, i) => `a${String.fromCharCode(97 + (i % 26))}${'-'.repeat(30)}${i}`)
    const alike = names.map(name => `${name.slice(0, 1)}${name.slice(1).padEnd(60, '-')}z`)
    const attributes = Object.fromEntries(alike.map(name => [name, 1]))
    const observation = observe(new Observer(1), 'logs', logsOf([aLog({ attributes })], { resource: {} }))
    expect(observation.names).toEqual([...new Set(alike)])
  })

  test('more than a worker can keep end the memory of that worker, not its work', () => {
    const observer = new Observer(1)
    const log = (from: number) =>
      logsOf([aLog({ attributes: Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`k${from + i}`, 1])) })])
    expect(observe(observer, 'logs', log(0)).skipped).toBe(0)
    expect(observe(observer, 'logs', log(9000)).skipped).toBeGreaterThan(0)
    expect(observe(observer, 'logs', log(9000)).skipped).toBe(0)
  })
})
