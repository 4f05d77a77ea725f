import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { PLUGIN_FOLDER, pluginFiles } from './build.ts'

const committed = (name: string) => readFileSync(join(PLUGIN_FOLDER, name), 'utf8')

test('the folder that is shipped is what the sources build', async () => {
  for (const [name, text] of await pluginFiles()) {
    expect(committed(name), `${name} is not up to date: run npm run plugin`).toBe(text)
  }
})

test('the folder holds nothing but what is built and its README', async () => {
  expect(readdirSync(PLUGIN_FOLDER).sort()).toEqual([...(await pluginFiles()).keys(), 'README.md'].sort())
})

test('the bundle needs nothing but Node, and no package', () => {
  const imports = [...committed('index.mjs').matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(([, name]) => name!)
  expect(imports.filter(name => !name.startsWith('node:'))).toEqual([])
  expect(JSON.parse(committed('package.json')).dependencies).toBeUndefined()
})

test('the bundle can be read: it is not minified and tells nothing of the machine that built it', () => {
  const text = committed('index.mjs')
  expect(text.split('\n').length).toBeGreaterThan(1000)
  expect(text).toContain('function endpointOf(')
  expect(text).not.toContain(process.cwd())
})

describe('the manifest', () => {
  const manifest = JSON.parse(committed('openclaw.plugin.json'))

  test('has what the gateway asks of a plugin', () => {
    expect(manifest).toMatchObject({ id: 'millrace-tracing', activation: { onStartup: true } })
    expect(JSON.parse(committed('package.json')).openclaw.extensions).toEqual(['./index.mjs'])
  })

  test('takes no configuration at all, strictly', () => {
    const validate = new Ajv().compile(manifest.configSchema)
    expect(validate({})).toBe(true)
    expect(validate({ endpoint: 'http://127.0.0.1:4318' })).toBe(false)
  })
})
