import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sourceDistribution } from '#core/build'
import type { Definition } from '#core/component'

const ROOT = join(import.meta.dirname, '../../..')
const KINDS = ['receiver', 'processor', 'exporter', 'connector', 'extension']

/**
 * What the manifests of the repository's distributions say of their files, by path below the root: the component list of
 * each, and which components the image of each one but the full one holds.
 */
export async function ownDistributions(): Promise<ReadonlyMap<string, string>> {
  const definitions = await everyDefinition()
  const entries = await readdir(join(ROOT, 'distributions'), { withFileTypes: true })
  const files = new Map<string, string>()
  for (const { name } of entries.filter(entry => entry.isDirectory())) {
    const folder = `distributions/${name}`
    const constant = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const { list, folders } = await sourceDistribution(join(ROOT, folder, 'builder.yaml'), definitions, constant)
    files.set(`${folder}/index.ts`, list)
    const image = `${folder}/Dockerfile`
    if (name !== 'millrace') files.set(image, withFolders(await readFile(join(ROOT, image), 'utf8'), folders))
  }
  return files
}

/** Every component of the repository; what is made by a call, as receivers in memory are, is none. */
async function everyDefinition(): Promise<readonly Definition[]> {
  const found = new Map<string, Definition>()
  for (const kind of KINDS) {
    for await (const path of glob(`${kind}s/*/index.ts`, { cwd: ROOT })) {
      const door = (await import(pathToFileURL(join(ROOT, path)).href)) as Readonly<Record<string, Partial<Definition>>>
      for (const each of Object.values(door)) {
        if (each.kind === kind && each.type !== undefined) found.set(`${kind} ${each.type}`, each as Definition)
      }
    }
  }
  return [...found.values()]
}

const COPIED = /^COPY (core|receivers|processors|exporters|connectors|extensions)(\/\S+)? \S+\n/gm

/** The definition of an image that copies these folders of sources, and no other components. */
function withFolders(dockerfile: string, folders: readonly string[]): string {
  const lines = ['core', ...folders].map(folder => `COPY ${folder} ${folder}\n`).join('')
  const at = dockerfile.search(COPIED)
  return dockerfile.slice(0, at) + lines + dockerfile.slice(at).replace(COPIED, '')
}
