import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { ownDistributions } from '../../distributions/millrace/package/own-distributions.ts'
import { ROOT } from './shipped.test-support.ts'

const files = [...(await ownDistributions())]
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

describe('what the manifests of our distributions say stands in', () => {
  test.each(files)('%s (npm run distributions)', (path, text) => {
    expect(read(path)).toBe(text)
  })
})

test('the manifests name the version of the package', () => {
  const { version } = JSON.parse(read('package.json'))
  const manifests = files.map(([path]) => path).filter(path => path.endsWith('/index.ts'))
  expect(manifests.length).toBeGreaterThan(3)
  for (const path of manifests) {
    expect(parseYaml(read(path.replace('index.ts', 'builder.yaml'))), path).toMatchObject({ dist: { version } })
  }
})
