import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { checkGateway } from '../check/check-gateway.ts'
import { gatewayToEnd } from '../commands.test-support.ts'
import { parseVersion } from '../gateway/version.ts'
import { BACKEND_STYLES } from './backend-style.ts'

const PLUGIN = join(import.meta.dirname, '../testdata/plugin')
const VERSIONS = ['2026.2.0', '2026.3.12', '2026.4.25', '2026.5.7', '2026.7.1', '2026.9.6', '2027.1.1']
const ENV = { BACKEND: 'a.example', BACKEND_TOKEN: 't', BACKEND_BASIC: 'b' }

/** What the command prints, and the JSON of it. */
async function config(...args: readonly string[]) {
  const { code, out, err } = await gatewayToEnd('config', ...args)
  expect({ code, err: err.split('\n')[0] }).toMatchObject({ code: 0 })
  // biome-ignore lint/suspicious/noExplicitAny: looked at by path
  return { out, err, json: JSON.parse(out) as any }
}

describe.each(BACKEND_STYLES.map(({ name }) => name))('for the backend style %s', style => {
  test.each(VERSIONS)('what is printed for %s passes the check of that version', async version => {
    for (const more of [
      [],
      ['--collector'],
      ['--plugin', PLUGIN],
      ['--prefix', 'acme', '--capture-content', '--logs'],
    ]) {
      const args = ['--backend', style, '--gateway-version', version, ...more]
      const { out, json } = await config(...args)
      const { findings } = checkGateway({ text: out, file: 'openclaw.json', version: parseVersion(version)!, env: ENV })
      expect(
        findings.filter(({ severity }) => severity === 'error'),
        args.join(' '),
      ).toEqual([])
      const rules = findings.map(({ rule }) => rule)
      expect(rules.filter(rule => rule === 'plain-secret' || rule === 'variable' || rule === 'remote-http')).toEqual([])
      for (const entry of Object.values(json.plugins.entries)) expect(entry).not.toHaveProperty('config')
    }
  })
})

test('a token scheme has its header, its scopes and its logs', async () => {
  const { json, err } = await config('--backend', 'token', '--gateway-version', '2026.4.25')
  expect(json).toEqual({
    diagnostics: {
      enabled: true,
      otel: {
        enabled: true,
        endpoint: `https://\${BACKEND}/api/v2/otlp`,
        protocol: 'http/protobuf',
        headers: { Authorization: `Api-Token \${BACKEND_TOKEN}` },
        serviceName: 'openclaw-gateway',
        traces: true,
        metrics: true,
        logs: true,
      },
    },
    plugins: { entries: { 'diagnostics-otel': { enabled: true } } },
  })
  expect(err).toContain('The token needs the scopes metrics.ingest, logs.ingest, openTelemetryTrace.ingest')
  expect(err).toContain('with --collector they are converted')
  expect(err).not.toContain('plugins install')
})

test('a basic scheme has its header and no logs, unless asked for', async () => {
  const { json } = await config('--backend', 'grafana')
  expect(json.diagnostics.otel).toMatchObject({ headers: { Authorization: `Basic \${BACKEND_BASIC}` }, metrics: true })
  expect(json.diagnostics.otel).not.toHaveProperty('logs')
  expect((await config('--backend', 'basic', '--logs')).json.diagnostics.otel.logs).toBe(true)
  expect((await config('--backend', 'token', '--no-logs')).json.diagnostics.otel).not.toHaveProperty('logs')
})

test('with a collector between, the credentials are there and not in the gateway', async () => {
  const { json, out, err } = await config('--backend', 'token', '--collector')
  expect(json.diagnostics.otel.endpoint).toBe('http://127.0.0.1:4318')
  expect(out).not.toContain('BACKEND')
  expect(err).toMatch(/Set for the collector: BACKEND .*BACKEND_TOKEN/)
  expect(err).toContain('config/agent-gateway-token.yaml')
})

test('without a backend the gateway sends to a collector on this machine', async () => {
  const { json, err } = await config()
  expect(json.diagnostics.otel).toMatchObject({ endpoint: 'http://127.0.0.1:4318', metrics: true, logs: true })
  expect(err).toContain('npm run agent-gateway -- --config config/agent-gateway.yaml')
})

test('since 2026.5 the exporter must be installed', async () => {
  expect((await config('--gateway-version', '2026.4.25')).err).not.toContain('openclaw plugins install')
  const { err } = await config('--gateway-version', '2026.5.0')
  expect(err).toContain('openclaw plugins install clawhub:@openclaw/diagnostics-otel')
})

test('the version may be all that the gateway prints of itself', async () => {
  const { err } = await config('--gateway-version', 'OpenClaw 2026.4.25 (a979721)')
  expect(err).toContain('For gateway 2026.4.25\n')
})

test('a prefix is set where the gateway knows it, else it is left to the collector', async () => {
  const { json } = await config('--prefix', 'acme', '--gateway-version', '2026.9.6')
  expect(json.diagnostics.otel.metricNamePrefix).toBe('acme.')
  const old = await config('--prefix', 'acme.', '--gateway-version', '2026.4.25')
  expect(old.json.diagnostics.otel).not.toHaveProperty('metricNamePrefix')
  expect(old.err).toContain('`rename_prefix: acme`')
})

test('the tracing plugin is loaded by its id and may see conversations, where that is asked', async () => {
  const { json } = await config('--plugin', PLUGIN, '--gateway-version', '2026.4.25')
  expect(json.plugins).toEqual({
    load: { paths: [PLUGIN] },
    entries: {
      'diagnostics-otel': { enabled: true },
      'house-tracer': { enabled: true, hooks: { allowConversationAccess: true } },
    },
  })
  const old = await config('--plugin', PLUGIN, '--gateway-version', '2026.2.0')
  expect(old.json.plugins.entries['house-tracer']).toEqual({ enabled: true })
})

test('lists that are there already are kept, and none is begun', async () => {
  await using dir = await tempDir()
  const file = dir.file('openclaw.json')
  await writeFile(file, `{plugins: {allow: ['telegram'], load: {paths: ['/a']}}}`)
  const { json, err } = await config('--plugin', PLUGIN, '--file', file)
  expect(json.plugins.allow).toEqual(['telegram', 'diagnostics-otel', 'house-tracer'])
  expect(json.plugins.load.paths).toEqual(['/a', PLUGIN])
  expect(err).not.toContain('plugins.allow')
  const without = await config('--plugin', PLUGIN)
  expect(without.json.plugins).not.toHaveProperty('allow')
  expect(without.err).toContain('If your configuration has plugins.allow')
})

test.each([
  [['--backend', 'grafan'], 'did you mean "grafana"?'],
  [['--gateway-version', '2026.1.30'], 'must be 2026.2.0 or newer'],
  [['--gateway-version', 'new'], 'must look like 2026.4.25'],
  [['--plugin', '/nowhere'], 'no openclaw.plugin.json'],
  [['--file', '/nowhere'], 'cannot read /nowhere'],
  [['--prefix', '9'], 'prefix must begin with a letter'],
  [['--endpoint', 'localhost'], 'endpoint must be a URL'],
  [['more'], 'unexpected argument "more"'],
])('%j is refused: %s', async (args, why) => {
  const { code, out, err } = await gatewayToEnd('config', ...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(why)
})
