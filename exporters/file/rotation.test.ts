import { readdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { aLog, FakeClock, logsOf, payloadOf, RecordingLogger, tempDir } from '#core/testing'
import { fileExporterWith, messagesOf } from './rig.test-support.ts'
import { backupName, backupTime, Rotation } from './rotation.ts'

const config = { max_megabytes: 1, max_days: 0, max_backups: 0, localtime: false }
const FIRST = 'data-2026-01-01T00-00-00.000.json'

async function rotateOften(times: number, written: object, between = 0) {
  const dir = await tempDir()
  const clock = new FakeClock()
  const rotation = new Rotation({ ...config, ...written }, clock, new RecordingLogger())
  for (let i = 0; i < times; i++) {
    await writeFile(dir.file('data.json'), String(i))
    await rotation.rotate(dir.file('data.json'))
    await clock.advance(between)
  }
  return dir
}

test('a full file is put aside and a new one begun', async () => {
  await using dir = await tempDir()
  const path = dir.file('data.binpb')
  await using running = await fileExporterWith({ path, format: 'proto', rotation: { max_megabytes: 1 } })
  const payload = payloadOf('logs', logsOf([aLog({ body: 'x'.repeat(400_000) })]))
  for (let i = 0; i < 5; i++) await running.exporter.consume(payload, NO_CONTEXT)
  const names = (await readdir(dir.path)).sort()
  expect(names).toEqual(['data-2026-01-01T00-00-00.000.binpb', 'data-2026-01-01T00-00-00.001.binpb', 'data.binpb'])
  const counts = []
  for (const name of names) counts.push([...messagesOf(await readFile(dir.file(name)))].length)
  expect(counts).toEqual([2, 2, 1])
})

test('requests that come together are written to files that are not too large either', async () => {
  await using dir = await tempDir()
  const path = dir.file('data.binpb')
  await using running = await fileExporterWith({ path, format: 'proto', rotation: { max_megabytes: 1 } })
  const payload = payloadOf('logs', logsOf([aLog({ body: 'x'.repeat(300_000) })]))
  await Promise.all(Array.from({ length: 10 }, () => running.exporter.consume(payload, NO_CONTEXT)))
  const sizes = []
  for (const name of await readdir(dir.path)) sizes.push((await readFile(dir.file(name))).length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1 << 20)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10 * (payload.bytes + 4))
})

test('a request larger than a file may be has a file of its own', async () => {
  await using dir = await tempDir()
  const path = dir.file('data.binpb')
  await using running = await fileExporterWith({ path, format: 'proto', rotation: { max_megabytes: 1 } })
  const large = payloadOf('logs', logsOf([aLog({ body: 'x'.repeat(2 << 20) })]))
  const small = payloadOf('logs', logsOf([aLog()]))
  for (const payload of [small, large, small]) await running.exporter.consume(payload, NO_CONTEXT)
  expect((await readdir(dir.path)).length).toBe(3)
})

test('with rotation a restart goes on with the file', async () => {
  await using dir = await tempDir()
  const path = dir.file('data.json')
  await writeFile(path, 'old\n')
  await using running = await fileExporterWith({ path, rotation: {} })
  await running.exporter.consume(payloadOf('logs', logsOf([aLog()])), NO_CONTEXT)
  expect(await readFile(path, 'utf8')).toMatch(/^old\n\{/)
})

test('a name that is taken is not used again', async () => {
  await using dir = await rotateOften(3, {})
  const names = (await readdir(dir.path)).sort()
  expect(names).toEqual([FIRST, FIRST.replace('.000', '.001'), FIRST.replace('.000', '.002')])
  expect(await Promise.all(names.map(name => readFile(dir.file(name), 'utf8')))).toEqual(['0', '1', '2'])
})

test('the oldest files beyond the wanted number are deleted', async () => {
  await using dir = await rotateOften(5, { max_backups: 2 }, 1_000)
  expect((await readdir(dir.path)).sort()).toEqual([
    FIRST.replace('00.000', '03.000'),
    FIRST.replace('00.000', '04.000'),
  ])
})

test('files older than the wanted days are deleted', async () => {
  await using dir = await rotateOften(4, { max_days: 1 }, 13 * 60 * 60 * 1000)
  expect((await readdir(dir.path)).sort()).toEqual([FIRST.replace('01T00', '02T02'), FIRST.replace('01T00', '02T15')])
})

test('other files in the directory are left alone', async () => {
  await using dir = await tempDir()
  const others = ['data-notes.json', 'data-2026-01-01T00-00-00.000.json.bak', 'other-2020-01-01T00-00-00.000.json']
  for (const name of [...others, 'data.json']) await writeFile(dir.file(name), '')
  await new Rotation({ ...config, max_days: 1 }, new FakeClock(), new RecordingLogger()).rotate(dir.file('data.json'))
  expect((await readdir(dir.path)).sort()).toEqual([...others, FIRST].sort())
})

describe('the name of a rotated file', () => {
  const time = Date.parse('2022-09-14T05:02:14.173Z')
  test.each([
    ['/tmp/data.json', 'data-2022-09-14T05-02-14.173.json'],
    ['data', 'data-2022-09-14T05-02-14.173'],
    ['a/b.c.json', 'b.c-2022-09-14T05-02-14.173.json'],
  ])('of %s has the time before the extension', (path, name) => {
    expect(backupName(path, time, false)).toBe(name)
    expect(backupTime(path, name, false)).toBe(time)
  })

  test('by local time names the same moment', () => {
    expect(backupTime('data.json', backupName('data.json', time, true), true)).toBe(time)
  })
})
