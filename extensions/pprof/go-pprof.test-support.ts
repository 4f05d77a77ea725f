import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { tempDir } from '#core/testing'

const run = promisify(execFile)

/** The go command, the reader of profiles that is not ours; `undefined` where it is not installed. */
export const GO = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/go/bin']
  .map(folder => join(folder, 'go'))
  .find(path => existsSync(path))

/** Milliseconds for tests that ask go: it builds its tool at the first use on a machine. */
export const GO_TIMEOUT = 240_000

/** What `go tool pprof` prints for a profile. */
export async function goPprof(profile: Uint8Array, ...flags: readonly string[]): Promise<string> {
  await using dir = await tempDir()
  const path = join(dir.path, 'profile.pb.gz')
  await writeFile(path, profile)
  const env = { ...process.env, GOTOOLCHAIN: 'local', PPROF_TMPDIR: dir.path }
  return (await run(GO!, ['tool', 'pprof', ...flags, path], { env, cwd: dir.path })).stdout
}
