import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseVersion } from '../gateway/version.ts'
import { checkGateway } from './check-gateway.ts'
import { printFinding } from './finding.ts'

const TESTDATA = join(import.meta.dirname, '../testdata')
const ENV = { BACKEND_TOKEN: 'a', BACKEND_BASIC: 'b' }

/** What is said of a text, a line each. */
function lines(text: string, version?: string, env: Record<string, string> = ENV, file = 'c.json5'): readonly string[] {
  const given = version === undefined ? {} : { version: parseVersion(version)! }
  return checkGateway({ text, file, env, ...given }).findings.map(printFinding)
}

function fileLines(name: string, version?: string): readonly string[] {
  const file = join(TESTDATA, name)
  return lines(readFileSync(file, 'utf8'), version, ENV, file).map(line => line.slice(TESTDATA.length + 1))
}

test.each(['good-2026.4.25.json5', 'good-2026.9.6.json5'])('nothing is said of %s', name => {
  expect(fileLines(name)).toEqual([])
})

const UNUSED = 'plugins.entries.diagnostics-otel'
const INSTALL = '`openclaw plugins install clawhub:@openclaw/diagnostics-otel`, unless that is done'

test('every fault of a file for 2026.4.25 is told with its place', () => {
  expect(fileLines('bad-2026.4.25.json5', '2026.4.25').map(line => line.replace('bad-2026.4.25.json5:', ''))).toEqual([
    '5:7  diagnostics.otel.endpoint: must be the base URL without /v1/traces: 2026.4.25 posts metrics there too [error: signal-path]',
    '6:7  diagnostics.otel.protocol: the gateway takes "grpc", but its exporter does not start with it: set "http/protobuf" [error: protocol]',
    '8:7  diagnostics.otel: Unrecognized key: "metricNamePrefix", known since 2026.9.0 [error: unknown-key]',
    '9:7  diagnostics.otel: Unrecognized key: "logsExporter", known since 2026.7.0 [error: unknown-key]',
    '10:25  diagnostics.otel.captureContent: Unrecognized key: "inputMesages" (did you mean "inputMessages"?) [error: unknown-key]',
    '14:5  plugins.allow: must list "diagnostics-otel", or the exporter is not loaded [error: plugin-not-allowed]',
    '14:5  plugins.allow: must list "otel-observability", or the plugin is not loaded [error: plugin-not-allowed]',
    '16:5  plugins.entries.diagnostics-otel.enabled: must be true: 2026.4.25 contains the exporter, but disabled [error: exporter-disabled]',
    '17:50  plugins.entries.house-tracer.config: invalid config: must not have additional properties: "verbose" [error: config-block]',
    '18:7  plugins.entries.otel-observability.hooks.allowConversationAccess: must be true, or the hooks of which traces are made are kept from the plugin [error: conversation-access]',
    '18:41  plugins.entries.otel-observability.config: invalid config: must not have additional properties: "enableTraces" [error: config-block]',
  ])
})

