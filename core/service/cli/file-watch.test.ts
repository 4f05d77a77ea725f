import { rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#core/component'
import { type TempDir, tempDir, until } from '#core/testing'
import { FileWatch } from './file-watch.ts'

const PATIENT = { timeout: 15_000 }

function watching(...files: string[]) {
  let changes = 0
  const watch = new FileWatch(
    () => files,
    async () => {
      changes++
    },
    systemClock,
  )
  return {
    files,
    changed: (times: number) => until(() => changes >= times, PATIENT),
    get changes() {
      return changes
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  }
}

test('a change is seen although another file in the folder, or the file itself, never rests', async () => {
  await using dir = await tempDir()
  await writeFile(dir.file('a'), '1')
  await writeFile(dir.file('b'), '1')
  using watch = watching(dir.file('a'), dir.file('b'))
  let writing = true
  const restless = async (name: string) => {
    for (let i = 0; writing; i++) await writeFile(dir.file(name), `${i}`)
  }
  const written = [restless('out.jsonl'), restless('b')]
  await writeFile(dir.file('a'), '2')
  await watch.changed(2)
  writing = false
  await Promise.all(written)
})

describe('a change is seen when a file is', () => {
  const replace = async (dir: TempDir) => {
    await writeFile(dir.file('.a.swp'), '2')
    await rename(dir.file('.a.swp'), dir.file('a'))
  }
  const moveAway = async (dir: TempDir) => {
    await rename(dir.file('a'), dir.file('a~'))
    await writeFile(dir.file('a'), '2')
  }
  test.each<[string, (dir: TempDir) => Promise<unknown>]>([
    ['written', dir => writeFile(dir.file('a'), '2')],
    ['replaced by another', replace],
    ['moved away and written anew', moveAway],
    ['removed', dir => rm(dir.file('a'))],
  ])('%s', async (_, change) => {
    await using dir = await tempDir()
    await writeFile(dir.file('a'), '1')
    using watch = watching(dir.file('a'))
    await change(dir)
    await watch.changed(1)
  })

  test('behind a symbolic link that is swapped, as Kubernetes does', async () => {
    await using dir = await tempDir()
    for (const name of ['1', '2']) await writeFile(dir.file(name), name)
    await symlink('1', dir.file('..data'))
    await symlink('..data', dir.file('a'))
    using watch = watching(dir.file('a'))
    await symlink('2', dir.file('..next'))
    await rename(dir.file('..next'), dir.file('..data'))
    await watch.changed(1)
  })

  test('made in a folder that is not there yet', async () => {
    await using dir = await tempDir()
    using watch = watching(dir.file('sub', 'a'))
    await rename((await tempDir()).path, dir.file('sub'))
    await writeFile(dir.file('sub', 'a'), '1')
    await watch.changed(1)
  })
})

test('a file that is written with the same content has not changed', async () => {
  await using dir = await tempDir()
  for (const name of ['a', 'b']) await writeFile(dir.file(name), '1')
  using watch = watching(dir.file('a'), dir.file('b'))
  await writeFile(dir.file('a'), '1')
  await unlink(dir.file('b'))
  await watch.changed(1)
  expect(watch.changes).toBe(1)
})

test('files that come to be of interest are watched from then on', async () => {
  await using dir = await tempDir()
  for (const name of ['a', 'b']) await writeFile(dir.file(name), '1')
  using watch = watching(dir.file('a'))
  await writeFile(dir.file('a'), '2')
  watch.files.push(dir.file('b'))
  await watch.changed(1)
  await writeFile(dir.file('b'), '2')
  await watch.changed(2)
})

test('a device is not read', async () => {
  await using dir = await tempDir()
  await writeFile(dir.file('a'), '1')
  using watch = watching('/dev/zero', dir.file('a'))
  await writeFile(dir.file('a'), '2')
  await watch.changed(1)
})
