import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory and those above it. Not by the `recursive` of `mkdir`, which never comes back from where the
 * kernel answers that a directory does not exist although the one above it does, as below `/proc`.
 * @throws {Error} when it cannot be created, or something else has its name
 */
export async function createDirectory(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await createDirectory(dirname(path))
    await mkdir(path)
  }
}
