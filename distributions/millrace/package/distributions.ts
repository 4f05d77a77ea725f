/** `npm run distributions`: writes what the manifests of our own distributions say. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownDistributions } from './own-distributions.ts'

const ROOT = join(import.meta.dirname, '../../..')

for (const [path, text] of await ownDistributions()) {
  if ((await readFile(join(ROOT, path), 'utf8')) === text) continue
  await writeFile(join(ROOT, path), text)
  console.log(path)
}
