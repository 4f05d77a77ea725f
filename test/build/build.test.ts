import { execFile } from 'node:child_process'
import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '#core/component'
import { type TempDir, tempDir } from '#core/testing'
import { millrace } from '../../distributions/millrace/index.ts'
import { addProject, type Ended, ROOT, run, spansThrough, textsIn } from './project.test-support.ts'

const execute = promisify(execFile)
const SLOW = 120_000
const MAIN = join(ROOT, 'distributions/millrace/main.ts')

let dir: TempDir
let built: Ended
let files: ReadonlyMap<string, string>
const build = (...args: readonly string[]) => run(dir.path, MAIN, 'build', ...args)

beforeAll(async () => {
  dir = await tempDir()
  await addProject(dir.path)
  built = await build()
  files = await textsIn(dir.file('dist'))
}, SLOW)

afterAll(() => dir[Symbol.asyncDispose]())

describe('a distribution built from a manifest', { timeout: SLOW }, () => {
  test('is told in one line', () => {
    expect(built).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^custom 1\.2\.3 in dist: 7 components, a bundle of \d\.\d\d MB and \d+ packages beside it\n$/,
      ),
      stderr: '',
    })
  })

  test('lists its components in a file that is read easily', () => {
    expect(files.get('components.ts')).toBe(`// Written by \`millrace build\`. Changes belong in its manifest.
import type { Distribution } from 'millrace/core/component'
import { redact } from '../redact.ts'
import { dropNamed } from 'drop-named'
import { otlpHttpExporter } from 'millrace/exporters/otlp_http'
import { basicAuthExtension } from 'millrace/extensions/basicauth'
import { healthCheckExtension } from 'millrace/extensions/health_check'
import { batchProcessor } from 'millrace/processors/batch'
import { otlpReceiver } from 'millrace/receivers/otlp'

/** The components of custom. */
export const distribution = {
  command: 'custom',
  description: 'A collector with what one team uses',
  version: '1.2.3',
  receivers: [otlpReceiver],
  processors: [batchProcessor, redact, dropNamed],
  exporters: [otlpHttpExporter],
  connectors: [],
  extensions: [basicAuthExtension, healthCheckExtension],
} satisfies Distribution
`)
  })

  test('takes in OTLP, does what its components say, and sends OTLP on, with no more than its image holds', async () => {
    for (const path of imagePaths(files.get('Dockerfile')!)) {
      await cp(join(dir.file('dist'), path), join(dir.file('image'), path), { recursive: true })
    }
    const { statuses, spans } = await spansThrough(dir.file('image'), '--config', dir.file('config.yaml'))
    expect(statuses).toEqual([401, 200])
    const attributes = [{ key: 'password', value: { stringValue: '***' } }]
    expect(spans).toMatchObject([
      { name: 'GET /', attributes },
      { name: 'POST /login', attributes },
    ])
  })

  test('has the command line of every distribution', async () => {
    const main = dir.file('dist/lib/main.js')
    expect((await run(dir.path, main, '--version')).stdout).toBe('custom version 1.2.3\n')
    const { stdout } = await run(dir.path, main, 'components')
    const names = [...stdout.matchAll(/^ {2}- name: (.*)/gm)].map(([, name]) => name)
    expect(names).toEqual(['otlp', 'batch', 'drop_named', 'redact', 'otlp_http', 'basicauth', 'health_check'])
    const { stderr, code } = await run(dir.path, main, 'validate', '--config', 'yaml:exporters: {debug: {}}')
    expect([code, stderr]).toEqual([1, expect.stringContaining('unknown type: "debug"')])
  })

  test('takes components from files, which share its own modules', async () => {
    await writeFile(dir.file('late.ts'), LATE)
    const args = ['--config', dir.file('config.yaml'), '--component', dir.file('late.ts')]
    const set = '--set=service::pipelines::traces::processors=[late,drop_named]'
    const { spans } = await spansThrough(dir.file('dist'), ...args, '--set=processors::late={}', set)
    expect(spans.map(({ name }) => name)).toEqual(['late GET /', 'late GET /healthz', 'late POST /login'])
  })

  test('has an image that holds nothing it did not ask for', () => {
    const image = files.get('Dockerfile')!.split('\n')
    const last = image.slice(image.findLastIndex(line => line.startsWith('FROM ')))
    expect(last.filter(line => /^(COPY|ADD|RUN) /.test(line))).toEqual([
      'COPY --from=install /app/node_modules node_modules',
      'COPY package.json ./',
      'COPY lib lib',
    ])
    expect(last).toEqual(
      expect.arrayContaining(['USER 65532:65532', 'EXPOSE 4317 4318 13133', 'ENTRYPOINT ["node", "lib/main.js"]']),
    )
    expect(files.get('.dockerignore')).toBe('*\n!package.json\n!package-lock.json\n!lib\n')
    const { dependencies } = JSON.parse(files.get('package.json')!)
    expect(Object.keys(dependencies)).toEqual(['piscina'])
    const code = [...files]
      .filter(([path]) => path.startsWith('lib/'))
      .map(([, text]) => text)
      .join('\n')
    const { receivers, processors, exporters, connectors, extensions } = millrace
    const all: readonly Definition[] = [...receivers, ...processors, ...exporters, ...connectors, ...extensions]
    const contained = all
      .filter(({ description }) => code.includes(description))
      .map(({ kind, type }) => `${type} ${kind}`)
    const wanted = [
      'basicauth extension',
      'batch processor',
      'health_check extension',
      'otlp receiver',
      'otlp_http exporter',
    ]
    expect(contained.sort()).toEqual(wanted)
    const packages = [...files.get('THIRD-PARTY-NOTICES.txt')!.matchAll(/^([@\w/.-]+) \d+\.\d+\.\d+, /gm)]
    const names = packages.map(([, name]) => name)
    expect(names).toEqual(expect.arrayContaining(['millrace', 'drop-named', 'undici', 'yaml']))
    expect(['fastify', 'jose', 'kysely', 'lmdb', 'piscina'].filter(name => names.includes(name))).toEqual([])
  })

  test('has a lock file by which npm installs exactly what it was built with', async () => {
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')).packages
    const [own, wanted] = [await read(join(ROOT, 'package-lock.json')), await read(dir.file('dist/package-lock.json'))]
    const { '': root, ...packages } = wanted
    expect(root.dependencies).toEqual({ piscina: own['node_modules/piscina'].version })
    for (const [path, { version, integrity }] of Object.entries<Locked>(packages)) {
      expect({ version, integrity }, path).toEqual({ version: own[path].version, integrity: own[path].integrity })
    }
    const npm = await execute('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], { cwd: dir.file('dist') })
    expect(npm.stderr).not.toContain('npm error')
  })

  test('tells the licences of what is in it', () => {
    expect(files.get('THIRD-PARTY-NOTICES.txt')).toContain('Permission is granted to drop names.')
  })

  test('describes every option of exactly its components, for readers and for editors', () => {
    const readme = files.get('README.md')!
    const parts = [...readme.matchAll(/^## `(.*)` (\w+)$/gm)].map(([, type, kind]) => `${type} ${kind}`)
    expect(parts).toEqual([
      ...['otlp receiver', 'batch processor', 'redact processor', 'drop_named processor', 'otlp_http exporter'],
      ...['basicauth extension', 'health_check extension'],
    ])
    expect(readme).toContain('| `keys` | list of strings | required | Names of attributes |')
    const { definitions } = JSON.parse(files.get('config.schema.json')!)
    expect(Object.keys(definitions)).toHaveLength(7)
  })

  test('is the same wherever it is built', async () => {
    const elsewhere = dir.file('some/where/else')
    expect((await build('--output-path', elsewhere)).code).toBe(0)
    const others = await textsIn(elsewhere)
    expect([...others.keys()]).toEqual([...files.keys()])
    const differing = [...files].filter(([path, text]) => others.get(path) !== text).map(([path]) => path)
    expect(differing).toEqual(['components.ts'])
  })
})

describe('build --check', { timeout: SLOW }, () => {
  test('is content with what was just built', async () => {
    expect(await build('--check')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('names every file that is not what it would be', async () => {
    await cp(dir.file('dist'), dir.file('drifted'), { recursive: true })
    await appendFile(dir.file('drifted/Dockerfile'), 'USER root\n')
    await rm(dir.file('drifted/README.md'))
    await writeFile(dir.file('drifted/lib/old.js'), '')
    const { code, stderr } = await build('--check', '--output-path', 'drifted')
    expect([code, stderr.split('\n')]).toEqual([
      1,
      [
        'Error: drifted/Dockerfile: differs',
        'Error: drifted/README.md: is missing',
        'Error: drifted/lib/old.js: is there no more',
        '',
      ],
    ])
    expect((await build('--output-path', 'drifted')).code).toBe(0)
    expect((await build('--check', '--output-path', 'drifted')).code).toBe(0)
  })
})

test('a folder that was not built is left alone', { timeout: SLOW }, async () => {
  const { code, stderr } = await build('--output-path', 'marks')
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Error: cannot write to .*marks: it holds files that were/),
  ])
  expect([...(await textsIn(dir.file('marks'))).keys()]).toEqual(['mark.ts'])
})

interface Locked {
  readonly version: string
  readonly integrity: string
}

/** What the last stage of an image copies, packages as `npm ci` would install them included. */
function imagePaths(dockerfile: string): readonly string[] {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  return [...last.matchAll(/^COPY (?:--from=\S+ )?(.*) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' ').map(path => path.replace(/^\/app\//, '')),
  )
}

const LATE = `import { defineProcessor, t } from 'millrace'
export const late = defineProcessor({
  type: 'late',
  description: 'Says that it came late.',
  stability: { traces: 'beta' },
  config: t.section({}),
  create: () => ({
    transform(draft) {
      for (const span of draft.spans()) span.name = 'late ' + span.name
    },
  }),
})
`
