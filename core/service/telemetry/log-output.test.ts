import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { openLogOutput } from './log-output.ts'

const QUIET = { stdout: { write: () => true }, stderr: { write: () => true } }

describe('log output', () => {
  test('goes to streams and files alike, appended', async () => {
    await using dir = await tempDir()
    const path = join(dir.path, 'log')
    const lines: string[] = []
    const streams = { ...QUIET, stdout: { write: (line: string) => lines.push(line) } }
    for (const line of ['one\n', 'two\n']) {
      const output = openLogOutput(['stdout', path], streams)
      output.write(line)
      output.close()
    }
    expect(lines).toEqual(['one\n', 'two\n'])
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
  })

  test.skipIf(process.platform !== 'linux')('that fails is told elsewhere and fails nobody', async () => {
    await using dir = await tempDir()
    const errors = join(dir.path, 'errors')
    const output = openLogOutput(['/dev/full'], QUIET, [errors])
    output.write('lost\n')
    output.close()
    expect(await readFile(errors, 'utf8')).toMatch(/^\S+Z write error: ENOSPC.*\n$/)
  })

  test('that cannot be opened fails the start', async () => {
    await using dir = await tempDir()
    expect(() => openLogOutput([join(dir.path, 'none/log')], QUIET)).toThrow(/ENOENT/)
  })
})
