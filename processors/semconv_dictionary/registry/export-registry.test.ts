import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { FakeClock, tempDir } from '#core/testing'
import { bit, INSTRUMENTS, PLACES, SIGNAL_TYPES, VALUE_KINDS } from '../analysis/vocabulary.ts'
import { Classifier } from '../classification/classifier.ts'
import { Conventions } from '../classification/conventions.ts'
import { readPackageConventions } from '../classification/package-conventions.ts'
import { Dictionary } from '../dictionary/dictionary.ts'
import { Entry } from '../dictionary/entry.ts'
import { exportRegistry } from './export-registry.ts'
import { quote } from './quote.ts'
import { registryType } from './registry-type.ts'
import type { Selection } from './select-groups.ts'
import { validateRegistry } from './validate-registry.test-support.ts'

const DAY = Date.parse('2026-05-08T10:00:00Z')
const OPTIONS = { stability: 'experimental', logGroupType: 'attribute_group', annotationPrefix: 'proxy' }
const standard = new Conventions(readPackageConventions())

function lab(entries: readonly Entry[]) {
  const options = { shards: 4, budget: 1e6, perAttributeCap: 1000, staleAfter: 1e9, purgeAfter: 1e10 }
  const dictionary = new Dictionary({ ...options, clock: new FakeClock() })
  for (const entry of entries) dictionary.restore(entry)
  const classifier = new Classifier()
  classifier.use(standard)
  const source = { dictionary, verdict: (entry: Entry) => classifier.verdict(entry) }
  return async (selection: Selection = {}, over: Partial<typeof OPTIONS> = {}) => {
    let text = ''
    for await (const piece of exportRegistry(source, selection, { ...OPTIONS, ...over })) text += piece
    return text
  }
}

type Place = (typeof PLACES)[number]

function attribute(
  name: string,
  signals: readonly (typeof SIGNAL_TYPES)[number][],
  values: readonly (typeof VALUE_KINDS)[number][] = ['string'],
  places: readonly Place[] = ['span'],
): Entry {
  const entry = new Entry('attribute', name, DAY)
  for (const each of signals) entry.signals |= bit(SIGNAL_TYPES, each)
  for (const each of values) entry.values |= bit(VALUE_KINDS, each)
  for (const each of places) entry.places |= bit(PLACES, each)
  return entry
}

function metric(
  name: string,
  instrument: (typeof INSTRUMENTS)[number],
  unit: string,
  keys: readonly string[] = [],
): Entry {
  const entry = new Entry('metric', name, DAY)
  entry.instrument = entry.values = bit(INSTRUMENTS, instrument)
  entry.unit = unit
  entry.signals = 1
  entry.addKeys(keys)
  return entry
}

function estate(): Entry[] {
  const route = attribute('http.route', ['trace', 'metric'], ['string'], ['span', 'data_point'])
  route.spanKinds[2] = 9
  const event = new Entry('event', 'app.crash', DAY)
  event.signals = 4
  return [
    route,
    attribute('http.method', ['trace']),
    attribute('app.order_id', ['log'], ['int', 'double'], ['log']),
    attribute('service.name', ['trace', 'metric', 'log'], ['string'], ['resource']),
    attribute('host.name', ['metric'], ['string'], ['resource']),
    metric('http.server.request.duration', 'histogram', 's', ['http.route']),
    metric('rpc.latency', 'summary', '1'),
    event,
  ]
}

