import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Code, NO_CONTEXT, systemClock } from '#core/component'
import { SIGNALS, type Signal } from '#core/data'
import { configure, decodeOtlp, payloadFor, Sink, TestHost, testContext, until } from '#core/testing'
import { otlpReceiver } from '../../receivers/otlp/index.ts'
import { otlpHttpConfig } from './config.ts'
import { otlpHttpExporter } from './index.ts'

/** An OTLP receiver that hands everything to `sink`. */
async function receiver(sink = new Sink(), written: object = {}) {
  const context = testContext({ id: 'otlp', kind: 'receiver', signals: SIGNALS, clock: systemClock })
  const config = configure(otlpReceiver.config, { protocols: { http: { endpoint: '127.0.0.1:0', ...written } } })
  const next = Object.fromEntries(SIGNALS.map(signal => [signal, sink]))
  const component = otlpReceiver.create(config, next, context)
  await component.start?.(new TestHost())
  const bound = context.logger.lines.map(line => String(line.fields.endpoint)).find(endpoint => /:\d+$/.test(endpoint))
  return { sink, url: `http://${bound}`, [Symbol.asyncDispose]: async () => component.shutdown?.() }
}

interface Seen {
  readonly url: string | undefined
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** A server that answers as told. */
async function server(answer: (response: http.ServerResponse, count: number) => void = response => response.end()) {
  const seen: Seen[] = []
  const listening = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) })
      answer(response, seen.length)
    })
  })
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return {
    seen,
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections()
      await new Promise(resolve => listening.close(resolve))
    },
  }
}

async function exporter(written: object, host = new TestHost()) {
  const context = testContext({ id: 'otlp_http', kind: 'exporter', signals: SIGNALS, clock: systemClock })
  const component = otlpHttpExporter.create(configure(otlpHttpConfig, written), context)
  await component.start?.(host)
  return {
    context,
    send: (signal: Signal = 'traces') => component.consume(payloadFor(signal), NO_CONTEXT),
    [Symbol.asyncDispose]: async () => component.shutdown?.(),
  }
}

/** Without queue and retry a sender hears what the destination said. */
const DIRECT = { sending_queue: { enabled: false }, retry_on_failure: { enabled: false } }
const COMPRESSIONS = ['gzip', 'zlib', 'deflate', 'snappy', 'x-snappy-framed', 'zstd', 'lz4', 'none'] as const

describe.each(['proto', 'json'])('encoded as %s', encoding => {
  test.each(COMPRESSIONS)('everything arrives, compressed by %s', async compression => {
    await using peer = await receiver()
    await using out = await exporter({ endpoint: peer.url, encoding, compression, ...DIRECT })
    for (const signal of ['traces', 'metrics', 'logs'] as const) {
      await out.send(signal)
      const arrived = peer.sink.payloads.at(-1)!
      expect(arrived.signal).toBe(signal)
      expect(decodeOtlp(signal, arrived.flat())).toEqual(decodeOtlp(signal, payloadFor(signal).flat()))
      if (encoding === 'proto') expect(arrived.flat().equals(payloadFor(signal).flat())).toBe(true)
    }
  })
})

test('requests look as OTLP/HTTP wants them', async () => {
  await using peer = await server()
  await using out = await exporter({ endpoint: peer.url, headers: { 'Api-Key': 'k' }, ...DIRECT })
  for (const signal of SIGNALS) await out.send(signal)
  expect(peer.seen.map(request => request.url)).toEqual([
    '/v1/traces',
    '/v1/metrics',
    '/v1/logs',
    '/v1development/profiles',
  ])
  const [{ headers, body } = expect.unreachable()] = peer.seen
  expect(headers).toMatchObject({
    'content-type': 'application/x-protobuf',
    'content-encoding': 'gzip',
    'content-length': String(body.length),
    'api-key': 'k',
  })
  expect(headers['user-agent']).toMatch(/^Millrace under test\/0\.0\.0-test \(\w+\/\w+\)$/)
  expect(gunzipSync(body).equals(payloadFor('traces').flat())).toBe(true)
})

