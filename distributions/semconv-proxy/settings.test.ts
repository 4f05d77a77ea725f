import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '#core/testing'
import { OPTIONS } from './options.ts'
import { readSettings } from './settings.ts'

const settings = (argv: readonly string[], env: Record<string, string> = {}) => {
  const request = readSettings(argv, env)
  if (request.action !== 'run') throw new Error(`It would not run but print ${request.action}`)
  return request.settings
}
const BACKEND = ['--backend-endpoint', 'b:4317']

describe('settings', () => {
  test('have the documented defaults', () => {
    const defaults = Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [name, option.default]))
    expect(settings(BACKEND)).toEqual({ ...defaults, 'backend-endpoint': 'b:4317' })
    expect(defaults).toMatchObject({
      'api-port': 8080,
      'otlp-grpc-port': 4317,
      'otlp-http-port': 4318,
      'data-dir': './data',
    })
  })

  test('come from flags, then variables, then the file, then defaults', async () => {
    await using dir = await tempDir()
    const file = join(dir.path, 'proxy.yaml')
    writeFileSync(
      file,
      'backend-endpoint: file:1\nglobal_budget: 3\nworker-count: 3\nlog-level: warn\nregistry-path: [a, b]\n',
    )
    const env = { PROXY_BACKEND_ENDPOINT: 'env:2', PROXY_GLOBAL_BUDGET: '2', PROXY_WORKER_COUNT: '' }
    expect(settings(['--config', file, '--backend-endpoint=flag:1'], env)).toMatchObject({
      'backend-endpoint': 'flag:1',
      'global-budget': 2,
      'worker-count': 3,
      'log-level': 'warn',
      'registry-path': 'a,b',
      'ring-buffer-size': 10_000,
    })
    expect(settings([], { ...env, PROXY_CONFIG: file })['backend-endpoint']).toBe('env:2')
    expect(settings([], { PROXY_CONFIG: file })['backend-endpoint']).toBe('file:1')
  })

  test('may be short, negated, and joined with an equal sign', () => {
    expect(settings([...BACKEND, '-l', 'debug'])['log-level']).toBe('debug')
    expect(
      settings([...BACKEND, '--no-backend-insecure'], { PROXY_BACKEND_INSECURE: 'true' })['backend-insecure'],
    ).toBe(false)
  })

  test('are not needed for help and version', () => {
    expect([readSettings(['--help'], {}), readSettings(['-v'], {})]).toEqual([
      { action: 'help' },
      { action: 'version' },
    ])
  })

  test.each([
    [[], {}, 'config: backend-endpoint is required'],
    [[...BACKEND, '--api-port', '0'], {}, 'config: api-port must be between 1 and 65535, got 0'],
    [[...BACKEND, '--api-port', '70000'], {}, 'config: api-port must be between 1 and 65535, got 70000'],
    [[...BACKEND, '--otlp-grpc-port=x'], {}, 'config: otlp-grpc-port must be between 1 and 65535, got x'],
    [BACKEND, { PROXY_RING_BUFFER_SIZE: '0' }, 'config: ring-buffer-size must be positive, got 0'],
    [BACKEND, { PROXY_WORKER_COUNT: '-1' }, 'config: worker-count must not be negative, got -1'],
    [BACKEND, { PROXY_GLOBAL_BUDGET: '1.5' }, 'config: global-budget must be positive, got 1.5'],
    [[...BACKEND, '--log-level', 'loud'], {}, 'config: log-level must be one of debug, info, warn, error, got loud'],
    [BACKEND, { PROXY_BACKEND_INSECURE: 'yes' }, 'config: backend-insecure must be true or false, got yes'],
    [['--no-such'], {}, "config: Unknown option '--no-such'"],
    [['--config', '/no/such/file'], {}, /^config: cannot read \/no\/such\/file: ENOENT/],
  ] as [string[], Record<string, string>, string | RegExp][])('%j with %j: %s', (argv, env, message) => {
    expect(() => settings(argv, env)).toThrow(message)
  })

  test('of a file that has unknown keys or no keys are refused', async () => {
    await using dir = await tempDir()
    const file = join(dir.path, 'proxy.yaml')
    writeFileSync(file, 'backend-endpiont: x')
    expect(() => settings(['--config', file])).toThrow(
      /^config: unknown key backend-endpiont in .*, did you mean backend-endpoint\?$/,
    )
    writeFileSync(file, '- x')
    expect(() => settings(['--config', file])).toThrow('must hold keys and values')
  })
})
