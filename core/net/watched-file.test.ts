import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { FakeClock, RecordingLogger, tempDir, until } from '#core/testing'
import { type Watched, watchFile } from './watched-file.ts'

function deps() {
  return { clock: new FakeClock(), logger: new RecordingLogger() }
}

function parse(text: string): string {
  if (text.trim() === '') throw new Error('it is empty')
  return text.trim()
}

/** Lets a second pass, and waits until the file has been looked at. */
async function look({ clock }: ReturnType<typeof deps>): Promise<void> {
  await clock.advance(1000)
  await until(() => clock.pending === 1, { what: 'the next look to be planned' })
}

async function says(watched: Watched<string>, given: ReturnType<typeof deps>): Promise<string> {
  await look(given)
  return watched.value
}

test('a file written anew is noticed', async () => {
  await using dir = await tempDir()
  const given = deps()
  await writeFile(dir.file('token'), 'one')
  const watched = await watchFile(dir.file('token'), parse, given)
  expect(watched.value).toBe('one')
  expect(await says(watched, given)).toBe('one')
  await writeFile(dir.file('token'), 'two\n')
  expect(await says(watched, given)).toBe('two')
  expect(given.logger.messages()).toEqual(['File reloaded'])
  watched.close()
  expect(given.clock.pending).toBe(0)
})

test('a file renamed into place is noticed, again and again', async () => {
  await using dir = await tempDir()
  const given = deps()
  await writeFile(dir.file('token'), '0')
  const watched = await watchFile(dir.file('token'), parse, given)
  for (const text of ['1', '2', '3']) {
    await writeFile(dir.file('new'), text)
    await rename(dir.file('new'), dir.file('token'))
    expect(await says(watched, given)).toBe(text)
  }
  watched.close()
})

test('a swapped symbolic link is noticed, as Kubernetes swaps the directory of a secret', async () => {
  await using dir = await tempDir()
  const given = deps()
  const publish = async (version: string) => {
    await mkdir(dir.file(version))
    await writeFile(dir.file(version, 'token'), version)
    await symlink(version, dir.file('..tmp'))
    await rename(dir.file('..tmp'), dir.file('..data'))
  }
  await publish('v1')
  await symlink('..data/token', dir.file('token'))
  const watched = await watchFile(dir.file('token'), parse, given)
  expect(watched.value).toBe('v1')
  await publish('v2')
  await rm(dir.file('v1'), { recursive: true })
  expect(await says(watched, given)).toBe('v2')
  watched.close()
})

test('while the file is away or unusable, what it said stays, and the log tells once', async () => {
  await using dir = await tempDir()
  const given = deps()
  await writeFile(dir.file('token'), 'one')
  const watched = await watchFile(dir.file('token'), parse, given)
  await rm(dir.file('token'))
  expect(await says(watched, given)).toBe('one')
  expect(await says(watched, given)).toBe('one')
  await writeFile(dir.file('token'), '  \n')
  expect(await says(watched, given)).toBe('one')
  await writeFile(dir.file('token'), 'two')
  expect(await says(watched, given)).toBe('two')
  expect(given.logger.lines.map(({ message, fields }) => `${message} ${fields.error ?? ''}`.trim())).toEqual([
    `Could not reload a file, keeping what it said Error: Could not read ${dir.file('token')}: ENOENT`,
    `Could not reload a file, keeping what it said Error: Could not use ${dir.file('token')}: it is empty`,
    'File reloaded',
  ])
  watched.close()
})

test('a file that is missing or unusable at first is refused', async () => {
  await using dir = await tempDir()
  const given = deps()
  await expect(watchFile(dir.file('none'), parse, given)).rejects.toThrow(`Could not read ${dir.file('none')}: ENOENT`)
  await writeFile(dir.file('empty'), '')
  await expect(watchFile(dir.file('empty'), parse, given)).rejects.toThrow(
    `Could not use ${dir.file('empty')}: it is empty`,
  )
  expect(given.clock.pending).toBe(0)
})

test('a look under way when watching ends plans no further one', async () => {
  await using dir = await tempDir()
  const given = deps()
  await writeFile(dir.file('token'), 'one')
  const watched = await watchFile(dir.file('token'), parse, given)
  given.clock.after(1000, () => watched.close())
  await given.clock.advance(60_000)
  expect(given.clock.pending).toBe(0)
})
