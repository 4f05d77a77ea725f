import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { bit, type EntryKind, INSTRUMENTS, VALUE_KINDS, type ValueKindName } from '../analysis/vocabulary.ts'
import { Entry } from '../dictionary/entry.ts'
import { classify } from './classify.ts'
import type { Convention } from './convention.ts'
import { Conventions } from './conventions.ts'
import { loadConventions } from './load-conventions.ts'
import { packageVersion, readPackageConventions } from './package-conventions.ts'
import { readRegistryConventions } from './registry-conventions.ts'

let standard: Conventions
let list: Convention[]
beforeAll(() => {
  list = readPackageConventions()
  standard = new Conventions(list)
})

function entry(name: string, values: ValueKindName = 'string', kind: EntryKind = 'attribute'): Entry {
  const made = new Entry(kind, name, 0)
  made.values = bit(VALUE_KINDS, values)
  return made
}

function metric(name: string, instrument: (typeof INSTRUMENTS)[number], unit: string): Entry {
  const made = new Entry('metric', name, 0)
  made.values = made.instrument = bit(INSTRUMENTS, instrument)
  made.unit = unit
  return made
}

describe('the standard', () => {
  test('has the names, templates and deprecations of the installed package', () => {
    const count = (kind: EntryKind) => list.filter(each => each.kind === kind).length
    expect([count('attribute'), count('metric'), count('event')]).toEqual([1001, 564, 32])
    expect(list.filter(each => each.kind === 'attribute' && each.stable)).toHaveLength(126)
    expect(list.filter(each => each.template)).toHaveLength(44)
    const replaced = (kind: EntryKind) => list.filter(each => each.kind === kind && each.deprecated?.replacement).length
    expect([replaced('attribute'), replaced('metric'), replaced('event')]).toEqual([127, 70, 1])
    expect(list.filter(each => each.moved)).toHaveLength(76)
  })

  test('has a brief for every name', () => {
    expect(list.filter(each => each.brief === '' || each.brief.startsWith('@')).map(each => each.name)).toEqual([])
  })

  test.each([
    ['http.request.method', 'string', { classification: 'matches_standard' }],
    ['http.method', 'string', { classification: 'deprecated', replacement: 'http.request.method' }],
    ['http.request.method', 'int', { classification: 'type_mismatch', expected_type: 'string' }],
    ['httpRequestMethod', 'string', { classification: 'near_miss', suggestion: 'http.request.method' }],
    ['http_request_method', 'string', { classification: 'near_miss', suggestion: 'http.request.method' }],
    ['service_name', 'string', { classification: 'near_miss', suggestion: 'service.name' }],
    ['http.requst.method', 'string', { classification: 'near_miss', suggestion: 'http.request.method' }],
    ['http.request.mehtod', 'string', { classification: 'near_miss', suggestion: 'http.request.method' }],
    ['http.request.header.x-tenant', 'string[]', { classification: 'matches_standard' }],
    ['k8s.pod.label.app', 'string', { classification: 'matches_standard' }],
    ['http.request.tenant', 'string', { classification: 'extends_standard', namespace: 'http.request' }],
    ['gen_ai.request.model', 'string', { classification: 'matches_standard', moved: true }],
    ['acme.order_id', 'int', { classification: 'custom' }],
    ['process.pid', 'int', { classification: 'matches_standard' }],
    ['__proto__', 'int', { classification: 'custom' }],
    ['', 'int', { classification: 'custom' }],
  ] as const)('%s holding %s', (name, values, expected) => {
    expect(classify(entry(name, values), standard)).toMatchObject(expected)
  })

  test('knows metrics and events', () => {
    expect(classify(metric('http.server.request.duration', 'histogram', 's'), standard).classification).toBe(
      'matches_standard',
    )
    expect(classify(entry('app.crash', 'string', 'event'), standard).classification).toBe('matches_standard')
    expect(classify(metric('http.server.request_duration', 'histogram', 's'), standard)).toEqual({
      classification: 'near_miss',
      suggestion: 'http.server.request.duration',
    })
  })
})

