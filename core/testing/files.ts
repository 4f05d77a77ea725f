import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory of one test's own, removed with everything in it at the end of the scope. */
export interface TempDir extends AsyncDisposable {
  readonly path: string
  /** A path within. */
  file(...names: string[]): string
}

/** `await using dir = await tempDir()` */
export async function tempDir(): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'millrace-')))
  return {
    path,
    file: (...names) => join(path, ...names),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
