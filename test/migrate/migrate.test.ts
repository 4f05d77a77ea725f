// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { tempDir } from '#core/testing'
import { cli } from '../../core/service/cli/cli.test-support.ts'
import { knownTypes, substituteFor } from '../../core/service/migrate/collector-components.ts'
import type { MigrationReport } from '../../core/service/migrate/describe-migration.ts'
import { millrace } from '../../distributions/millrace/index.ts'
import { few } from '../validate/distribution.test-support.ts'

const folder = 'test/migrate/testdata'
const migrate = (args: readonly string[], env = {}) => cli(['migrate', ...args], { env, distribution: few })

/** Answers to a configuration that is given inline. */
async function reportOn(text: string): Promise<MigrationReport> {
  const { out } = await migrate(['--format=json', `yaml:${text}`])
  return JSON.parse(out) as MigrationReport
}

describe('a configuration as people have it', () => {
  const file = `${folder}/shop.yaml`

  test('is answered with what is missing, what to change and what becomes of the pipelines', async () => {
    const { code, out, err } = await migrate([file])
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).not.toContain('s3cr3t')
    await expect(out).toMatchFileSnapshot('testdata/shop.txt')
  })

  test('is answered alike in JSON', async () => {
    const { code, out } = await migrate([file, '--format', 'json'])
    expect(code).toBe(1)
    await expect(out).toMatchFileSnapshot('testdata/shop.json')
  })

  test('is written without what cannot run, its comments kept', async () => {
    const { out, err } = await migrate([file, '--write', '-'])
    expect(err).toContain('Missing:')
    await expect(out).toMatchFileSnapshot('testdata/shop.left.yaml')
  })

  test('runs then, but for what the answer says', async () => {
    await using dir = await tempDir()
    const left = dir.file('left.yaml')
    expect((await migrate([file, '--write', left])).code).toBe(1)
    const again = JSON.parse((await migrate([left, '--format=json'])).out) as MigrationReport
    const open = again.components.flatMap(one => one.diagnostics.map(({ path, message }) => `${path}: ${message}`))
    expect(again.components.filter(({ state }) => state === 'missing')).toEqual([])
    expect(open).toEqual([])
    expect(again.pipelines.map(({ state }) => state)).toEqual(['runs', 'runs'])
    const env = { POD_IP: '127.0.0.1', BACKEND: 'localhost', TOKEN: 'x' }
    const { err } = await cli(['validate', '--config', left], { env, distribution: few })
    expect(err).not.toContain('Error')
  })
})

describe('what runs', () => {
  test('is nothing to do about, whatever references stand for', async () => {
    const text = `{receivers: {otlp: {protocols: {grpc: {max_recv_msg_size_mib: "\${env:SIZE}"}}}}, exporters: {otlphttp: {endpoint: "\${env:A}", timeout: "\${file:/no/such/file}"}},
      service: {pipelines: {traces: {receivers: [otlp], exporters: [otlphttp]}}}}`
    const { code, out } = await migrate([`yaml:${text}`])
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Of 2 components millrace runs 2 as they are and 0 with changes; 0 are missing.\n\nRenamed, old names are accepted:\n  exporters::otlphttp -> otlp_http\n\nPipelines:\n  traces: runs\n',
    })
  })

  test('several sources are one configuration, and written as one', async () => {
    const { code, out } = await migrate([
      '--config=yaml:{receivers: {otlp: {protocols: {grpc: }}, zipkin: }, exporters: {debug: }}',
      'yaml:service: {pipelines: {traces: {receivers: [otlp, zipkin], exporters: [debug]}}}',
      '--set=exporters.debug.verbosity=normal',
      '--write=-',
    ])
    expect(code).toBe(1)
    expect(parseYaml(out)).toEqual({
      receivers: { otlp: { protocols: { grpc: null } } },
      exporters: { debug: { verbosity: 'normal' } },
      service: { pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } } },
    })
  })
})

describe('what does not', () => {
  test('a connector that loses an end takes the other one with it, and so on', async () => {
    const { pipelines } =
      await reportOn(`{receivers: {filelog: , otlp: }, exporters: {debug: }, connectors: {forward: , forward/2: },
      service: {pipelines: {logs: {receivers: [filelog], exporters: [forward]}, logs/2: {receivers: [forward], exporters: [forward/2]}, logs/3: {receivers: [forward/2, otlp], exporters: [debug]}}}}`)
    expect(pipelines).toEqual([
      { id: 'logs', state: 'missing', without: ['filelog'] },
      { id: 'logs/2', state: 'missing', without: ['forward'] },
      { id: 'logs/3', state: 'shorter', without: ['forward/2'] },
    ])
  })

  test('a scheme of references that nobody resolves', async () => {
    const { runs, diagnostics } = await reportOn('{exporters: {otlp_http: {endpoint: "${vault:secret/backend}"}}}')
    expect({ runs, diagnostics }).toMatchObject({
      runs: false,
      diagnostics: [{ code: 'unresolved-reference', path: 'exporters::otlp_http::endpoint' }],
    })
  })

  test('a file that is none', async () => {
    expect(await migrate(['/no/such/file.yaml'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('unable to read the file'),
    })
    expect(await migrate([])).toMatchObject({ code: 2 })
    expect(await migrate(['yaml:{}', '--format=xml'])).toMatchObject({ code: 2 })
  })
})

describe('the table of substitutes', () => {
  const kinds = ['receiver', 'processor', 'exporter', 'connector', 'extension'] as const

  test.each(kinds)('has each %s once, in one spelling, with a sentence', kind => {
    const types = knownTypes(kind)
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([])
    for (const type of types) {
      expect(type).toMatch(/^[a-z0-9]+$/)
      expect(substituteFor(kind, type)?.advice).toMatch(/^[A-Z].*[^.]$/)
    }
  })

  test('names as nearest only what we have', () => {
    const ours = kinds.flatMap(kind => millrace[`${kind}s`].map(({ type }) => `${kind}s/${type}`))
    const nearest = kinds.flatMap(kind => knownTypes(kind).flatMap(type => substituteFor(kind, type)!.nearest))
    expect([...new Set(nearest)].filter(path => !ours.includes(path))).toEqual([])
  })

  test('takes a name in all its spellings', () => {
    expect(substituteFor('receiver', 'file_log')).toBe(substituteFor('receiver', 'filelog'))
    expect(substituteFor('processor', 'filelog')).toBeUndefined()
  })
})

test('any configuration is answered', async () => {
  const word = fc.constantFrom(
    'otlp',
    'filelog',
    'debug',
    'forward',
    'x',
    'traces',
    'logs',
    'receivers',
    'exporters',
    '',
  )
  const tree = fc.letrec(tie => ({
    value: fc.oneof({ maxDepth: 4 }, word, fc.integer(), fc.constant(null), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  }))
  const pipeline = fc.dictionary(fc.constantFrom('receivers', 'processors', 'exporters'), tree.list)
  const service = fc.record({ pipelines: fc.dictionary(word, fc.oneof(pipeline, tree.value)), extensions: tree.value })
  const sections = ['receivers', 'processors', 'exporters', 'connectors', 'extensions']
  const configuration = fc.record(
    { ...Object.fromEntries(sections.map(name => [name, tree.value])), service: fc.oneof(service, tree.value) },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(configuration, async config => {
      const { code, out } = await migrate([`yaml:${JSON.stringify(config)}`, '--write', '-'])
      expect([0, 1]).toContain(code)
      expect(() => parseYaml(out)).not.toThrow()
    }),
    { numRuns: 200 },
  )
})
