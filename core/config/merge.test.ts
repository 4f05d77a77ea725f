// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what these texts are about
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeNodes, splitKeys } from './merge.ts'
import { fromPlain, type MapNode, toPlain } from './node.ts'
import { resolve } from './resolve.ts'
import { parseYaml } from './yaml-parse.ts'

/** Merges YAML texts as several sources. */
async function merge(texts: readonly string[], appendLists = false): Promise<unknown> {
  const { root } = await resolve(
    texts.map(text => `yaml:${text}`),
    { env: {}, appendLists },
  )
  return toPlain(root)
}

/** A configuration with one component of each kind, all in one pipeline. */
const using = (name: string) =>
  `{receivers: {${name}: }, exporters: {${name}: }, extensions: {${name}: }, service: {extensions: [${name}],
  pipelines: {traces: {receivers: [${name}], processors: [${name}], exporters: [${name}]}}}}`

describe('sources are merged left to right', () => {
  test('maps are joined, lists replaced', async () => {
    expect(await merge([`{processors: {nop: , nop/mine: }}`, using('nop'), using('nop2')])).toEqual({
      processors: { nop: null, 'nop/mine': null },
      receivers: { nop: null, nop2: null },
      exporters: { nop: null, nop2: null },
      extensions: { nop: null, nop2: null },
      service: {
        extensions: ['nop2'],
        pipelines: { traces: { receivers: ['nop2'], processors: ['nop2'], exporters: ['nop2'] } },
      },
    })
  })

  test.each([
    [
      'scalars are replaced',
      ['{e: {nop: {key: 2}}}', '{e: {nop2: , nop: {key: new}}}'],
      { e: { nop: { key: 'new' }, nop2: null } },
    ],
    ['another type replaces', ['{r: {nop: {key: val}}}', '{r: {nop: {key: 1.2}}}'], { r: { nop: { key: 1.2 } } }],
    ['a null replaces a map', ['{processors: {batch: {timeout: 1s}}}', 'processors:'], { processors: null }],
    ['an empty map leaves a map alone', ['{processors: {batch: }}', 'processors: {}'], { processors: { batch: null } }],
    ['a map replaces a null', ['processors:', '{processors: {batch: }}'], { processors: { batch: null } }],
    ['a list of maps is replaced whole', ['a: [{k: 1}]', 'a: [{j: 2}]'], { a: [{ j: 2 }] }],
    ['an empty source changes nothing', ['a: 1', '', '# only a comment'], { a: 1 }],
  ])('%s', async (_, texts, expected) => {
    expect(await merge(texts)).toEqual(expected)
  })
})

describe('with appended lists (confmap.enableMergeAppendOption)', () => {
  test('receivers, exporters and extensions are joined without duplicates; processors are replaced', async () => {
    expect(await merge([using('nop'), using('nop2'), using('nop'), using('nop3')], true)).toMatchObject({
      service: {
        extensions: ['nop', 'nop2', 'nop3'],
        pipelines: {
          traces: { receivers: ['nop', 'nop2', 'nop3'], processors: ['nop3'], exporters: ['nop', 'nop2', 'nop3'] },
        },
      },
    })
  })

  test('each pipeline for itself', async () => {
    const pipelines = (name: string) =>
      `service::pipelines: {traces: {receivers: [${name}]}, logs: {exporters: [${name}]}}`
    expect(await merge([pipelines('a'), pipelines('b')], true)).toEqual({
      service: { pipelines: { traces: { receivers: ['a', 'b'] }, logs: { exporters: ['a', 'b'] } } },
    })
  })

  test('no other list', async () => {
    const texts = ['{processors: {x: {path: [a], receivers: [a]}}}', '{processors: {x: {path: [b], receivers: [b]}}}']
    expect(await merge(texts, true)).toEqual({ processors: { x: { path: ['b'], receivers: ['b'] } } })
  })
})

