import { describe, expect, test } from 'vitest'
import { ConfigError, formatFault } from '#core/config'
import { ComponentModules } from '#core/service'
import { tempDir } from '#core/testing'
import { millrace } from '../../distributions/millrace/index.ts'
import { choose } from './choose.ts'
import { writeFiles } from './files.test-support.ts'
import { readManifest } from './read-manifest.ts'

const GO = 'go.opentelemetry.io/collector'
const CONTRIB = 'github.com/open-telemetry/opentelemetry-collector-contrib'

/** What a manifest asks for, and what is wrong with it, with places in the manifest and paths without the folder. */
async function read(text: string, files: Readonly<Record<string, string>> = {}) {
  await using dir = await tempDir()
  await writeFiles(dir.path, { 'builder.yaml': text, ...files })
  const manifest = await readManifest(dir.file('builder.yaml'))
  const { components, schemes, faults, missing, warnings } = await choose(manifest, millrace, new ComponentModules())
  const short = (line: string) => line.replaceAll(`${dir.path}/`, '').replace('builder.yaml:', '')
  return {
    types: components.map(({ kind, definition: { type } }) => `${kind} ${type}`),
    exports: components.map(({ specifier, name, member }) => `${short(specifier)} ${name}${member}`),
    schemes,
    faults: [...manifest.faults, ...faults].map(formatFault).map(short),
    missing: missing.map(formatFault).map(short),
    notes: [...manifest.warnings, ...warnings].map(({ path, message }) => `${path}: ${message}`),
  }
}

describe('a manifest', () => {
  test('names components of this package by type or alias', async () => {
    const { types, exports, faults } = await read('receivers: [component: otlp]\nexporters: [component: otlphttp]')
    expect([types, faults]).toEqual([['receiver otlp', 'exporter otlp_http'], []])
    expect(exports).toEqual(['millrace/receivers/otlp otlpReceiver', 'millrace/exporters/otlp_http otlpHttpExporter'])
  })

  test.each([
    ['receivers', `${GO}/receiver/otlpreceiver v0.130.0`, 'receiver otlp'],
    ['processors', `${GO}/processor/memorylimiterprocessor v0.130.0`, 'processor memory_limiter'],
    ['processors', `${CONTRIB}/processor/cumulativetodeltaprocessor v0.130.0`, 'processor cumulativetodelta'],
    ['exporters', `${GO}/exporter/otlpexporter v0.130.0`, 'exporter otlp_grpc'],
    ['exporters', `${GO}/exporter/otlphttpexporter v0.130.0`, 'exporter otlp_http'],
    ['connectors', `${GO}/connector/forwardconnector v0.130.0`, 'connector forward'],
    ['extensions', `${CONTRIB}/extension/storage/filestorage v0.130.0`, 'extension file_storage'],
    ['extensions', `${CONTRIB}/extension/oidcauthextension v0.130.0`, 'extension oidc'],
    ['extensions', `${CONTRIB}/extension/healthcheckextension`, 'extension health_check'],
  ])('%s: %s is taken for what it is here', async (section, gomod, type) => {
    expect(await read(`${section}: [gomod: ${gomod}]`)).toMatchObject({ types: [type], faults: [], missing: [] })
  })

  test('of the Go builder is told which components are not here, and what to do about it', async () => {
    const { missing, faults } = await read(`receivers:
  - gomod: ${CONTRIB}/receiver/hostmetricsreceiver v0.130.0
  - gomod: ${CONTRIB}/receiver/otlqreceiver v0.130.0
providers:
  - gomod: ${CONTRIB}/confmap/provider/s3provider v0.130.0`)
    expect(faults).toEqual([])
    expect(missing).toEqual([
      expect.stringMatching(
        /^2:12 {2}receivers::0::gomod: cannot take the receiver "hostmetrics": the Collector has it.* \(nearest: otlp receiver\)$/,
      ),
      '3:12  receivers::1::gomod: cannot take the receiver "otlq": this package has none (did you mean "otlp"?)',
      '5:12  providers::0::gomod: this package has no provider "s3"',
    ])
  })

  test('of the Go builder may say what only Go needs', async () => {
    const { notes, faults } = await read(`dist: {module: example.com/x, cgo_enabled: false}
receivers: [{gomod: ${GO}/receiver/otlpreceiver v0.130.0, import: ${GO}/receiver/otlpreceiver}]
replaces: ["example.com/a/b => ../b"]
converters: []`)
    expect(faults).toEqual([])
    expect(notes).toEqual([
      'dist::module: is of the Go builder and has no effect here',
      'dist::cgo_enabled: is of the Go builder and has no effect here',
      'converters: is of the Go builder and has no effect here',
      'replaces::0: is about a Go module and has no effect here',
    ])
  })

  test('restricts the providers of configurations', async () => {
    const { schemes } = await read(
      `providers: [{component: env}, {gomod: ${GO}/confmap/provider/fileprovider v1.48.0}]`,
    )
    expect(schemes).toEqual(['env', 'file'])
    expect((await read('receivers: []')).schemes).toBeUndefined()
  })
})

