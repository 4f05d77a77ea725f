import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type TempDir, tempDir } from '#core/testing'
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