describe('registries of users', () => {
  const GROUPS = `
groups:
  - id: attributes.acme
    type: attribute_group
    brief: Ours
    attributes:
      - id: acme.tier
        type: { members: [{ id: gold, value: 1, stability: stable }] }
        brief: The tier
        stability: stable
      - { id: acme.label, type: "template[string]", brief: A label, stability: stable }
      - { id: acme.old, type: string, brief: Old, deprecated: { reason: renamed, renamed_to: acme.new } }
      - ref: service.name
  - { id: metric.acme, type: metric, metric_name: acme.latency, instrument: histogram, unit: ms, brief: Latency }
  - { id: event.acme, type: event, name: acme.started, brief: Started }
`
  const DEFINITIONS = `
file_format: definition/2
attributes: [{ key: acme.count, type: double, brief: A count, stability: stable }]
metrics: [{ name: acme.queue, instrument: gauge, unit: "{message}", brief: Queue, stability: stable }]
events: [{ name: acme.stopped, brief: Stopped, stability: stable }]
`
  async function registry() {
    const dir = await tempDir()
    mkdirSync(join(dir.path, 'sub'))
    writeFileSync(join(dir.path, 'a.yaml'), GROUPS)
    writeFileSync(join(dir.path, 'sub/b.yml'), DEFINITIONS)
    writeFileSync(join(dir.path, 'manifest.yaml'), 'schema_url: https://example.com/1.0.0')
    return dir
  }

  test('come with types, units and instruments, in both formats', async () => {
    await using dir = await registry()
    const own = new Conventions(readRegistryConventions([dir.path]))
    const verdicts = [
      entry('acme.tier', 'int'),
      entry('acme.tier', 'string'),
      entry('acme.label.x'),
      entry('acme.old'),
      entry('acme.count', 'int'),
      entry('acme.started', 'string', 'event'),
      entry('acme.stopped', 'string', 'event'),
      metric('acme.latency', 'exponential_histogram', 'ms'),
      metric('acme.latency', 'counter', 's'),
      metric('acme.queue', 'gauge', '{message}'),
    ].map(each => classify(each, own))
    expect(verdicts.map(({ brief: _, ...rest }) => rest)).toEqual([
      { classification: 'matches_standard' },
      { classification: 'type_mismatch', expected_type: 'int' },
      { classification: 'matches_standard' },
      { classification: 'deprecated', replacement: 'acme.new', note: 'renamed' },
      { classification: 'matches_standard' },
      { classification: 'matches_standard' },
      { classification: 'matches_standard' },
      { classification: 'matches_standard' },
      { classification: 'type_mismatch', expected_unit: 'ms', expected_instrument: 'histogram' },
      { classification: 'matches_standard' },
    ])
  })

  test('that cannot be read are named', async () => {
    await using dir = await registry()
    expect(() => readRegistryConventions([join(dir.path, 'absent')])).toThrow(
      /Cannot read the registry at .*absent: ENOENT/,
    )
    writeFileSync(join(dir.path, 'c.yaml'), 'groups: [')
    expect(() => readRegistryConventions([dir.path])).toThrow(/Cannot read the registry at .*c\.yaml: /)
  })

  test('are read in a thread, before the standard, which is kept by its version', async () => {
    await using dir = await registry()
    const kept = new Map<string, Uint8Array>()
    const cache = {
      get: async (name: string) => kept.get(name) as Buffer | undefined,
      set: async (name: string, value: Uint8Array) => void kept.set(name, value),
    }
    const conventions = await loadConventions([dir.path], cache)
    expect([...kept.keys()]).toEqual([`conventions/${packageVersion()}`])
    expect(JSON.parse(Buffer.from([...kept.values()][0]!).toString())).toEqual(list)
    expect(conventions[0]!.name).toBe('acme.tier')
    expect(conventions.length).toBeGreaterThan(1500)
    expect(await loadConventions([])).toEqual(list)
  })
})