test('JSON is announced as such', async () => {
  await using peer = await server()
  const endpoints = { endpoint: peer.url, traces_endpoint: `${peer.url}/in?x=1` }
  await using out = await exporter({ ...endpoints, encoding: 'json', ...DIRECT })
  await out.send()
  expect(peer.seen[0]).toMatchObject({ url: '/in?x=1', headers: { 'content-type': 'application/json' } })
})

test('what was sent is counted with the URL', async () => {
  await using peer = await server()
  await using out = await exporter({ endpoint: peer.url })
  await out.send()
  const labels = { 'server.address': '127.0.0.1', 'server.port': String(peer.port), 'url.path': '/v1/traces' }
  await until(() => out.context.meter.value('otelcol_exporter_sent_spans', labels) === 1)
})

describe('what the destination says', () => {
  test('is told to a sender that waits', async () => {
    await using peer = await server(response => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"code":3,"message":"bad span"}')
    })
    await using out = await exporter({ endpoint: peer.url, ...DIRECT })
    await expect(out.send()).rejects.toMatchObject({
      name: 'PermanentError',
      code: Code.INVALID_ARGUMENT,
      message: expect.stringContaining(
        `error exporting items, request to ${peer.url}/v1/traces responded with HTTP Status Code 400, Message=bad span, Details=[]`,
      ),
    })
  })

  test('never shows the password of the URL', async () => {
    await using peer = await server(response => response.writeHead(500).end())
    const endpoint = peer.url.replace('://', '://user:hunter2@')
    await using out = await exporter({ endpoint, ...DIRECT })
    const error = await out.send().catch(reason => reason)
    expect(error.message).toContain('HTTP Status Code 500')
    expect(JSON.stringify([error.message, out.context.logger.lines])).not.toContain('hunter2')
  })

  test('is heeded: 503 is tried again after Retry-After', async () => {
    const times: number[] = []
    await using peer = await server((response, count) => {
      times.push(performance.now())
      if (count === 1) response.writeHead(503, { 'retry-after': '1' }).end()
      else response.end()
    })
    const retry_on_failure = { initial_interval: '1ms', max_interval: '1ms' }
    await using out = await exporter({ endpoint: peer.url, retry_on_failure })
    await out.send()
    await until(() => times.length === 2)
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990)
  })

  test('in part is a warning', async () => {
    await using peer = await server(response => {
      response.setHeader('content-type', 'application/json')
      response.end('{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"one is too old"}}')
    })
    await using out = await exporter({ endpoint: peer.url, ...DIRECT })
    await out.send('logs')
    expect(out.context.logger.lines.filter(line => line.level === 'warn')).toMatchObject([
      { message: 'Partial success response', fields: { message: 'one is too old', dropped_log_records: 1 } },
    ])
  })

  test('as a warning alone is logged too', async () => {
    await using peer = await server(response => {
      response.setHeader('content-type', 'application/json')
      response.end('{"partialSuccess":{"errorMessage":"soon full"}}')
    })
    await using out = await exporter({ endpoint: peer.url, ...DIRECT })
    await out.send('logs')
    expect(out.context.logger.lines.filter(line => line.level === 'warn')).toMatchObject([
      { message: 'Partial success response', fields: { message: 'soon full' } },
    ])
  })
})

test('a server that does not answer fails the attempt after the timeout', async () => {
  await using peer = await server(() => {})
  await using out = await exporter({ endpoint: peer.url, timeout: '100ms', ...DIRECT })
  await expect(out.send()).rejects.toMatchObject({ name: 'RetryableError', code: Code.DEADLINE_EXCEEDED })
})

test('an exporter cannot be made for a signal without an endpoint', () => {
  const context = testContext({ id: 'otlp_http', kind: 'exporter', signals: ['logs'] })
  const config = configure(otlpHttpConfig, { traces_endpoint: 'http://a:1/x' })
  expect(() => otlpHttpExporter.create(config, context)).toThrow('either endpoint or logs_endpoint must be specified')
})
