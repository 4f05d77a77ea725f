import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifestOf } from './manifest-of.ts'

const source = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))

test('the doors are those of the sources, and lead to JavaScript', () => {
  const { exports, imports, bin, dependencies } = manifestOf(source)
  expect(Object.keys(exports)).toEqual(Object.keys(source.exports))
  expect(exports).toMatchObject({ '.': './core/library/index.js', './core/testing': null, './config/*': './config/*' })
  expect(imports).toEqual({ '#core/*': './core/*/index.js' })
  for (const program of Object.values(bin)) expect(program).toMatch(/^\.\/distributions\/.*\/main\.js$/)
  expect(dependencies).toEqual(source.dependencies)
})

test('what only the repository needs is left out', () => {
  expect(Object.keys(manifestOf(source))).not.toEqual(expect.arrayContaining(['scripts']))
  expect(manifestOf(source)).not.toHaveProperty('devDependencies')
})