test('every fault of a file for 2026.9.6 is told with its place', () => {
  expect(fileLines('bad-2026.9.6.json5').map(line => line.replace('bad-2026.9.6.json5:', ''))).toEqual([
    '5:7  diagnostics.otel: Unrecognized key: "bogus" [error: unknown-key]',
    '6:7  diagnostics.otel.endpoint: port 4317 is where gRPC is spoken by convention, and the gateway speaks HTTP: 4318 may be meant [warning: grpc-port]',
    '6:7  diagnostics.otel.endpoint: telemetry, headers included, leaves this machine unencrypted: use https:// [warning: remote-http]',
    '7:7  diagnostics.otel.protocol: Invalid input: expected "http/protobuf" [error: protocol]',
    '8:18  diagnostics.otel.headers.Authorization: holds a secret in plain text: write $' +
      '{NAME} and set the variable for the gateway [warning: plain-secret]',
    '8:70  diagnostics.otel.headers.X-Shard: Invalid input: expected string, received number [error: type]',
    "8:73  diagnostics.otel.headers.X-Org: TEAM is not set here: the gateway's own environment must have it [warning: variable]",
    '9:19  diagnostics.otel.sampleRate: Too big: expected number to be <=1 [error: range]',
    '10:24  diagnostics.otel.flushIntervalMs: Too small: expected number to be >=0 [error: range]',
    '11:7  diagnostics.otel.captureContent: Invalid input: expected boolean, received object [error: type]',
    '12:25  diagnostics.otel.metricNamePrefix: Invalid string: must match pattern /^(?:[A-Za-z][A-Za-z0-9_./-]*)?$/ [error: pattern]',
    '13:21  diagnostics.otel.logsExporter: Invalid option: expected one of "otlp"|"stdout"|"both" [error: word]',
    '15:7  diagnostics.otel.logs: written twice, first in line 14: this one counts [warning: duplicate-key]',
    '17:19  diagnostics.cacheTrace: Unrecognized key: "filePath", gone since 2026.8.0 [error: unknown-key]',
    '18:5  diagnostics: Unrecognized key: "stuckSessionWarnMs", gone since 2026.9.0 [error: unknown-key]',
    '21:5  plugins.deny: lists "diagnostics-otel", so the exporter is not loaded [error: plugin-denied]',
    '22:13  plugins.load: Unrecognized key: "path" (did you mean "paths"?) [error: unknown-key]',
    `24:7  ${UNUSED}: 2026.9.6 does not contain the exporter: install it with ${INSTALL} [warning: exporter-not-bundled]`,
    `24:44  ${UNUSED}: Unrecognized key: "bogus" [error: unknown-key]`,
    '25:44  plugins.entries.millrace-tracing.hooks.allowConversationAccess: must be true, or the hooks of which traces are made are kept from the plugin [error: conversation-access]',
    '25:64  plugins.entries.millrace-tracing.hooks.timeoutMs: Too small: expected number to be >0 [error: range]',
  ])
})

/** A file that exports, with more under `diagnostics.otel` and beside `diagnostics`. */
function exporting(otel: object, beside: object = {}): string {
  const base = { enabled: true, endpoint: 'http://127.0.0.1:4318', logs: true }
  const entries = { 'diagnostics-otel': { enabled: true } }
  return JSON.stringify({
    diagnostics: { otel: { ...base, ...otel } },
    plugins: { entries, installs: entries },
    ...beside,
  })
}

