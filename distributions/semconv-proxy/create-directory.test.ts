import { writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { createDirectory } from './create-directory.ts'

test('directories above are created, one that exists is fine, a file of that name is not', async () => {
  await using dir = await tempDir()
  await createDirectory(dir.file('a', 'b'))
  await createDirectory(dir.file('a', 'b'))
  await writeFile(dir.file('c'), '')
  await expect(createDirectory(dir.file('c'))).rejects.toThrow('EEXIST')
})

test.runIf(platform() === 'linux')('where nothing can be created the refusal comes at once', async () => {
  await expect(createDirectory('/proc/millrace/data')).rejects.toThrow('ENOENT')
})
