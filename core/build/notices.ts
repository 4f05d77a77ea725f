import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageAround } from './installed-package.ts'
import { ownManifest, ROOT } from './program.ts'

/** The licences of everything whose code is in a bundle, as they ask to be told; each text once. */
export function notices(inputs: readonly string[]): string {
  const packages = new Map(
    inputs.flatMap(file => {
      const found = packageAround(file)
      return found === undefined || found.folder === ROOT ? [] : [[found.folder, found] as const]
    }),
  )
  const own = ownManifest()
  const all = [
    { title: `${own.name} ${own.version}, ${own.license}`, folder: ROOT },
    ...[...packages.values()]
      .map(({ folder, manifest: { name, version, license = 'no licence named' } }) => ({
        title: `${name} ${version}, ${license}`,
        folder,
      }))
      .sort((a, b) => (a.title < b.title ? -1 : 1)),
  ]
  const titles = new Map<string, Set<string>>()
  for (const { title, folder } of all) {
    const text = licenceIn(folder)
    titles.set(text, (titles.get(text) ?? new Set()).add(title))
  }
  const line = '-'.repeat(80)
  return [...titles].map(([text, of]) => `${line}\n${[...of].join('\n')}\n${line}\n\n${text}\n`).join('\n')
}

function licenceIn(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names.filter(each => /^(licen[cs]e|notice)(\..*)?$/i.test(each)).sort()
  return files.map(each => readFileSync(join(folder, each), 'utf8').trim()).join('\n\n')
}
