import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Code, PermanentError, RetryableError, systemClock } from '#core/component'
import { t } from '#core/config'
import { createGrpcClient, grpcClientFields } from '#core/net'
import {
  aLog,
  aPoint,
  aSpan,
  configure,
  logs,
  logsOf,
  metrics,
  metricsOf,
  payloadOf,
  RecordingLogger,
  tempDir,
  traces,
  tracesOf,
  until,
} from '#core/testing'
import { validateRegistry } from '../../processors/semconv_dictionary/registry/validate-registry.test-support.ts'
import { PROTOCOLS, runApplication } from '../../test/e2e/sdk.ts'
import { backend, proxy } from './rig.test-support.ts'

const MAIN = join(import.meta.dirname, 'main.ts')

async function program(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } })
  let stderr = ''
  let stdout = ''
  child.stderr.on('data', text => {
    stderr += String(text)
  })
  child.stdout.on('data', text => {
    stdout += String(text)
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr: stderr.split('\n').filter(line => line !== '' && !line.startsWith('{')) }
}

describe('the program', () => {
  test('ends with code 1 and the message when it cannot start', async () => {
    await using dir = await tempDir()
    const file = join(dir.path, 'file')
    writeFileSync(file, '')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const base = ['--backend-endpoint=127.0.0.1:1', '--backend-protocol=grpc', '--listen-host=127.0.0.1']
    const ends = await Promise.all([
      program([]),
      program([...base, `--data-dir=${file}/data`]),
      program([...base, `--data-dir=${dir.path}`, `--api-port=${port}`]),
    ])
    taken.close()
    expect(ends.map(end => end.code)).toEqual([1, 1, 1])
    expect(ends[0]!.stderr).toEqual(['config: backend-endpoint is required'])
    expect(ends[1]!.stderr[0]).toMatch(/^failed to create data directory: /)
    expect(ends[2]!.stderr).toEqual(['api: listen: address already in use'])
  })

  test('prints its help and version', async () => {
    const [help, version] = await Promise.all([program(['--help']), program(['--version'])])
    expect([help.code, version.code]).toEqual([0, 0])
    expect(help.stdout).toContain('--ring-buffer-size <number>')
    expect(version.stdout).toMatch(/^semconv-proxy version \d/)
  })
})

describe('traffic of the OpenTelemetry SDK', () => {
  test.each([...PROTOCOLS])('by %s arrives byte for byte, and every name is learned', async protocol => {
    await using dir = await tempDir()
    await using to = await backend(protocol === 'grpc' ? 'grpc' : 'http')
    await using running = await proxy(dir.path, to.address)
    const sent = await runApplication(protocol, running)
    for (const signal of ['traces', 'metrics', 'logs'] as const) {
      await until(() => to.bytes(signal).length === sent[signal].length)
      if (protocol === 'http/json') continue
      expect(Buffer.concat(to.bytes(signal)).equals(Buffer.concat(sent[signal]))).toBe(true)
    }
    const received = await running.metric('signals_received_total')
    expect(await running.metric('signals_forwarded_total')).toBe(received)
    await until(async () => (await running.metric('pipeline_analyzed_total')) === received)
    const { total, entries } = await running.json('/api/v1/dictionary?limit=1000')
    expect(entries).toHaveLength(total)
    const service = entries.find((each: { name: string }) => each.name === 'service.name')
    expect(service).toMatchObject({ signal_types: ['metric', 'trace', 'log'], services: ['checkout'], type: 'string' })
    expect(entries.find((each: { name: string }) => each.name === 'zones')).toMatchObject({ type: 'string[]' })
    const label = protocol === 'grpc' ? 'protocol="grpc"' : 'protocol="http"'
    expect(await running.metric('signals_received_total', label)).toBe(received)
  })
})