const TABLE: readonly (readonly [what: string, text: string, version: string, rules: readonly string[]])[] = [
  ['a file that exports', exporting({}), '2026.9.6', []],
  ['a newer gateway', exporting({}), '2027.1.0', []],
  ['a gateway that is too old', exporting({}), '2026.1.31', ['error version', 'warning exporter-incomplete']],
  ['the oldest gateway', exporting({}), '2026.2.0', ['warning exporter-incomplete']],
  ['a release that starves the exporter', exporting({}), '2026.5.2', ['warning exporter-gets-nothing']],
  ['no diagnostics', '{}', '2026.9.6', ['warning not-exported']],
  ['export switched off', exporting({ enabled: false }), '2026.9.6', ['warning not-exported']],
  ['diagnostics switched off', '{diagnostics:{enabled:false,otel:{enabled:true}}}', '2026.9.6', ['error not-exported']],
  ['grpc where it is taken', exporting({ protocol: 'grpc' }), '2026.4.25', ['error protocol']],
  ['grpc where it is refused', exporting({ protocol: 'grpc' }), '2026.9.6', ['error protocol']],
  ['classes of content once', exporting({ captureContent: { enabled: true } }), '2026.4.25', []],
  ['classes of content perhaps', exporting({ captureContent: { enabled: true } }), '2026.6.5', ['warning type']],
  ['classes of content now', exporting({ captureContent: { enabled: true } }), '2026.9.6', ['error type']],
  ['content before there was a switch', exporting({ captureContent: true }), '2026.3.12', ['error unknown-key']],
  ['a prefix', exporting({ metricNamePrefix: '' }), '2026.9.6', []],
  ['a prefix perhaps', exporting({ metricNamePrefix: 'a.' }), '2026.8.1', ['warning unknown-key']],
  ['a prefix too long', exporting({ metricNamePrefix: 'a'.repeat(129) }), '2026.9.6', ['error range']],
  ['a signal path', exporting({ endpoint: 'http://localhost:4318/v1/logs/' }), '2026.9.6', ['warning signal-path']],
  [
    'one signal only',
    exporting({ endpoint: 'http://[::1]/v1/traces', metrics: false, logs: false }),
    '2026.4.25',
    ['warning signal-path'],
  ],
  ['no scheme', exporting({ endpoint: 'localhost:4318' }), '2026.9.6', ['error endpoint']],
  ['credentials in the URL', exporting({ endpoint: 'https://u:p@a.example' }), '2026.9.6', ['warning plain-secret']],
  ['an endpoint from a variable', exporting({ endpoint: '$' + '{BACKEND_TOKEN}/otlp' }), '2026.9.6', []],
  ['no endpoint', exporting({ endpoint: undefined }), '2026.9.6', ['warning no-endpoint']],
  [
    'a signal without endpoint',
    exporting({ endpoint: undefined, tracesEndpoint: 'https://a.example/v1/traces' }),
    '2026.9.6',
    ['warning no-endpoint'],
  ],
  ['delta only', exporting({ endpoint: 'https://a.example/api/v2/otlp' }), '2026.9.6', ['warning temporality']],
  ['logs not written', exporting({ logs: undefined }), '2026.9.6', ['warning logs']],
  ['logs switched off', exporting({ logs: false }), '2026.9.6', []],
  [
    'logs with basic',
    exporting({ headers: { AUTHORIZATION: 'Basic $' + '{BACKEND_BASIC}' } }),
    '2026.9.6',
    ['warning logs'],
  ],
  ['a plain key', exporting({ headers: { 'X-Api-Key': 'k' } }), '2026.9.6', ['warning plain-secret']],
  [
    'half a plain key',
    exporting({ headers: { 'DD-API-KEY': 'x$' + '{BACKEND_TOKEN}' } }),
    '2026.9.6',
    ['warning plain-secret'],
  ],
  ['a variable in lower case', exporting({ serviceName: '$' + '{name}' }), '2026.9.6', ['warning variable']],
  [
    'a variable of the file',
    exporting({ serviceName: '$' + '{NAME}' }, { env: { vars: { NAME: 'a' } } }),
    '2026.9.6',
    [],
  ],
  ['a dollar that is meant', exporting({ serviceName: '$$' + '{NAME}' }), '2026.9.6', []],
  [
    'an include',
    '{diagnostics: {otel: {$include: "./otel.json5", enabled: true}}, plugins: {$include: "./p.json5"}}',
    '2026.9.6',
    ['warning include', 'warning include'],
  ],
  ['an include around everything', '{$include: "./all.json5"}', '2026.4.25', ['warning include']],
  [
    'the guard without its key',
    exporting(
      {},
      { plugins: { entries: { 'diagnostics-otel': { enabled: true }, 'millrace-tracing': { enabled: true } } } },
    ),
    '2026.4.23',
    ['error conversation-access'],
  ],
  [
    'no guard yet',
    exporting(
      {},
      { plugins: { entries: { 'diagnostics-otel': { enabled: true }, 'millrace-tracing': { enabled: true } } } },
    ),
    '2026.4.10',
    [],
  ],
  [
    'a tracer switched off',
    exporting(
      {},
      { plugins: { installs: { 'diagnostics-otel': {} }, entries: { 'millrace-tracing': { enabled: false } } } },
    ),
    '2026.9.6',
    [],
  ],
  [
    'the exporter switched off',
    exporting(
      {},
      { plugins: { entries: { 'diagnostics-otel': { enabled: false } }, installs: { 'diagnostics-otel': {} } } },
    ),
    '2026.9.6',
    ['error exporter-disabled'],
  ],
  [
    'plugins switched off',
    exporting({}, { plugins: { enabled: false, installs: { 'diagnostics-otel': {} } } }),
    '2026.9.6',
    ['error exporter-disabled'],
  ],
  ['no JSON5', '{diagnostics: {otel: }', '2026.9.6', ['error syntax']],
  ['nothing', '', '2026.9.6', ['error syntax']],
  ['a list', '[]', '2026.9.6', ['error type']],
  ['a deep text', '['.repeat(200_000), '2026.9.6', ['error syntax']],
  ['diagnostics of another type', '{diagnostics: [1]}', '2026.9.6', ['error type', 'warning not-exported']],
  ['null', '{diagnostics: {otel: null}, plugins: {entries: {a: null}}}', '2026.9.6', ['error type', 'error type']],
]

