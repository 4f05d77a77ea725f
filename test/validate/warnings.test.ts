// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Distribution, defineProcessor } from '#core/component'
import { t } from '#core/config'
import { Collector } from '#core/service'
import { tempDir } from '#core/testing'
import { cli } from '../../core/service/cli/cli.test-support.ts'
import type { Diagnostic } from '../../core/service/diagnostics/diagnostic.ts'
import { few } from './distribution.test-support.ts'

const sampler = defineProcessor({
  type: 'sampler',
  description: 'Drops some.',
  stability: { traces: 'beta' },
  order: 'drops',
  config: t.section({}),
  create: () => ({ transform() {} }),
})
const distribution: Distribution = { ...few, processors: [...few.processors, sampler] }

const PIPELINE = 'service::pipelines::traces: { receivers: [otlp], exporters: [debug] }'
const BASE = `receivers::otlp::protocols::grpc:\nexporters::debug:\nservice::telemetry::metrics::level: none\n`

/** The warnings of a configuration, `code path`, or what else was found. */
async function warningsOf(text: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  await using dir = await tempDir()
  writeFileSync(dir.file('c.yaml'), text)
  const line = ['validate', '--config', dir.file('c.yaml'), '--format=json', ...args]
  const { out } = await cli(line, { env, distribution })
  const { diagnostics } = JSON.parse(out) as { diagnostics: Diagnostic[] }
  return diagnostics.map(({ severity, code, path, message }) =>
    severity === 'warning' ? `${code} ${path}` : `error ${path}: ${message}`,
  )
}

describe('two that listen on the same address', () => {
  const listen = (a: string, b: string) =>
    `${BASE}${PIPELINE}\nreceivers::otlp::protocols::http::endpoint: "${a}"\nextensions::zpages::endpoint: "${b}"\nservice::extensions: [zpages]\n`
  const clash = ['clashing-addresses receivers::otlp::protocols::http::endpoint']

  test.each([
    ['localhost:9000', '127.0.0.1:9000'],
    ['0.0.0.0:9000', '127.0.0.1:9000'],
    ['127.0.0.2:9000', ':9000'],
    ['[::]:9000', '0.0.0.0:9000'],
    ['[::1]:9000', '[::]:9000'],
    ['unix:///tmp/a.sock', 'unix:///tmp/a.sock'],
    ['Backend:9000', 'backend:9000'],
  ])('%s and %s', async (a, b) => {
    expect(await warningsOf(listen(a, b))).toEqual(clash)
    expect(await warningsOf(listen(b, a))).toEqual(clash)
  })

  test.each([
    ['localhost:9000', 'localhost:9001'],
    ['127.0.0.1:9000', '127.0.0.2:9000'],
    ['0.0.0.0:9000', '[::1]:9000'],
    ['localhost:0', 'localhost:0'],
    ['unix:///tmp/a.sock', 'unix:///tmp/b.sock'],
    ['localhost:9000', '[::1]:9000'],
  ])('not so %s and %s', async (a, b) => {
    expect(await warningsOf(listen(a, b))).toEqual([])
  })

  test('the page of own metrics is one of them, as it is by default, but not when there are none', async () => {
    const text = listen('localhost:8888', 'localhost:9000')
    expect(await warningsOf(text)).toEqual([])
    expect(await warningsOf(text.replace('level: none', 'level: basic'))).toEqual(clash)
  })

  test('is no matter as long as one of them does not run', async () => {
    const text = listen('localhost:9000', 'localhost:9000').replace('service::extensions: [zpages]', '')
    expect(await warningsOf(text)).toEqual(['unused-component extensions::zpages'])
  })
})

describe('components that do not run', () => {
  test('are told of every kind', async () => {
    const text = `${BASE}${PIPELINE}\nreceivers::nop:\nprocessors::batch/2:\nexporters::nop:\nconnectors::forward:\nextensions::zpages:\n`
    expect(await warningsOf(text)).toEqual([
      'unused-component receivers::nop',
      'unused-component processors::batch/2',
      'unused-component exporters::nop',
      'unused-component connectors::forward',
      'unused-component extensions::zpages',
    ])
  })
})

describe('secrets in plain text', () => {
  const exporter = (options: string) =>
    `${BASE}${PIPELINE.replace('debug', 'otlp_http')}\nexporters: { debug: , otlp_http: { ${options} } }\n`
  const unused = 'unused-component exporters::debug'
  const secret = (path: string) => `plain-text-secret exporters::otlp_http::${path}`

  test.each([
    ['endpoint: "https://me:hush@b"', ['endpoint']],
    ['endpoint: "https://me@b:80"', []],
    ['endpoint: "https://b", headers: { authorization: Bearer hush, x-tenant: shop }', ['headers::authorization']],
    ['endpoint: "https://b", headers: [{ name: x-api-key, value: hush }]', ['headers::x-api-key']],
    ['endpoint: "https://b", headers: { authorization: "${env:TOKEN}" }', []],
    ['endpoint: "https://b", headers: { authorization: "Bearer ${env:TOKEN}" }', []],
    ['endpoint: "https://b", tls: { ca_pem: "-----BEGIN CERTIFICATE-----" }', []],
    ['endpoint: "https://b", proxy_url: "http://proxy:3128"', []],
    ['endpoint: "https://b", proxy_url: "http://me:hush@proxy:3128"', ['proxy_url']],
  ])('%s', async (options, paths) => {
    const found = await warningsOf(exporter(options), [], { TOKEN: 'hush' })
    expect(found.filter(one => one !== unused)).toEqual(paths.map(secret))
  })

  test('are told of the command line too, but not of the environment', async () => {
    const text = exporter('endpoint: "https://b"')
    const set = '--set=exporters.otlp_http.headers.cookie=hush'
    expect(await warningsOf(text, [set])).toContain(secret('headers::cookie'))
    const more = { MORE: 'exporters::otlp_http::headers::cookie: hush' }
    expect(await warningsOf(text, ['--config=env:MORE'], more)).not.toContain(secret('headers::cookie'))
  })
})

describe('the order of processors', () => {
  const inOrder = (processors: string) =>
    `${BASE}service::pipelines::traces: { receivers: [otlp], processors: [${processors}], exporters: [debug] }
processors: { batch: , sampler: , resource: { attributes: [{ key: a, value: b, action: insert }] }, memory_limiter: { check_interval: 1s, limit_mib: 100 } }\n`

  test.each([
    ['memory_limiter, resource, sampler, batch', false],
    ['resource, memory_limiter, sampler, batch', true],
    ['memory_limiter, resource, batch, sampler', true],
    ['memory_limiter, sampler, batch, resource', false],
  ])('%s', async (processors, wrong) => {
    expect(await warningsOf(inOrder(processors))).toEqual(wrong ? ['processor-order service::pipelines::traces'] : [])
  })
})

test('a collector that starts logs them, but not that a secret is plain', async () => {
  await using dir = await tempDir()
  const path = dir.file('c.yaml')
  writeFileSync(
    path,
    `${BASE}${PIPELINE}\nreceivers::otlp::protocols::grpc::endpoint: 127.0.0.1:0\nextensions::bearertokenauth::token: hush\n`,
  )
  let log = ''
  const sink = {
    write(text: string) {
      log += text
    },
  }
  await using collector = new Collector({ distribution, sources: [path], streams: { stdout: sink, stderr: sink } })
  await collector.start()
  expect(log).toContain('extension "bearertokenauth" is not listed in service::extensions, so it does not run')
  expect(log).not.toContain('plain text')
})
