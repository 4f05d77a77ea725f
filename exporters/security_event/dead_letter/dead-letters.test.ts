import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { admit, openDraft } from '#core/data'
import { FakeClock, logs, RecordingLogger, type TempDir, tempDir } from '#core/testing'
import { DeadLetters } from './dead-letters.ts'
import { deadLetterFiles, keepRest, readDeadLetters } from './files.ts'

async function kept(
  dir: TempDir,
  over: Partial<ConstructorParameters<typeof DeadLetters>[0]> = {},
  exporter = 'security_event/a',
) {
  const clock = new FakeClock()
  const logger = new RecordingLogger()
  const options = {
    directory: dir.file('dlq'),
    max_bytes: 1 << 20,
    max_file_bytes: 1 << 16,
    max_file_age: 60_000,
    ...over,
  }
  const letters = new DeadLetters(options, { clock, logger, exporter })
  await letters.open()
  const add = (...indexes: number[]) =>
    letters.add(
      logs(5),
      indexes.map(index => ({ index, id: `id-${index}`, event: `{"n":${index}}`, reason: 'rejected', why: 'no' })),
    )
  return { clock, logger, letters, add, directory: options.directory }
}

test('a line holds the event, why it is there, and its record alone', async () => {
  await using dir = await tempDir()
  const { letters, add, directory } = await kept(dir)
  expect(await add(1, 3)).toBe(2)
  await letters.close()
  const [file] = await deadLetterFiles(directory)
  expect((await stat(file!.path)).mode & 0o777).toBe(0o600)
  const { entries, damaged } = await readDeadLetters(file!.path)
  expect(damaged).toBe(0)
  expect(entries[1]).toMatchObject({
    time: '2026-01-01T00:00:00.000Z',
    exporter: 'security_event/a',
    reason: 'rejected',
    message: 'no',
    id: 'id-3',
    event: '{"n":3}',
  })
  const { payload } = admit('logs', Buffer.from(entries[1]!.otlp, 'base64'))
  expect([...openDraft(payload).logs()].map(record => record.body)).toEqual(['log 3'])
})

test('files are finished when they are full, old, closed, or left by a process that was killed', async () => {
  await using dir = await tempDir()
  const { clock, letters, add, directory } = await kept(dir, { max_file_bytes: 700 })
  const open = async () => (await deadLetterFiles(directory)).map(file => file.open)
  await add(0)
  expect(await open()).toEqual([true])
  await clock.advance(60_000)
  await letters.add(logs(1), [])
  expect(await open()).toEqual([false])
  await add(0, 1, 2)
  expect((await open()).filter(each => !each).length).toBeGreaterThanOrEqual(2)
  const again = await kept(dir, {}, 'security_event/b')
  expect((await open()).filter(Boolean).length).toBe(1)
  await (await kept(dir)).letters.close()
  expect(await open()).not.toContain(true)
  await again.letters.close()
  await rm(directory, { recursive: true })
})

test('what comes when the directory is full is lost and said so; room is found when someone makes it', async () => {
  await using dir = await tempDir()
  const { letters, logger, add, directory } = await kept(dir, { max_bytes: 1000, max_file_bytes: 300 })
  const written = await add(0, 1, 2, 3, 4)
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThan(5)
  expect(logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { dropped_items: 5 - written } })
  expect(await add(0)).toBe(0)
  const finished = (await deadLetterFiles(directory)).filter(({ open }) => !open)
  for (const { path } of finished) await rm(path)
  expect(await add(0)).toBe(1)
  await letters.close()
})

test('a directory that cannot be written is no end of the exporter', async () => {
  await using dir = await tempDir()
  const { letters, logger, add, directory } = await kept(dir)
  await rm(directory, { recursive: true })
  await writeFile(directory, '')
  expect(await add(0)).toBe(0)
  expect(logger.lines.at(-1)!.message).toBe('Could not write to the dead letter. Dropping data.')
  await letters.close()
  await chmod(directory, 0o600)
})

test('lines that are cut short are counted and the others read; what is left of a file replaces it', async () => {
  await using dir = await tempDir()
  const { letters, add, directory } = await kept(dir)
  await add(0, 1)
  await letters.close()
  const { path } = (await deadLetterFiles(directory))[0]!
  const whole = await readFile(path, 'utf8')
  await writeFile(path, whole.slice(0, -40))
  const { entries, damaged } = await readDeadLetters(path)
  expect([entries.length, damaged]).toEqual([1, 1])
  await keepRest(path, entries)
  expect(await readDeadLetters(path)).toEqual({ entries, damaged: 0 })
  await keepRest(path, [])
  expect(await readdir(directory)).toEqual([])
})
