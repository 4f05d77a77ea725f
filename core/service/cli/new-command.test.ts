import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type TempDir, tempDir } from '#core/testing'
import { dependencyOn } from '../new/where-millrace-is.ts'
import { cli } from './cli.test-support.ts'

const create = (dir: TempDir, ...args: readonly string[]) => cli(['new', ...args, '--directory', dir.file('made')])

describe('new', () => {
  test('writes everything that a component needs, under its name', async () => {
    await using dir = await tempDir()
    const { code, out } = await create(dir, 'processor', 'redact-cards')
    expect(code).toBe(0)
    const files = ['README.md', 'config.yaml', 'package.json', 'redact_cards.test.ts', 'redact_cards.ts']
    expect((await readdir(dir.file('made'))).sort()).toEqual(files)
    for (const file of files) expect(out).toContain(file)
    expect(await readFile(dir.file('made', 'redact_cards.ts'), 'utf8')).toContain('export const redactCards = ')
    expect(await readFile(dir.file('made', 'README.md'), 'utf8')).toContain('| `keys` | list of strings | `[]` |')
    const manifest = JSON.parse(await readFile(dir.file('made', 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'millrace-processor-redact-cards', exports: './redact_cards.ts' })
  })

  test('depends on this checkout, on the version that is installed elsewhere, or on what is there', async () => {
    await using dir = await tempDir()
    const { out } = await create(dir, 'processor', 'redact')
    expect(out).toMatch(/^npm install$/m)
    const { devDependencies } = JSON.parse(await readFile(dir.file('made', 'package.json'), 'utf8'))
    expect(resolve(dir.file('made'), devDependencies.millrace.replace(/^file:/, ''))).toBe(
      resolve(import.meta.dirname, '../../..'),
    )
    expect(dependencyOn(dir.path, '1.2.3', '/usr/lib/node_modules/millrace')).toBe('^1.2.3')
    await mkdir(dir.file('node_modules', 'millrace'), { recursive: true })
    await writeFile(dir.file('node_modules', 'millrace', 'package.json'), '{}')
    expect(dependencyOn(dir.file('made'), '1.2.3')).toBe(undefined)
  })

  test('never writes over anything', async () => {
    await using dir = await tempDir()
    await mkdir(dir.file('made'))
    await writeFile(dir.file('made', 'mine.txt'), 'mine')
    const { code, err } = await create(dir, 'processor', 'redact')
    expect([code, err]).toEqual([1, `Error: cannot write to ${dir.file('made')}: it holds mine.txt already\n`])
    expect(await readdir(dir.file('made'))).toEqual(['mine.txt'])
  })

  test.each([
    [['procesor', 'a'], 2, 'unknown kind of component "procesor": must be receiver,'],
    [['processor'], 2, 'a kind and a name are needed'],
    [['processor', 'a', 'b'], 2, 'unexpected argument "b"'],
    [['processor', 'Redact'], 2, 'invalid name "Redact"'],
    [['processor', '../a'], 2, 'invalid name "../a"'],
    [['processor', '1st'], 2, 'invalid name "1st"'],
    [['processor', 'import'], 2, 'invalid name "import": it is a word of JavaScript'],
    [['processor', 'old_q'], 1, 'mill has a processor "old_q" already'],
  ])('refuses %j', async (args, code, message) => {
    await using dir = await tempDir()
    const answer = await create(dir, ...args)
    expect(answer.code).toBe(code)
    expect(answer.err).toContain(message)
    expect(await readdir(dir.path)).toEqual([])
  })
})
