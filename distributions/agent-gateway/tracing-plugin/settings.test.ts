import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { hasBuiltInExporter } from './built-in-exporter.ts'
import { contentPolicyOf } from './content.ts'
import { endpointOf } from './endpoint.ts'
import { HOOKS } from './hooks.ts'
import { hooksFor } from './host.ts'
import { settingsOf } from './settings.ts'
import { DEFAULT_SWITCHES, readSwitches } from './switches.ts'

function read(otel: object, more: object = {}, switches: object = {}) {
  const complaints: string[] = []
  const config = { diagnostics: { otel: { enabled: true, endpoint: 'http://127.0.0.1:4318', ...otel } }, ...more }
  const settings = settingsOf(config, { ...DEFAULT_SWITCHES, ...switches }, line => complaints.push(line))
  return { settings, complaints, set: settings as Exclude<typeof settings, string> }
}

describe('an endpoint', () => {
  test.each([
    ['http://127.0.0.1:4318', undefined, 'http://127.0.0.1:4318/v1/traces'],
    ['http://127.0.0.1:4318/', undefined, 'http://127.0.0.1:4318/v1/traces'],
    ['https://backend/api/v2/otlp', undefined, 'https://backend/api/v2/otlp/v1/traces'],
    ['https://backend/otlp/v1/metrics', undefined, 'https://backend/otlp/v1/traces'],
    ['https://backend/otlp?tenant=a', undefined, 'https://backend/otlp/v1/traces?tenant=a'],
    [undefined, 'https://backend/anything', 'https://backend/anything'],
    ['http://127.0.0.1:4318', 'https://backend/own/', 'https://backend/own/'],
  ])('%s with its own %s becomes %s', (base, own, expected) => {
    expect(endpointOf('traces', base, own)).toBe(expected)
  })

  test.each([
    [undefined, 'diagnostics.otel.endpoint is not set'],
    ['ftp://backend', 'the endpoint must be an http or https URL, got ftp://'],
    ['backend', 'Invalid URL'],
  ])('%s leaves nothing to do: %s', (endpoint, reason) => {
    expect(read({ endpoint }).settings).toBe(reason)
  })
})

describe('diagnostics.otel', () => {
  test('decides on signals, headers, name, share and times', () => {
    const { set } = read({
      headers: { Authorization: 'Api-Token x' },
      serviceName: 'gw',
      sampleRate: 0.5,
      metrics: false,
    })
    expect(set).toMatchObject({
      traces: 'http://127.0.0.1:4318/v1/traces',
      metrics: undefined,
      headers: { Authorization: 'Api-Token x' },
      ...{ serviceName: 'gw', sampleRate: 0.5, metricInterval: 60_000, turnMetrics: false },
    })
    expect(read({ flushIntervalMs: 20 }).set).toMatchObject({ metricInterval: 1000 })
  })

  test.each([
    [{ enabled: false }, 'diagnostics.otel.enabled is not true'],
    [{ protocol: 'grpc' }, 'diagnostics.otel.protocol is grpc, and only http/protobuf is spoken here'],
    [{ traces: false, metrics: false }, 'traces and metrics are both off'],
  ])('%j leaves nothing to do: %s', (otel, reason) => {
    expect(read(otel).settings).toBe(reason)
  })

  test('a header that cannot be sent, or names a variable still, is told without its value', () => {
    const unset = 'Bearer $' + '{TOKEN}'
    const { set, complaints } = read({ headers: { 'bad name': 'secret', Authorization: unset } })
    expect(set.headers).toEqual({ Authorization: unset })
    expect(complaints).toEqual([
      'the header "bad name" of diagnostics.otel.headers is not valid and is left out',
      'the header "Authorization" still names a variable that is not set',
    ])
  })

  test('the prefix of metrics is the one the gateway is told, else that of the spans', () => {
    expect(read({}).set.metricPrefix).toBe('openclaw.')
    expect(read({ metricNamePrefix: 'acme_' }).set.metricPrefix).toBe('acme_')
    expect(read({ metricNamePrefix: '' }).set.metricPrefix).toBe('')
    expect(read({}, {}, { prefix: 'acme' }).set.metricPrefix).toBe('acme.')
  })
})

