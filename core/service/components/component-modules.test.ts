import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { FakeClock, tempDir } from '#core/testing'
import { folderOf, processor, write } from './component-files.test-support.ts'
import { ComponentModules } from './component-modules.ts'

describe('what can be loaded', () => {
  const definition = processor('a')
  const plain = `{ kind: 'processor', type: 'a', description: 'A.', stability: { traces: 'beta' },
    config: { type: 'object', properties: {} }, create() { return { transform() {} } } }`
  test.each<[string, string, Record<string, string>]>([
    ['a TypeScript file', './a.ts', { 'a.ts': definition }],
    ['a file in a folder above', '../a.ts', { 'a.ts': definition, 'sub/x': '' }],
    ['JavaScript', './a.mjs', { 'a.mjs': definition }],
    ['a folder with an index', './a', { 'a/index.ts': definition }],
    ['a folder with a file of its name', './a', { 'a/a.ts': definition }],
    ['a file with local imports', './a.ts', { 'a.ts': `export * from './lib/b.ts'`, 'lib/b.ts': definition }],
    ['a default export', './a.js', { 'a.js': `export default ${plain}` }],
    ['a list', './a.js', { 'a.js': `export const all = [${plain}]` }],
    ['CommonJS', './a.cjs', { 'a.cjs': `module.exports = { a: ${plain} }` }],
    [
      'a package',
      'some-package',
      {
        'node_modules/some-package/package.json': '{"exports":"./a.js"}',
        'node_modules/some-package/a.js': definition,
      },
    ],
    [
      'a package with a scope, in TypeScript',
      '@me/a/sub',
      {
        'node_modules/@me/a/package.json': '{"type":"module","exports":{"./sub":{"import":"./a.ts"}}}',
        'node_modules/@me/a/a.ts': `import { word } from './b.ts'\nexport const one: string = word\n${definition}`,
        'node_modules/@me/a/b.ts': 'export const word: string = "b"',
      },
    ],
    [
      'a package in TypeScript that has dependencies',
      'p',
      {
        'node_modules/p/package.json': '{"type":"module","exports":"./a.ts"}',
        'node_modules/p/a.ts': `export { a } from './b.ts'`,
        'node_modules/p/b.ts': `import { word } from 'helper'\nexport const b: string = word\n${definition}`,
        'node_modules/helper/package.json': '{"type":"module","exports":"./index.js"}',
        'node_modules/helper/index.js': 'export const word = "b"',
      },
    ],
    [
      'a file whose package imports ours',
      './a.ts',
      {
        'a.ts': `export { a } from 'helper'`,
        'node_modules/helper/package.json': '{"type":"module","exports":"./index.js"}',
        'node_modules/helper/index.js': definition,
      },
    ],
  ])('%s', async (_, specifier, files) => {
    await using dir = await folderOf(files)
    const folders = [specifier.startsWith('..') ? dir.file('sub') : dir.path]
    const { definitions } = await new ComponentModules().load({ specifier, folders })
    expect(definitions).toMatchObject([{ kind: 'processor', type: 'a' }])
    expect(definitions[0]?.source).toMatch(/a\.(ts|m?js|cjs)$|index\.[tj]s$/)
  })

  test('a package is looked for in one folder after the other', async () => {
    const files = { 'node_modules/p/package.json': '{"exports":"./a.js"}', 'node_modules/p/a.js': processor('a') }
    await using here = await tempDir()
    await using there = await folderOf(files)
    const { file } = await new ComponentModules().load({ specifier: 'p', folders: [here.path, there.path] })
    expect(file).toBe(there.file('node_modules/p/a.js'))
  })
})