describe('a backend', () => {
  const post = (at: { http: string }, body: Uint8Array, signal = 'traces') =>
    fetch(`http://${at.http}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body,
    })

  test('that is away: senders are told to try again, and nothing counts as forwarded or dropped', async () => {
    await using dir = await tempDir()
    const gone = await backend('grpc')
    await gone.stop()
    await using running = await proxy(dir.path, gone.address, ['--backend-protocol=grpc'])
    expect((await post(running, traces(2).flat())).status).toBe(503)
    expect(await running.metric('signals_received_total')).toBe(2)
    expect(await running.metric('signals_forwarded_total')).toBe(0)
    expect(await running.metric('signals_dropped_total')).toBe(0)
    await until(async () => (await running.json('/api/v1/dictionary')).total === 2)
  })

  test('that is too slow: senders are told to try again', { timeout: 20_000 }, async () => {
    await using dir = await tempDir()
    await using to = await backend('grpc')
    await using running = await proxy(dir.path, to.address)
    to.sink.hold()
    const answer = await post(running, traces(2).flat())
    to.sink.release()
    expect([503, 504]).toContain(answer.status)
    expect(await running.metric('signals_forwarded_total')).toBe(0)
    expect(await running.metric('signals_dropped_total')).toBe(0)
  })

  test('that refuses: senders hear it, and it counts as dropped', async () => {
    await using dir = await tempDir()
    await using to = await backend('grpc')
    await using running = await proxy(dir.path, to.address)
    to.sink.refuse(new PermanentError('bad', { code: Code.INVALID_ARGUMENT }))
    expect((await post(running, traces(2).flat())).status).toBe(400)
    to.sink.refuse(new RetryableError('full', { code: Code.RESOURCE_EXHAUSTED, after: 1000 }))
    expect((await post(running, traces(3).flat())).status).toBe(429)
    expect(await running.metric('signals_dropped_total')).toBe(5)
    expect(await running.metric('signals_forwarded_total')).toBe(0)
  })

  test('that comes back gets what the queue on disk holds, after a restart too', async () => {
    await using dir = await tempDir()
    const first = await backend('grpc')
    await first.stop()
    const before = await proxy(dir.path, first.address, ['--queue=disk', '--backend-protocol=grpc'])
    expect((await post(before, traces(2).flat())).status).toBe(200)
    expect((await post(before, logs(3).flat(), 'logs')).status).toBe(200)
    await before.stop()
    await using to = await backend('grpc', Number(first.address.split(':')[1]))
    await using running = await proxy(dir.path, first.address, ['--queue=disk', '--backend-protocol=grpc'])
    await to.sink.received(5)
    expect((await running.json('/api/v1/dictionary')).total).toBe(2)
  })

  test.each(['grpc', 'http'] as const)('that speaks %s is asked so', async protocol => {
    await using dir = await tempDir()
    await using to = await backend(protocol)
    await using running = await proxy(dir.path, to.address)
    const client = await createGrpcClient(
      configure(t.section(grpcClientFields()), { endpoint: running.grpc, tls: { insecure: true } }),
      { clock: systemClock, logger: new RecordingLogger(), userAgent: 'test' },
    )
    const payload = metrics(4)
    await client.call('/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', payload.pieces())
    await client.close()
    expect(to.bytes('metrics')).toEqual([payload.flat()])
    expect(await running.metric('signals_forwarded_total', 'protocol="grpc"')).toBe(4)
  })
})

test('the dictionary and its snapshots survive a restart', async () => {
  await using dir = await tempDir()
  await using to = await backend('grpc')
  const first = await proxy(dir.path, to.address)
  await fetch(`http://${first.http}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: logs(3).flat(),
  })
  await until(async () => (await first.json('/api/v1/dictionary')).total === 2)
  await fetch(`${first.base}/api/v1/snapshots`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"before"}',
  })
  expect(await first.stop()).toBe(0)
  await using second = await proxy(dir.path, to.address)
  expect((await second.json('/readyz')).dictionary_entries).toBe(2)
  expect((await second.json('/api/v1/snapshots')).snapshots).toHaveLength(1)
  const text = await (await fetch(`${second.base}/api/v1/export?format=registry&type=log`)).text()
  expect(text).toContain('log.n')
})

test('a damaged store is set aside, and the service goes on degraded', async () => {
  await using dir = await tempDir()
  await using to = await backend('grpc')
  const first = await proxy(dir.path, to.address)
  await first.stop()
  const [file] = globSync('processor_semconv_dictionary*.mdb', { cwd: dir.path })
  writeFileSync(join(dir.path, file!), Buffer.alloc(8192, 'damaged'))
  await using second = await proxy(dir.path, to.address)
  const { status, components } = await second.json('/readyz')
  expect(status).toBe('ready')
  expect(components).toContainEqual(expect.objectContaining({ name: 'storage', status: 'DEGRADED' }))
  expect(readFileSync(join(dir.path, file!)).subarray(0, 7).toString()).toBe('damaged')
})

test('hostile names and units leave the budget kept and the export valid', async () => {
  await using dir = await tempDir()
  await using to = await backend('grpc')
  await using running = await proxy(dir.path, to.address, ['--global-budget=500'])
  const nasty = [
    '__proto__',
    'constructor',
    '- a: b',
    '"',
    '\\',
    '\u0000',
    '\u0085\u2028',
    '#',
    '{}',
    'null',
    '1',
    '~',
    '🎈',
    ' ',
  ]
  const flood = Array.from({ length: 3000 }, (_, n) => `user.${n}.clicks`)
  const all = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 'v']))
  const attributes = all([...nasty, 'x'.repeat(65_536), ''])
  const gauge = { dataPoints: [aPoint({ attributes })] }
  const requests = [
    ['logs', payloadOf('logs', logsOf([aLog({ attributes }), aLog({ attributes: all([...nasty, ...flood]) })]))],
    ['traces', payloadOf('traces', tracesOf([aSpan({ attributes })]))],
    ['metrics', payloadOf('metrics', metricsOf(nasty.map(name => ({ name, unit: name, description: name, gauge }))))],
  ] as const
  for (const [signal, payload] of requests) {
    const headers = { 'content-type': 'application/x-protobuf' }
    const answer = await fetch(`http://${running.http}/v1/${signal}`, { method: 'POST', headers, body: payload.flat() })
    expect(answer.status).toBe(200)
    await until(() => to.bytes(signal).length === 1)
    expect(to.bytes(signal)[0]!.equals(payload.flat())).toBe(true)
  }
  await until(async () => (await running.metric('pipeline_analyzed_total')) === 3 + nasty.length)
  expect((await running.json('/api/v1/cardinality')).utilization_pct).toBeLessThanOrEqual(100)
  const exported = await (await fetch(`${running.base}/api/v1/export?format=registry`)).text()
  expect(validateRegistry(exported)).toEqual([])
  const kept = (await running.json('/api/v1/dictionary?limit=1000')).entries.map((each: { name: string }) => each.name)
  expect(kept).toEqual(expect.arrayContaining(nasty))
})