describe('content', () => {
  test.each([
    [undefined, []],
    [false, []],
    [true, ['inputMessages', 'outputMessages', 'toolInputs', 'toolOutputs']],
    [{ inputMessages: true }, []],
    [{ enabled: true, systemPrompt: true, toolInputs: true }, ['toolInputs', 'systemPrompt']],
  ])('%j lets leave %j', (setting, leaving) => {
    expect(Object.entries(contentPolicyOf(setting)).flatMap(([name, on]) => (on ? [name] : []))).toEqual(leaving)
  })
})

describe('the built-in exporter', () => {
  const entry = { 'diagnostics-otel': { enabled: true } }
  test.each([
    [{}, false],
    [{ plugins: { entries: { 'diagnostics-otel': {} } } }, false],
    [{ plugins: { entries: entry } }, true],
    [{ plugins: { entries: entry, allow: ['diagnostics-otel'] } }, true],
    [{ plugins: { entries: entry, allow: ['other'] } }, false],
    [{ plugins: { entries: entry, deny: ['diagnostics-otel'] } }, false],
    [{ plugins: { entries: entry, enabled: false } }, false],
  ])('in %j is on: %s', (config, on) => {
    expect(hasBuiltInExporter(config)).toBe(on)
    expect(read({}, config).set.turnMetrics).toBe(!on)
    expect(read({}, config, { metrics: 'always' }).set.turnMetrics).toBe(true)
    expect(read({}, config, { metrics: 'never' }).set.metrics).toBeUndefined()
  })
})

describe('settings.json', () => {
  async function from(text: string) {
    await using folder = await tempDir()
    writeFileSync(join(folder.path, 'settings.json'), text)
    const complaints: string[] = []
    return { switches: readSwitches(folder.path, line => complaints.push(line)), complaints }
  }

  test('need not be there', async () => {
    await using folder = await tempDir()
    expect(readSwitches(folder.path, () => expect.unreachable())).toEqual(DEFAULT_SWITCHES)
  })

  test('switches things', async () => {
    const { switches, complaints } = await from('{"prefix":"acme","hashIdentifiers":false,"metrics":"never"}')
    expect(switches).toEqual({ ...DEFAULT_SWITCHES, prefix: 'acme', hashIdentifiers: false, metrics: 'never' })
    expect(complaints).toEqual([])
  })

  test('that is wrong is told of and left at its defaults', async () => {
    const { switches, complaints } = await from('{"prefix":"","colour":1,"__proto__":{},"metrics":true}')
    expect(switches).toEqual(DEFAULT_SWITCHES)
    expect(complaints).toContain('settings.json: prefix cannot be ""')
    expect(complaints).toContain('settings.json: unknown key "colour"')
    expect(complaints).toContain('settings.json: metrics cannot be true')
    expect((await from('{')).complaints[0]).toMatch(/^settings.json cannot be read: /)
  })
})

describe('hooks are asked for by version and permission', () => {
  const allowed = { plugins: { entries: { 'millrace-tracing': { hooks: { allowConversationAccess: true } } } } }
  const asked = (version: string | undefined, config: unknown) =>
    hooksFor(Object.keys(HOOKS), { config, runtime: { version } })

  test('2026.9 has no before_agent_start, and gates whatever shows a conversation', () => {
    expect(asked('2026.9.6', allowed)).not.toContain('before_agent_start')
    expect(asked('2026.9.6', allowed)).toContain('agent_turn_prepare')
    expect(asked('2026.9.6', {})).toEqual(
      expect.not.arrayContaining(['agent_end', 'llm_output', 'agent_turn_prepare', 'before_model_resolve']),
    )
    expect(asked('2026.9.6', {})).toEqual(expect.arrayContaining(['model_call_started', 'reply_payload_sending']))
  })

  test('2026.4 has no agent_turn_prepare, and gates less', () => {
    expect(asked('2026.4.25', {})).toContain('before_agent_start')
    expect(asked('2026.4.25', {})).toContain('before_prompt_build')
    expect(asked('2026.4.25', {})).not.toContain('agent_end')
    expect(asked('2026.4.25', allowed)).not.toContain('agent_turn_prepare')
  })

  test('before 2026.4.23 nothing needs permission', () => {
    expect(asked('2026.4.22', {})).toContain('agent_end')
    expect(asked('2026.2.0', {})).toContain('llm_output')
    expect(asked('2026.4.23', {})).not.toContain('agent_end')
  })

  test('a gateway that does not tell its version is asked for all', () => {
    expect(asked(undefined, allowed)).toEqual(Object.keys(HOOKS))
  })
})