test.each(TABLE)('%s', (_, text, version, rules) => {
  const findings = checkGateway({ text, file: 'c.json5', version: parseVersion(version)!, env: ENV }).findings
  expect(findings.map(({ severity, rule }) => `${severity} ${rule}`).sort()).toEqual([...rules].sort())
})

test('no value of a header, an endpoint or a text that cannot be read is ever quoted', () => {
  const secret = 'sk-hidden-0815'
  const texts = [
    exporting({ headers: { Authorization: `Bearer ${secret}`, 'X-Token': [secret], Cookie: secret } }),
    exporting({ endpoint: `http://user:${secret}@a.example/v1/traces?key=${secret}`, protocol: secret }),
    exporting({ captureContent: secret, logs: secret, logsExporter: secret, metricNamePrefix: `9${secret}` }),
    `{diagnostics: {otel: {headers: {Authorization: ${secret}}}}}`,
    `{diagnostics: {otel: {headers: {Authorization: "${secret}}}}}`,
  ]
  for (const text of texts) {
    const said = ['2026.4.25', '2026.9.6'].flatMap(version => lines(text, version))
    expect(said.length).toBeGreaterThan(0)
    expect(said.join('\n')).not.toContain(secret)
  }
})

test('whatever the file holds, a verdict comes, with a place for each finding and without what is written', () => {
  const word = fc.constantFrom(
    'enabled',
    'endpoint',
    'headers',
    'hooks',
    'config',
    'diagnostics-otel',
    '$include',
    '__proto__',
    'x',
  )
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        true,
        false,
        null,
        0,
        -1,
        1.5,
        1e300,
        'grpc',
        'secret-0815',
        'http://u:secret-0815@h:4317/v1/logs',
        '$' + '{A}',
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(word, tie('value')), { maxLength: 4 }).map(entries => Object.fromEntries(entries)),
    ),
  }))
  const file = fc.record(
    {
      diagnostics: fc.oneof(
        value,
        fc.record({
          enabled: value,
          otel: fc.oneof(
            value,
            fc.record({
              enabled: fc.constant(true),
              endpoint: value,
              headers: value,
              protocol: value,
              captureContent: value,
              logs: value,
            }),
          ),
        }),
      ),
      plugins: fc.oneof(
        value,
        fc.record({
          allow: value,
          load: value,
          entries: fc.oneof(
            value,
            fc.dictionary(fc.constantFrom('diagnostics-otel', 'millrace-tracing', 'a.b'), value),
          ),
        }),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(file, fc.constantFrom('2026.2.0', '2026.4.25', '2026.6.1', '2026.9.6'), (tree, version) => {
      const { findings } = checkGateway({ text: JSON.stringify(tree), file: 'c', version: parseVersion(version)! })
      for (const finding of findings) expect(finding.origin).toBeDefined()
      expect(findings.map(printFinding).join()).not.toContain('secret-0815')
    }),
  )
})

test('the version is that of the option, else that which wrote the file, else the newest known', () => {
  const text = exporting({}, { meta: { lastTouchedVersion: '2026.4.25' } })
  const of = (given: Partial<Parameters<typeof checkGateway>[0]>) => {
    const { version, versionFrom } = checkGateway({ text, file: 'c', ...given })
    return `${version.text} ${versionFrom}`
  }
  expect(of({})).toBe('2026.4.25 file')
  expect(of({ version: parseVersion('v2026.3.1-beta.1')! })).toBe('2026.3.1 option')
  expect(of({ text: '{}' })).toBe('2026.9.6 latest')
})
