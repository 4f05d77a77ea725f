import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { merge } from '#core/data'
import { tempDir, traces } from '#core/testing'
import { groupPath } from './group-path.ts'
import { fileExporterWith, messagesOf } from './rig.test-support.ts'

const of = (tenant: string, n = 1) => traces(n, { resource: { tenant } })

async function grouping(path: string, over: object = {}) {
  const group_by = { enabled: true, resource_attribute: 'tenant', ...over }
  return fileExporterWith({ path, format: 'proto', group_by })
}

test('each resource goes to the file of its group, bytes as they came', async () => {
  await using dir = await tempDir()
  await using running = await grouping(dir.file('*.binpb'))
  await running.exporter.consume(merge([of('a', 2), of('b'), of('a', 3)]), NO_CONTEXT)
  expect([...messagesOf(await readFile(dir.file('a.binpb')))]).toEqual([
    Buffer.concat([of('a', 2).flat(), of('a', 3).flat()]),
  ])
  expect([...messagesOf(await readFile(dir.file('b.binpb')))]).toEqual([of('b').flat()])
  expect(running.context.ledger.total('sent')).toBe(6)
})

test('groups may lead to directories of their own', async () => {
  await using dir = await tempDir()
  await using running = await grouping(dir.file('*', 'x.binpb'))
  await running.exporter.consume(of('eu/a'), NO_CONTEXT)
  expect(await readdir(dir.file('eu', 'a'))).toEqual(['x.binpb'])
})

test('a resource without the attribute is dropped, the others are written', async () => {
  await using dir = await tempDir()
  await using running = await grouping(dir.file('*.binpb'))
  await running.exporter.consume(merge([of('a', 2), traces(3)]), NO_CONTEXT)
  const { ledger, logger } = running.context
  expect([ledger.total('sent'), ledger.total('dropped')]).toEqual([2, 3])
  expect(logger.messages('debug')).toContain('Resource does not contain tenant attribute, dropping it')
  expect(await readdir(dir.path)).toEqual(['a.binpb'])
})

test('more groups than open files lose nothing', async () => {
  await using dir = await tempDir()
  await using running = await grouping(dir.file('*.binpb'), { max_open_files: 2 })
  const rounds = 5
  const groups = Array.from({ length: 12 }, (_, i) => `g${i}`)
  for (let round = 0; round < rounds; round++) {
    await Promise.all([
      running.exporter.consume(merge(groups.map(group => of(group))), NO_CONTEXT),
      running.exporter.consume(merge(groups.toReversed().map(group => of(group))), NO_CONTEXT),
    ])
  }
  for (const group of groups) {
    const messages = [...messagesOf(await readFile(dir.file(`${group}.binpb`)))]
    expect(messages).toEqual(Array(2 * rounds).fill(of(group).flat()))
  }
})

test('when some groups cannot be written, only their items are dropped', async () => {
  await using dir = await tempDir()
  await using running = await grouping(dir.file('*', 'x.binpb'))
  await running.exporter.consume(of('a'), NO_CONTEXT)
  await running.exporter.consume(merge([of('b'), of('a/x.binpb', 4)]), NO_CONTEXT)
  expect([running.context.ledger.total('sent'), running.context.ledger.total('dropped')]).toEqual([2, 4])
  expect(await readdir(dir.file('b'))).toEqual(['x.binpb'])
})

describe('the path of a group', () => {
  test.each([
    ['/data/*.json', 'a', '/data/a.json'],
    ['/data/*/x.json', 'a/b', '/data/a/b/x.json'],
    ['/data/t-*.json', 'a', '/data/t-a.json'],
    ['./out/*.json', 'a', 'out/a.json'],
    ['/data/*.json', '../../etc/passwd', '/data/etc/passwd.json'],
    ['/data/*.json', 'a/../../../etc/passwd', '/data/etc/passwd.json'],
    ['/data/*.json', '/etc/passwd', '/data/etc/passwd.json'],
    ['/data/*.json', './a', '/data/a.json'],
    ['/data/x*.json', '/../../a', '/data/x/a.json'],
  ])('%s for %s is %s', (pattern, segment, path) => {
    expect(groupPath(pattern, segment)).toBe(path)
  })
})
