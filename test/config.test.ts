import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { Collector } from '#core/service'
import { type TempDir, tempDir } from '#core/testing'
import { certificate } from '../core/net/certificates.test-support.ts'
import { millrace } from '../distributions/millrace/index.ts'

const CONFIG = join(import.meta.dirname, '../config')
const FILES = globSync('*.yaml', { cwd: CONFIG }).sort()

type Tree = { [key: string]: unknown }

/** The example with every listening port free and every file in `dir`, as overrides that are merged over it. */
function harmless(example: Tree): Tree {
  const overrides: Tree = {}
  for (const kind of ['receivers', 'extensions']) overrides[kind] = endpoints((example[kind] ?? {}) as Tree)
  const prometheus = { host: '127.0.0.1', port: 0 }
  const telemetry = { metrics: { readers: [{ pull: { exporter: { prometheus } } }] }, logs: { level: 'error' } }
  return { ...overrides, service: { telemetry } }
}

/** The same shape with nothing but endpoints, each on a free port of loopback, written or left to its default. */
function endpoints(tree: Tree): Tree {
  const found: Tree = {}
  for (const [key, value] of Object.entries(tree)) {
    const [type] = key.split('/')
    if (LISTENERS.has(type!)) found[key] = { endpoint: FREE }
    else if (type === 'otlp') {
      const protocols = Object.keys(((value as Tree).protocols ?? {}) as Tree)
      found[key] = { protocols: Object.fromEntries(protocols.map(protocol => [protocol, { endpoint: FREE }])) }
    }
  }
  return found
}

const FREE = '127.0.0.1:0'
const LISTENERS = new Set(['api', 'health_check', 'zpages', 'pprof'])

/** What examples take from files and variables that nobody should know. */
async function credentials(dir: TempDir): Promise<Record<string, string>> {
  await writeFile(dir.file('tokens'), 'a-token')
  await writeFile(dir.file('htpasswd'), 'operator:a-password')
  const { cert_file: TLS_CERT, key_file: TLS_KEY } = certificate('server')
  const files = { TLS_CERT, TLS_KEY, AGENT_TOKENS: dir.file('tokens'), HTPASSWD: dir.file('htpasswd') }
  return { ...files, BACKEND_TOKEN: 'a-token' }
}

describe.each(FILES)('config/%s', file => {
  const text = readFileSync(join(CONFIG, file), 'utf8')

  test('opens with a sentence on what it shows', () => {
    expect(text).toMatch(/^# [A-Z].+/)
  })

  test('starts and stops', async () => {
    await using dir = await tempDir()
    const env = {
      OUT: dir.path,
      STORAGE: dir.path,
      TOPICS_DATA_DIR: dir.path,
      BACKEND: '127.0.0.1:1',
      ...(await credentials(dir)),
    }
    const overrides = harmless(parseYaml(text) as Tree)
    const collector = new Collector({
      distribution: millrace,
      sources: [join(CONFIG, file)],
      config: overrides,
      env,
      streams: { stdout: { write: () => true }, stderr: { write: () => true } },
    })
    await collector.start()
    expect(collector.state).toBe('Running')
    await collector.shutdown(10_000)
  })
})
