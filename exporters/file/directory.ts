import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileConfig } from './config.ts'

/** Creates the directories that lead to `path`, by default the configured one; what is there stays as it is. */
export async function makeDirectory(config: FileConfig, path = config.path): Promise<void> {
  const mode = Number.parseInt(config.directory_permissions || '0755', 8)
  await mkdir(dirname(path), { recursive: true, mode })
}
