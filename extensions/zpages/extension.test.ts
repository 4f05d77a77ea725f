import { describe, expect, test } from 'vitest'
import { type Consumers, systemClock } from '#core/component'
import { build } from '#core/data'
import { configure, TestHost, testContext } from '#core/testing'
import { zpagesConfig } from './config.ts'
import { ZpagesExtension } from './extension.ts'

const exporter = { kind: 'exporter', id: 'otlp/<b>', config: 'endpoint: "[REDACTED]"\n' } as const
const receiver = { kind: 'receiver', id: 'otlp', config: '{}\n' } as const
const OVERVIEW = {
  startTime: Date.UTC(2026, 0, 1),
  pipelines: [{ id: 'traces/a', signal: 'traces', receivers: [receiver], processors: [], exporters: [exporter] }],
  extensions: [{ kind: 'extension', id: 'zpages', config: 'endpoint: localhost:55679\n' }],
  featureGates: [{ id: 'a.gate', description: 'Does x', stage: 'Alpha', enabled: true }],
} as const

async function start(written: object = {}) {
  const host = new TestHost()
  host.shown = OVERVIEW
  const config = configure(zpagesConfig, { endpoint: '127.0.0.1:0', ...written })
  const extension = new ZpagesExtension(config, testContext({ id: 'zpages', kind: 'processor', clock: systemClock }))
  await extension.start(host)
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://${extension.address}/debug/${path}`, init)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return { host, extension, get, [Symbol.asyncDispose]: () => extension.shutdown() }
}

/** A span of so many nanoseconds, as own telemetry hands it over. */
async function made(host: TestHost, name: string, duration: bigint, message?: string): Promise<void> {
  const start = 1_767_225_600_000_000_000n
  const span = {
    traceId: Buffer.alloc(16, 0xab),
    spanId: Buffer.alloc(8, 0xcd),
    name,
    startTimeUnixNano: start,
    endTimeUnixNano: start + duration,
    attributes: [{ key: 'transport', value: { stringValue: 'grpc' } }],
    ...(message === undefined ? {} : { status: { code: 2, message } }),
  }
  const payload = build('traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  for (const next of host.subscribers) await (next as Consumers).traces?.consume(payload, { metadata: new Map() })
}

describe('the pages', () => {
  test('tell of the service, its pipelines, extensions and features', async () => {
    await using zpages = await start()
    const service = await zpages.get('servicez')
    expect(service.status).toBe(200)
    expect(service.text).toContain('Millrace under test')
    expect(service.text).toContain('2026-01-01T00:00:00.000Z')
    expect((await zpages.get('pipelinez')).text).toContain('traces/a')
    expect((await zpages.get('extensionz')).text).toContain('zpages')
    expect((await zpages.get('featurez')).text).toContain('<td>a.gate</td><td>true</td><td>Alpha</td><td>Does x</td>')
  })

  test('show one component with its status and its configuration', async () => {
    await using zpages = await start()
    const instance = { kind: 'exporter', id: 'otlp/<b>', pipelines: ['traces/a'] } as const
    zpages.host.emit(instance, { status: 'RecoverableError', error: new Error('backend is away') })
    const query = new URLSearchParams({
      zpipelinename: 'traces/a',
      zcomponentname: 'otlp/<b>',
      zcomponentkind: 'exporter',
    })
    const { text } = await zpages.get(`pipelinez?${query}`)
    expect(text).toContain('Status: RecoverableError: backend is away')
    expect(text).toContain('<pre>endpoint: &#34;[REDACTED]&#34;')
    expect((await zpages.get('extensionz?zextensionname=zpages')).text).toContain('endpoint: localhost:55679')
    expect((await zpages.get('pipelinez?zcomponentname=nobody')).status).toBe(200)
  })

  test('escape what they show, and allow no scripts', async () => {
    await using zpages = await start()
    const { text, headers } = await zpages.get('pipelinez')
    expect(text).not.toContain('<b>')
    expect(text).toContain('otlp/&#60;b&#62;')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toMatch(/<script|https?:\/\//)
  })

  test('other paths and methods are refused', async () => {
    await using zpages = await start()
    expect((await zpages.get('other')).status).toBe(404)
    expect((await zpages.get('expvarz')).status).toBe(404)
    expect((await zpages.get('servicez', { method: 'POST' })).status).toBe(405)
    expect((await zpages.get('servicez', { method: 'HEAD' })).text).toBe('')
  })

  test('expvarz tells figures of the process when asked to', async () => {
    await using zpages = await start({ expvar: { enabled: true } })
    const { headers, text } = await zpages.get('expvarz')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(JSON.parse(text)).toMatchObject({ memstats: { rss: expect.any(Number) } })
    expect(text).not.toContain(process.env.PATH ?? 'PATH')
  })
})

describe('tracez', () => {
  test('counts own spans by latency and error and shows samples', async () => {
    await using zpages = await start()
    await made(zpages.host, 'receiver/otlp/TraceDataReceived', 50_000n)
    await made(zpages.host, 'receiver/otlp/TraceDataReceived', 60_000n)
    await made(zpages.host, 'receiver/otlp/TraceDataReceived', 2_000_000_000n)
    await made(zpages.host, 'receiver/otlp/TraceDataReceived', 5n, 'queue is full')
    const { text } = await zpages.get('tracez')
    const row = /<tr><td>receiver\/otlp\/TraceDataReceived<\/td>(.*)<\/tr>/.exec(text)?.[1] ?? ''
    const cells = [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => />(\d+)</.exec(cell ?? '')?.[1] ?? '')
    expect(cells).toEqual(['', '2', '', '', '', '', '1', '', '', '1'])
    const href = (kind: string) => /href="\?([^"]*)"/.exec(row.slice(row.lastIndexOf(kind)))?.[1]
    const errors = await zpages.get(`tracez?${href('<td><a')?.replaceAll('&#38;', '&')}`)
    expect(errors.text).toContain('queue is full')
    expect(errors.text).toContain('transport = grpc')
    expect(errors.text).toContain('ab'.repeat(16))
  })

  test('ends with the extension', async () => {
    const zpages = await start()
    await zpages.extension.shutdown()
    expect(zpages.host.watchers).toBe(0)
    await expect(zpages.get('tracez')).rejects.toThrow()
  })
})
