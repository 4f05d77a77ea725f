import { expect, test } from 'vitest'
import type { Definition } from '#core/component'
import { componentList } from './component-list.ts'
import type { Chosen } from './mention.ts'

const HEAD = {
  ...{ constant: 'x', command: "it's", description: 'A "thing"', version: "'1'", imports: [], comment: 'X.' },
  ...{ contracts: 'c', banner: 'B' },
}

function chosen(specifier: string, name: string, type: string, member = ''): Chosen {
  return { kind: 'processor', definition: { type } as Definition, specifier, file: '', name, member }
}

test('exports of one name from two modules are told apart', () => {
  const list = componentList([chosen('a', 'redact', 'r'), chosen('b', 'redact', 's')], HEAD, one => one.specifier)
  expect(list).toContain("import { redact } from 'a'\nimport { redact as redact2 } from 'b'\n")
  expect(list).toContain('processors: [redact, redact2],')
})

test('defaults and members of lists are reached', () => {
  const all = [chosen('a', 'default', 'drop_all'), chosen('a', 'all', 'one', '[0]'), chosen('a', 'all', 'two', '[1]')]
  const list = componentList(all, HEAD, one => one.specifier)
  expect(list).toContain("import { all, default as dropAllProcessor } from 'a'")
  expect(list).toContain('processors: [dropAllProcessor, all[0], all[1]],')
})

test('texts are quoted', () => {
  expect(componentList([], HEAD, () => '')).toContain(`command: 'it\\'s',\n  description: 'A "thing"',`)
})
