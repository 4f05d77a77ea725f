import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type TempDir, tempDir } from '#core/testing'

/** A directory that holds these files, by path. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<TempDir> {
  const dir = await tempDir()
  await write(dir, files)
  return dir
}

/** Writes files below a directory, with the folders on the way. */
export async function write(dir: TempDir, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(dir.file(path)), { recursive: true })
    await writeFile(dir.file(path), text)
  }
}

/** The source of a processor that does nothing; `before` stands in front. */
export function processor(type: string, before = ''): string {
  return `${before}
import { defineProcessor } from 'millrace/core/component'
import { t } from 'millrace/core/config'
export const ${type} = defineProcessor({
  type: '${type}',
  description: 'Does nothing.',
  stability: { traces: 'development' },
  config: t.section({ words: t.list(t.string({ description: 'Words.' }), { description: 'Words.', default: [] }) }),
  create: () => ({ transform() {} }),
})
`
}
