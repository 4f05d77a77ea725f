import { existsSync } from 'node:fs'
import { cp, glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { BUNDLE, type Built } from './build-distribution.ts'
import { LIST } from './program-source.ts'

/** What a builder may have written once and writes no more. */
const GENERATED = [`${BUNDLE}/**`, 'config.yaml']

/** What stands in a folder and should not, or should and does not: `path: how it differs`. */
export async function driftOf({ files }: Built, out: string): Promise<readonly string[]> {
  const drift: string[] = []
  for (const [path, wanted] of files) {
    const file = join(out, path)
    if (!existsSync(file)) drift.push(`${path}: is missing`)
    else if (Buffer.compare(await readFile(file), wanted) !== 0) drift.push(`${path}: differs`)
  }
  for (const path of await leftOvers(files, out)) drift.push(`${path}: is there no more`)
  return drift.sort()
}

/**
 * Writes a distribution with the packages beside it, as far as they are installed here; what an earlier one left is gone.
 * @throws {Error} when the folder holds something that no builder wrote
 */
export async function writeOutput(built: Built, out: string): Promise<void> {
  const present = existsSync(out) ? await readdir(out) : []
  if (present.length > 0 && !present.includes(LIST)) {
    throw new Error(
      `cannot write to ${out}: it holds files that were not built; empty it or choose another output_path`,
    )
  }
  for (const path of await leftOvers(built.files, out)) await rm(join(out, path))
  for (const [path, bytes] of built.files) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    await writeFile(join(out, path), bytes, path === `${BUNDLE}/main.js` ? { mode: 0o755 } : {})
  }
  await rm(join(out, 'node_modules'), { recursive: true, force: true })
  for (const { path, folder } of built.packages) {
    if (folder === undefined) continue
    const nested = join(folder, 'node_modules')
    await cp(folder, join(out, path), { recursive: true, dereference: true, filter: from => from !== nested })
  }
}

async function leftOvers(files: Built['files'], out: string): Promise<readonly string[]> {
  const left: string[] = []
  for await (const entry of glob(GENERATED, { cwd: out, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
      .slice(out.length + 1)
      .replaceAll(sep, '/')
    if (entry.isFile() && !files.has(path)) left.push(path)
  }
  return left
}
