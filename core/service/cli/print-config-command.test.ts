// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import { describe, expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { cli, configured } from './cli.test-support.ts'

const print = (text: string, ...args: string[]) =>
  cli(['print-config', ...configured(text), ...args], { env: { PW: 'hush' } })

describe('print-config', () => {
  test('prints everything with its defaults, and no secret', async () => {
    const { code, out, err } = await print('receivers::r: {opaque: "${env:PW}", headers: {a: hush}}')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(parseYaml(out)).toMatchObject({
      receivers: { r: { opaque: '[REDACTED]', headers: [{ name: 'a', value: '[REDACTED]' }], port: 4317 } },
      exporters: { e: { timeout: '1s' } },
      service: {
        telemetry: { logs: { level: 'info', encoding: 'json' } },
        pipelines: { traces: { receivers: ['r'], processors: [], exporters: ['e'] } },
      },
    })
    expect(out).not.toContain('hush')
  })

  test('prints secrets when asked to', async () => {
    expect((await print('receivers::r::opaque: ${env:PW}', '--mode', 'unredacted')).out).toContain('opaque: hush')
    expect((await print('', '--mode', 'unredacted')).out).toContain('opaque: "1234"')
    expect((await print('')).out).toContain('opaque: "[REDACTED]"')
  })

  test('what is printed can be used as a configuration, and prints the same again', async () => {
    const text = '{exporters: {e: {queue: , timeout: 1m30s}}, receivers: {r: {headers: {a: "$$x"}}}}'
    const once = await print(text, '--mode=unredacted')
    const again = await cli([
      'print-config',
      '--mode=unredacted',
      '--config',
      `yaml:${once.out.replaceAll('$', '$$$$')}`,
    ])
    expect(again).toEqual(once)
  })

  test('prints JSON with durations in nanoseconds', async () => {
    const { out } = await print('exporters::e::timeout: 5s', '--format', 'json')
    expect(JSON.parse(out)).toMatchObject({ exporters: { e: { timeout: 5_000_000_000 } } })
  })

  test('refuses what is invalid, unless told not to look', async () => {
    const invalid = 'receivers::r::port: 13'
    expect(await print(invalid)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('cannot be 13') })
    for (const flag of ['--validate=false', '--no-validate']) {
      expect(await print(invalid, flag)).toMatchObject({ code: 0, out: expect.stringContaining('port: 13') })
    }
    expect(await print('exporters::e::timeout: 5x', '--validate=false')).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot unmarshal the configuration: yaml:exporters::e::timeout:1:24'),
    })
    expect(await print('exporters::nope: ', '--validate=false')).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown type: "nope" for id: "nope"'),
    })
  })

  test('tells where each value came from', async () => {
    const text = 'receivers:\n  r:\n    port: ${env:PORT}\n    headers: [{name: a, value: hush}]\n    tags: x,y\n'
    const args = ['print-config', '--origin', ...configured(text), '--set', 'exporters.e.timeout=7s']
    const { out } = await cli(args, { env: { PORT: '99' } })
    const lines = out.split('\n').map(line => line.trim())
    expect(lines).toContain('opaque: "[REDACTED]" # default')
    expect(lines).toContain('port: 99 # yaml:receivers:3:11 (env:PORT)')
    expect(lines).toContain('a: "[REDACTED]" # yaml:receivers:4:15')
    expect(lines).toContain('- x # yaml:receivers:5:11')
    expect(lines).toContain('timeout: 7s # --set exporters.e.timeout:1:24')
    expect(lines.find(line => line.startsWith('encoding: json'))).toMatch(/# yaml:\d+:\d+$/)
    const { out: json } = await cli([...args, '--format=json'], { env: { PORT: '99' } })
    expect(JSON.parse(json)['receivers::r::port']).toEqual({ value: 99, origin: 'yaml:receivers:3:11 (env:PORT)' })
    expect(parseYaml(out)).toMatchObject({ receivers: { r: { port: 99 } } })
  })
})