describe('what cannot be loaded says why, and where', () => {
  test.each<[string, string, RegExp]>([
    [
      'throws',
      'const a = 1\nthrow new Error("no luck")',
      /^cannot load component "\.\/a\.ts": no luck, at \S+a\.ts:2:7$/,
    ],
    ['throws something else', 'throw { a: 1 }', /: it threw \{"a":1\}$/],
    ['misspells', 'export const a: string = nme', /: ReferenceError: nme is not defined, at \S+a\.ts:1:26$/],
    ['does not parse', 'const a = 1\nexport const b = (', /: Expression expected, at \S+a\.ts:2$/],
    [
      'is more than types',
      'enum A { B }\nexport const b = A.B',
      /enum is not supported in strip-only mode, at \S+a\.ts:1$/,
    ],
    ['imports a name we lack', `import { x } from 'millrace/core/component'`, /provide an export named 'x', at \S+:1$/],
    ['imports a file that is gone', `import './gone.ts'`, /: Cannot find module '\S+gone\.ts' imported from \S+a\.ts$/],
    ['imports a package that is gone', `import 'gone'`, /: Cannot find package 'gone' imported from \S+a\.ts$/],
    ['imports of us what we lack', `import 'millrace/gone'`, /: this program has no module "millrace\/gone"$/],
    ['exports nothing', 'export const a = 1', /: \S+a\.ts exports no component$/],
    [
      'exports half a component',
      'export const a = { type: "a", create() {} }',
      /: its export "a" is not a component: it has no kind;/,
    ],
  ])('a file that %s', async (_, text, message) => {
    await using dir = await folderOf({ 'a.ts': text })
    await expect(new ComponentModules().load({ specifier: './a.ts', folders: [dir.path] })).rejects.toThrow(message)
  })

  test.each([
    ['./a.ts', /there is no file \S+a\.ts$/],
    ['no-such-package', /there is no package of this name in \S+$/],
  ])('%s that is not there', async (specifier, message) => {
    await using dir = await tempDir()
    await expect(new ComponentModules().load({ specifier, folders: [dir.path] })).rejects.toThrow(message)
  })

  test('a file that never ends', async () => {
    await using dir = await folderOf({ 'a.ts': 'await new Promise(() => {})' })
    const clock = new FakeClock()
    const loading = new ComponentModules(clock).load({ specifier: './a.ts', folders: [dir.path] })
    const failed = expect(loading).rejects.toThrow('it was not evaluated within 30 s')
    await clock.advance(30_000)
    await failed
  })
})

describe('loading once more', () => {
  const files = { 'a.ts': `export * from './b.ts'`, 'b.ts': processor('a') }

  test('gives the same definitions while no file has changed', async () => {
    await using dir = await folderOf(files)
    const [modules, request] = [new ComponentModules(), { specifier: './a.ts', folders: [dir.path] }]
    const first = await modules.load(request)
    expect((await modules.load(request)).definitions[0]).toBe(first.definitions[0])
    expect(modules.filesOf(request)).toEqual([dir.file('a.ts'), dir.file('b.ts')])
  })

  test('gives new ones when a file changed that it imports', async () => {
    await using dir = await folderOf(files)
    const [modules, request] = [new ComponentModules(), { specifier: './a.ts', folders: [dir.path] }]
    const first = await modules.load(request)
    await writeFile(dir.file('b.ts'), processor('changed'))
    expect((await modules.load(request)).definitions).toMatchObject([{ type: 'changed' }])
    expect(first.definitions).toMatchObject([{ type: 'a' }])
  })

  test('tries again what failed, changed or not', async () => {
    await using dir = await folderOf({ 'a.ts': `export * from 'late'` })
    const [modules, request] = [new ComponentModules(), { specifier: './a.ts', folders: [dir.path] }]
    await expect(modules.load(request)).rejects.toThrow("Cannot find package 'late'")
    await write(dir, {
      'node_modules/late/package.json': '{"main":"./a.mjs"}',
      'node_modules/late/a.mjs': processor('a'),
    })
    expect((await modules.load(request)).definitions).toMatchObject([{ type: 'a' }])
  })
})