describe('keys that hold ::', () => {
  test('are split in maps below maps', () => {
    const node = fromPlain({ 'typed::options': { 'floating::point::example': 3.14, 'nil::example': null, plain: 1 } })
    expect(toPlain(splitKeys(node))).toEqual({
      typed: { options: { floating: { point: { example: 3.14 } }, nil: { example: null }, plain: 1 } },
    })
  })

  test.each([
    ['processors::test::timeout: 2s', { processors: { test: { timeout: '2s' } } }],
    ['processors::test/foo::timeout: 3s', { processors: { 'test/foo': { timeout: '3s' } } }],
    [
      'processors: {test/foo::timeout: 3s, test::timeout: 2s}',
      { processors: { 'test/foo': { timeout: '3s' }, test: { timeout: '2s' } } },
    ],
    ['service::extensions: [zpages, zpages/foo]', { service: { extensions: ['zpages', 'zpages/foo'] } }],
    [
      'processors::test/foo::timeout: 3s\nprocessors::test::timeout: 2s',
      { processors: { 'test/foo': { timeout: '3s' }, test: { timeout: '2s' } } },
    ],
    ['processors.test.timeout: 4s', { 'processors.test.timeout': '4s' }],
    ['a: [{"b::c": 1}]', { a: [{ 'b::c': 1 }] }],
  ])('%s', async (text, expected) => {
    expect(await merge([text])).toEqual(expected)
  })
})

describe('null and the empty map are different', () => {
  test.each([
    ['field: {key: null}', { field: { key: null } }],
    ['field: {key: {}}', { field: { key: {} } }],
    ['field:\n  key:', { field: { key: null } }],
    ['field:', { field: null }],
    ['field: {}', { field: {} }],
  ])('%s', async (text, expected) => {
    expect(await merge([text])).toEqual(expected)
  })

  test.each([
    ['null', null],
    ['{}', {}],
    ['', null],
  ])('also from a variable that holds %j', async (VALUE, expected) => {
    const { root } = await resolve(['yaml:field: {key: "${env:VALUE}"}'], { env: { VALUE } })
    expect(toPlain(root)).toEqual({ field: { key: expected } })
  })
})

describe('merging in general', () => {
  /** Maps in which a key tells what it holds, as in configurations: those beginning with m hold maps. */
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.uniqueArray(fc.integer(), { maxLength: 2 }))
  const treeOf = (depth: number): fc.Arbitrary<Record<string, unknown>> =>
    fc
      .tuple(
        depth === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom('ma', 'mb'), treeOf(depth - 1), { maxKeys: 2 }),
        fc.dictionary(fc.constantFrom('x', 'y', 'z'), leaf, { maxKeys: 3 }),
      )
      .map(([maps, leaves]) => ({ ...maps, ...leaves }))
  const tree = treeOf(3)
  const node = (value: unknown) => fromPlain(value) as MapNode

  test('is associative where keys hold the same kind of value everywhere', () => {
    fc.assert(
      fc.property(tree, tree, tree, fc.boolean(), (a, b, c, append) => {
        const left = mergeNodes(mergeNodes(node(a), node(b), append), node(c), append)
        const right = mergeNodes(node(a), mergeNodes(node(b), node(c), append), append)
        expect(toPlain(left)).toEqual(toPlain(right))
      }),
    )
  })

  test('with nothing, or with itself, changes nothing', () => {
    fc.assert(
      fc.property(tree, a => {
        expect(toPlain(mergeNodes(node(a), node({})))).toEqual(a)
        expect(toPlain(mergeNodes(node({}), node(a)))).toEqual(a)
        expect(toPlain(mergeNodes(node(a), node(a), true))).toEqual(a)
      }),
    )
  })
})

test('the last writer of a value is its origin', async () => {
  const { root } = await resolve(['yaml:a: {x: 1, y: 1}', 'yaml:b: 2\na:\n  x: 2\n'], { env: {}, sets: ['a.z=3'] })
  expect(parseYaml('{x: 2, y: 1, z: 3}')).toEqual(toPlain(root.get('a')!))
  expect(root.get('a::x')!.origin).toEqual({ file: 'yaml:b', line: 3, column: 6 })
  expect(root.get('a::y')!.origin).toEqual({ file: 'yaml:a', line: 1, column: 14 })
  expect(root.get('a::z')!.origin).toEqual({ file: '--set a.z', line: 1, column: 7 })
})