describe('an export', () => {
  test('has a group for each signal of an attribute and for each metric', async () => {
    const text = await lab(estate())()
    const { groups } = parseYaml(text) as { groups: { id: string; type: string }[] }
    expect(groups.map(({ id, type }) => `${id} ${type}`)).toEqual([
      'log.app.order_id attribute_group',
      'log.service.name attribute_group',
      'metric.host.name attribute_group',
      'metric.http.server.request.duration metric',
      'metric.rpc.latency metric',
      'trace.http.method span',
      'trace.http.route span',
      'trace.service.name span',
    ])
    expect(validateRegistry(text)).toEqual([])
  })

  test('prints a group like this', async () => {
    expect(await lab(estate())({ type: 'metric', prefix: 'http.' })).toBe(`groups:
  - id: "metric.http.server.request.duration"
    type: metric
    metric_name: "http.server.request.duration"
    brief: "Duration of HTTP server requests."
    instrument: histogram
    unit: "s"
    stability: experimental
    attributes:
      - id: "http.route"
        type: "string"
        brief: "The matched route template for the request. This **MUST** be low-cardinality and include all static path segments, with dynamic path segments represented with placeholders."
        stability: experimental
        requirement_level: recommended
        examples: ["example"]
    annotations:
      "proxy.status": "matches_standard"
      "proxy.first_seen": "2026-05-08T10:00:00.000Z"
      "proxy.last_seen": "2026-05-08T10:00:00.000Z"
      "proxy.cardinality": 0
      "proxy.signal": "metric"
`)
  })

  test('tells what it had to change', async () => {
    const text = await lab(estate())()
    expect(text).toContain('"proxy.original_instrument": "summary"')
    expect(text).toContain('"proxy.replacement": "http.request.method"')
    expect(text).toContain('span_kind: server')
  })

  test.each([
    [
      { type: 'metric' },
      ['metric.host.name', 'metric.http.server.request.duration', 'metric.rpc.latency', 'metric.service.name'],
    ],
    [{ type: 'trace' }, ['trace.http.method', 'trace.http.route', 'trace.service.name']],
    [{ type: 'log', events: true }, ['event.app.crash', 'log.app.order_id', 'log.service.name']],
    [{ prefix: 'http' }, ['metric.http.server.request.duration', 'trace.http.method', 'trace.http.route']],
    [{ prefix: 'ttp' }, []],
  ] as [Selection, string[]][])('of %j has the groups %j', async (selection, ids) => {
    const text = await lab(estate())(selection)
    expect(validateRegistry(text)).toEqual([])
    expect((parseYaml(text) as { groups: { id: string }[] }).groups.map(group => group.id)).toEqual(ids)
  })

  test('of nothing has no groups', async () => {
    expect(await lab([])()).toBe('groups: []\n')
    expect(validateRegistry('groups: []\n')).toEqual([])
  })

  test('has groups of type log only when asked to', async () => {
    const text = await lab(estate())({ type: 'log' }, { logGroupType: 'log' })
    expect(text).toContain('type: log\n')
    expect(validateRegistry(text)).toContain('log.app.order_id: unknown type log')
  })

  test('is the same whatever the order of learning', async () => {
    expect(await lab(estate().reverse())()).toBe(await lab(estate())())
  })

  test('stays valid whatever names and units are', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 })
    const nasty = fc.oneof(
      text,
      fc.constantFrom('__proto__', '- a: b', '#', '"', '\\', '\u0000', '\u0085', '\ufeff', '{}', '1', 'null', '~'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          nasty.map(each => each.toWellFormed()),
          { maxLength: 8 },
        ),
        nasty,
        async (names, unit) => {
          const all = names.flatMap(name => [
            attribute(name, ['trace', 'log', 'metric'], ['string'], ['resource']),
            metric(name, 'gauge', unit.toWellFormed(), names),
          ])
          const exported = await lab(all)()
          expect(validateRegistry(exported)).toEqual([])
          const { groups } = parseYaml(exported) as { groups: { id: string }[] }
          expect(new Set(groups.map(group => group.id))).toEqual(
            new Set(names.flatMap(name => [`trace.${name}`, `log.${name}`, `metric.${name}`])),
          )
        },
      ),
    )
  })
})

test('a quoted text reads back as it was and never breaks the line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), written => {
      const text = written.toWellFormed()
      const quoted = quote(text)
      expect(quoted).not.toMatch(/[\p{Cc}\u2028\u2029\ufeff]/u)
      expect(parseYaml(`a: ${quoted}`)).toEqual({ a: text })
    }),
  )
})

test.each([
  [['string'], 'string'],
  [['string', 'empty'], 'string'],
  [['empty'], 'any'],
  [['int', 'double'], 'double'],
  [['int[]', 'double[]'], 'double[]'],
  [['string', 'int'], 'any'],
  [['map'], 'any'],
  [['bytes'], 'any'],
  [['boolean[]'], 'boolean[]'],
] as [(typeof VALUE_KINDS)[number][], string][])('%j is a %s', (kinds, type) => {
  expect(registryType(kinds.reduce((bits, kind) => bits | bit(VALUE_KINDS, kind), 0))).toBe(type)
})

const weaver = process.env.WEAVER_BIN
if (weaver !== undefined) {
  test('an export passes the registry tool at its strictest', async () => {
    await using dir = await tempDir()
    writeFileSync(join(dir.path, 'export.yaml'), await lab(estate())())
    execFileSync(weaver, ['--future', 'registry', 'check', '-r', dir.path], { stdio: 'pipe' })
  })
}
