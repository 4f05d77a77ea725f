import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPlanted } from './architecture/planted.ts'
import { breachesOf, OWNERS, RULES } from './architecture/rules.ts'
import { blank, importsOf } from './architecture/scan.ts'
import { readTree } from './architecture/tree.ts'

const ROOT = join(import.meta.dirname, '..')
const PLANTED = join(import.meta.dirname, 'testdata/architecture')
const tree = readTree(ROOT)

describe('the repository keeps the rule', () => {
  test.each(RULES)('$name', rule => {
    expect(breachesOf(rule, tree)).toEqual([])
  })
})

describe('a planted breach is reported', () => {
  const planted = globSync('*.txt', { cwd: PLANTED }).sort()

  test.each(planted)('%s', file => {
    const { sources, breaches } = readPlanted(readFileSync(join(PLANTED, file), 'utf8'))
    const found = RULES.flatMap(rule => breachesOf(rule, sources).map(breach => `${rule.name.split(' ')[0]} ${breach}`))
    expect(found).toEqual(breaches)
  })

  test('for every rule', () => {
    const proven = new Set(
      planted
        .map(file => readPlanted(readFileSync(join(PLANTED, file), 'utf8')).sources)
        .flatMap(sources => RULES.filter(rule => breachesOf(rule, sources).length > 0)),
    )
    expect(RULES.filter(rule => !proven.has(rule)).map(rule => rule.name)).toEqual([])
    expect(planted.map(file => basename(file)).length).toBeGreaterThan(0)
  })
})

test('every library of package.json has an owner', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(Object.keys(dependencies).filter(name => !(name in OWNERS))).toEqual([])
})

test('the compiler is told to keep type imports apart', () => {
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  expect(compilerOptions).toMatchObject({ strict: true, verbatimModuleSyntax: true, erasableSyntaxOnly: true })
})

describe('the scanner', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["import { a, type B } from './a.ts'", ['./a.ts a,type B']],
    ["import type { A } from './a.ts'", ['./a.ts type A']],
    ["import type A from './a.ts'", ['./a.ts type default']],
    ["import './a.ts'", ['./a.ts ']],
    ["import * as all from 'x'", ['x *']],
    ["import x, { y as z } from 'x'", ['x y,default']],
    ["import {\n  a,\n  b,\n} from 'x'", ['x a,b']],
    ["export * from './a.ts'", ['./a.ts *']],
    ["export { a } from './a.ts'", ['./a.ts a']],
    ["export type { A } from './a.ts'", ['./a.ts type A']],
    ["const a = await import('./a.ts')", ['./a.ts ']],
    ["// import a from 'no'\n/* import b from 'no' */", []],
    ['const text = "import a from \'no\'"', []],
    [`const text = \`import a from 'no' ${'$'}{await import('yes')} import 'no'\``, ['yes ']],
    ["const quote = /['\"`]/\nimport a from 'yes'", ['yes default']],
    ["const half = a / b\nimport c from 'yes' // 'no'", ['yes default']],
    ["export const a = 'import'", []],
    ["export function from(a = 'x') {}", []],
    ["const url = import.meta.resolve('no')", []],
  ]
  test.each(cases)('reads the imports of %j', (source, expected) => {
    const read = importsOf(source).map(
      each => `${each.specifier} ${each.names.map(({ name, type }) => (type ? `type ${name}` : name)).join()}`,
    )
    expect(read).toEqual(expected)
  })

  test('keeps lines and offsets when it blanks', () => {
    const source = `a /* x\ny */ 'text' \`t${'$'}{b}u\`, /r[/]/g`
    expect(blank(source)).toBe(`a     \n     '    ' \` ${'$'}{b} \`, /    /g`)
  })
})