describe('faults are told with their places, all at once', () => {
  test.each([
    ['dist: {nam: x}', '1:8  dist: has invalid keys: nam (did you mean "name"?)'],
    ['dist: {name: a b}', '1:14  dist::name: '],
    ['reciever: []', '1:1  has invalid keys: reciever (did you mean "receivers"?)'],
    ['receivers: [otlp]', '1:13  receivers::0: expected a map or struct, got "string"'],
    ['receivers: [{}]', '1:13  receivers::0: names nothing: write one of component, gomod, package or path'],
    ['receivers: [{componen: a}]', '1:14  receivers::0: has invalid keys: componen (did you mean "component"?)'],
    ['receivers: [{component: a, path: b}]', '1:13  receivers::0: must be one thing, got component and path'],
    ['processors: [component: bacth]', 'this package has no processor "bacth" (did you mean "batch"?)'],
    ['extensions: [component: otlp_http]', 'this package has no extension "otlp_http"; it stands under exporters'],
    ['processors: [gomod: github.com/acme/redact v1]', 'cannot build the Go module github.com/acme/redact v1: write'],
    [
      'processors: [package: nope@1.0.0]',
      'the package "nope" is not installed beside the manifest: npm install nope@1',
    ],
    ['processors: [path: ./nope.ts]', 'cannot load component "nope.ts": there is no file nope.ts'],
    ['providers: [component: envs]', 'this package has no provider "envs" (did you mean "env"?)'],
    ['providers: [path: ./p.ts]', 'providers cannot be added: name one of this package with component'],
    ['replaces: [a => ./b]', '1:12  replaces::0: no entry names the package "a"'],
    ['replaces: [a]', '1:12  replaces::0: must be written "package => ./folder", got "a"'],
  ])('%s', async (text, fault) => {
    expect((await read(text)).faults).toEqual([expect.stringContaining(fault)])
  })

  test('also what is no YAML, or not there', async () => {
    await expect(read('receivers: [')).rejects.toThrow(ConfigError)
    await expect(readManifest('/nowhere/builder.yaml')).rejects.toThrow(
      'cannot read the manifest /nowhere/builder.yaml: there is no such file',
    )
  })
})

const component = (type: string, kind = 'Processor') =>
  `define${kind}({ type: '${type}', description: 'Does nothing.', stability: { traces: 'beta' }, config: t.section({}), create: () => ({ transform() {} }) })`
const FILE = `import { defineProcessor, defineExporter, t } from 'millrace'\n`

describe('components from elsewhere', () => {
  const PACKAGE = {
    'node_modules/several/package.json': '{"name":"several","version":"1.2.3","type":"module","exports":"./index.js"}',
    'node_modules/several/index.js': `${FILE}export const a = ${component('a')}\nexport const list = [${component('b')}]
export default ${component('c')}\nexport const out = ${component('out', 'Exporter')}`,
  }

  test('are all that a package exports of the kind, however it does', async () => {
    const { exports, types } = await read('processors: [package: several@1.2.3]', PACKAGE)
    expect(types.sort()).toEqual(['processor a', 'processor b', 'processor c'])
    expect(exports.sort()).toEqual(['several a', 'several default', 'several list[0]'])
  })

  test('are only the one that is named', async () => {
    expect(await read('processors: [{package: several, name: b}]', PACKAGE)).toMatchObject({ types: ['processor b'] })
    const { faults } = await read('processors: [{package: several, name: bb}]', PACKAGE)
    expect(faults).toEqual([
      expect.stringMatching(/processors::0::name: several exports no processor "bb", only .*\(did/),
    ])
  })

  test('must be of the kind, in the version asked for, and there once', async () => {
    const { faults } = await read(
      'receivers: [package: several]\nprocessors: [{package: several@2.0.0}, {path: ./a.ts}, {path: ./b.ts}]',
      {
        ...PACKAGE,
        'a.ts': `${FILE}export const a = ${component('x')}`,
        'b.ts': `${FILE}export const b = ${component('x')}`,
      },
    )
    expect(faults).toEqual([
      expect.stringContaining('receivers::0::package: several exports no receiver, only processor "a"'),
      expect.stringContaining(
        'the version of "several" that is installed is 1.2.3, not 2.0.0: npm install several@2.0.0',
      ),
      expect.stringMatching(/b\.ts has the processor "x", and so has .*a\.ts: a name may be there once$/),
    ])
  })

  test('come from a folder in the place of a package', async () => {
    const { exports } = await read('processors: [package: several@9.9.9]\nreplaces: ["several => ./mine"]', {
      'mine/index.ts': `${FILE}export const mine = ${component('mine')}`,
    })
    expect(exports).toEqual(['mine/index.ts mine'])
  })
})
