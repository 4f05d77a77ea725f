import { describe, expect, test } from 'vitest'
import { ConfigError } from '#core/config'
import { testDistribution } from '../cli/cli.test-support.ts'
import { load, type Sources } from '../loaded.ts'
import { folderOf, processor } from './component-files.test-support.ts'

/** A configuration of one pipeline that names components; `use` is its processor. */
const config = (components: string, use = 'a') => `receivers: {r: }
exporters: {e: }
processors: {${use}: }
service:
  components: ${components}
  pipelines: {traces: {receivers: [r], processors: [${use}], exporters: [e]}}
`

async function faultsOf(sources: Sources): Promise<readonly string[]> {
  const error = await load(testDistribution(), sources).catch((error: unknown) => error)
  return error instanceof ConfigError ? error.message.split('\n') : []
}

describe('service::components', () => {
  test('are looked for beside the file that names them', async () => {
    await using dir = await folderOf({ 'sub/c.yaml': config('[../a.ts]'), 'a.ts': processor('a') })
    const { plan } = await load(testDistribution(), { sources: [dir.file('sub/c.yaml')] })
    expect(plan.configuration.processors.get('a')?.definition.source).toBe(dir.file('a.ts'))
  })

  test('are looked for beside an included file that names them', async () => {
    const files = { 'c.yaml': '', 'more/components.yaml': '[./a.ts]', 'more/a.ts': processor('a') }
    await using dir = await folderOf(files)
    const text = config(`\${file:${dir.file('more/components.yaml')}}`)
    const { plan } = await load(testDistribution(), { sources: [`yaml:${text}`] })
    expect(plan.configuration.processors.get('a')?.definition.source).toBe(dir.file('more/a.ts'))
  })

  test('tell every file behind a configuration', async () => {
    await using dir = await folderOf({
      'c.yaml': config('./a.ts'),
      'a.ts': processor('a', `import './b.ts'`),
      'b.ts': '',
    })
    const files = new Set<string>()
    await load(testDistribution(), { sources: [dir.file('c.yaml')] }, { files })
    expect([...files].sort()).toEqual(['a.ts', 'b.ts', 'c.yaml'].map(name => dir.file(name)))
  })

  test('are reported with all other faults, and then types that may be theirs are not', async () => {
    const text = config('[./gone.ts, {b: 1}, a.ts, ./a.ts]', 'unknown').replace('r: ', 'r: {port: text}')
    await using dir = await folderOf({ 'c.yaml': text, 'a.ts': processor('a') })
    const path = dir.file('c.yaml')
    expect(await faultsOf({ sources: [path] })).toEqual([
      expect.stringContaining(`${path}:1:23  receivers::r::port: `),
      `${path}:5:16  service::components::0: cannot load component "./gone.ts": there is no file ${dir.file('gone.ts')}`,
      `${path}:5:27  service::components::1: must be a path or the name of a package, got {"b":1}`,
      expect.stringMatching(
        /service::components::2: .* there is no package of this name in .* \(did you mean "\.\/a\.ts"\?\)$/,
      ),
    ])
  })

  test('may not come over the network', async () => {
    const fetch = async () => new Response(config('[/tmp/a.ts]'))
    expect(await faultsOf({ sources: ['http://config.example/c.yaml'], resolve: { fetch } })).toEqual([
      expect.stringContaining(
        'cannot load component "/tmp/a.ts" for a configuration that comes over the network: name it with --component',
      ),
    ])
  })
})

describe('a component of a type that is there already', () => {
  test('is a fault in a configuration', async () => {
    await using dir = await folderOf({ 'c.yaml': config('[./p.ts]', 'p'), 'p.ts': processor('p') })
    expect(await faultsOf({ sources: [dir.file('c.yaml')] })).toEqual([
      `${dir.file('c.yaml')}:5:16  service::components::0: component "./p.ts" defines processor "p", and mill has one: give it another type, or load it with --component to use it instead`,
    ])
  })

  test('is a fault when an alias is meant', async () => {
    await using dir = await folderOf({ 'c.yaml': config('[./p.ts]', 'p'), 'p.ts': processor('old_q') })
    expect(await faultsOf({ sources: [dir.file('c.yaml')] })).toEqual([
      expect.stringContaining('processor "old_q", and mill'),
    ])
  })

  test('is used instead with --component, and the log says so', async () => {
    await using dir = await folderOf({ 'c.yaml': config('', 'p'), 'p.ts': processor('p') })
    const { plan } = await load(testDistribution(), { sources: [dir.file('c.yaml')], components: [dir.file('p.ts')] })
    expect(plan.configuration.processors.get('p')?.definition.source).toBe(dir.file('p.ts'))
    expect(plan.configuration.warnings).toMatchObject([{ message: expect.stringContaining('p.ts is used') }])
  })

  test('is a fault when two files define it, and none when it is one file', async () => {
    await using dir = await folderOf({
      'c.yaml': config('[./a.ts, ./b.ts]'),
      'a.ts': processor('a'),
      'b.ts': processor('a'),
    })
    const sources = [dir.file('c.yaml')]
    expect(await faultsOf({ sources })).toEqual([expect.stringContaining(`and ${dir.file('a.ts')} defines one`)])
    const text = config(`[${dir.file('a.ts')}]`)
    await load(testDistribution(), { sources: [`yaml:${text}`], components: [dir.file('a.ts')] })
  })
})
