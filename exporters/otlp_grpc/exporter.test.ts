import { describe, expect, test } from 'vitest'
import { Code, NO_CONTEXT, PartialError, PermanentError, RetryableError, systemClock } from '#core/component'
import { admit, SIGNALS, type Signal } from '#core/data'
import { resolveServerAuthenticator } from '#core/net'
import { configure, payloadFor, Sink, TestHost, testContext, until } from '#core/testing'
import { otlpReceiver } from '../../receivers/otlp/index.ts'
import { otlpGrpcConfig } from './config.ts'
import { otlpGrpcExporter } from './index.ts'

/** An OTLP receiver that hands everything to `sink`. */
async function receiver(sink = new Sink(), written: object = {}) {
  const context = testContext({ id: 'otlp', kind: 'receiver', signals: SIGNALS, clock: systemClock })
  const config = configure(otlpReceiver.config, { protocols: { grpc: { endpoint: '127.0.0.1:0', ...written } } })
  const next = Object.fromEntries(SIGNALS.map(signal => [signal, sink]))
  const component = otlpReceiver.create(config, next, context)
  await component.start?.(new TestHost())
  const bound = context.logger.lines.map(line => String(line.fields.endpoint)).find(endpoint => /:\d+$/.test(endpoint))
  return { sink, endpoint: bound!, [Symbol.asyncDispose]: async () => component.shutdown?.() }
}

async function exporter(written: object, host = new TestHost()) {
  const context = testContext({ id: 'otlp_grpc', kind: 'exporter', signals: SIGNALS, clock: systemClock })
  const config = configure(otlpGrpcConfig, { tls: { insecure: true }, ...written })
  const component = otlpGrpcExporter.create(config, context)
  await component.start?.(host)
  return {
    context,
    component,
    send: (signal: Signal = 'traces') => component.consume(payloadFor(signal), NO_CONTEXT),
    [Symbol.asyncDispose]: async () => component.shutdown?.(),
  }
}

/** A payload of each signal; the profiles hold one sample. */
const ALL = [
  ...(['traces', 'metrics', 'logs'] as const).map(payloadFor),
  admit('profiles', Buffer.from('0a06120412021200', 'hex')).payload,
]

/** Without queue and retry a sender hears what the destination said. */
const DIRECT = { sending_queue: { enabled: false }, retry_on_failure: { enabled: false } }

test.each(['gzip', 'zstd', 'snappy', 'none'])(
  'every signal arrives byte for byte, compressed by %s',
  async compression => {
    await using peer = await receiver()
    await using out = await exporter({ endpoint: peer.endpoint, compression })
    for (const payload of ALL) await out.component.consume(payload, NO_CONTEXT)
    await until(() => peer.sink.payloads.length === ALL.length)
    for (const sent of ALL) {
      const arrived = peer.sink.payloads.find(payload => payload.signal === sent.signal)
      expect(arrived?.flat().equals(sent.flat())).toBe(true)
    }
  },
)

test('what was sent is counted with the address of the server', async () => {
  await using peer = await receiver()
  await using out = await exporter({ endpoint: peer.endpoint })
  await out.send()
  await until(() => peer.sink.items > 0)
  const [address, port] = peer.endpoint.split(':')
  const labels = { 'server.address': address!, 'server.port': port! }
  await until(() => out.context.meter.value('otelcol_exporter_sent_spans', labels) === peer.sink.items)
})

describe('what the destination says', () => {
  test.each([
    ['permanent', new PermanentError('bad', { code: Code.INVALID_ARGUMENT }), { name: 'PermanentError', code: 3 }],
    ['retryable', new RetryableError('later', { after: 2000 }), { name: 'RetryableError', code: 14, after: 2000 }],
    ['full', new RetryableError('full', { code: 8, after: 500 }), { name: 'RetryableError', code: 8, after: 500 }],
    ['full, without saying when', new RetryableError('full', { code: 8 }), { name: 'PermanentError', code: 8 }],
  ])('%s', async (_, said, heard) => {
    const sink = new Sink()
    sink.refuse(said)
    await using peer = await receiver(sink)
    await using out = await exporter({ endpoint: peer.endpoint, ...DIRECT })
    const error = await out.send().catch(reason => reason)
    expect(error).toMatchObject(heard)
    expect(error.message).toContain(said.message)
  })

  test('a partial success is a warning', async () => {
    const sink = new Sink()
    sink.refuse(new PartialError(1, 'one span is too old'))
    await using peer = await receiver(sink)
    await using out = await exporter({ endpoint: peer.endpoint, ...DIRECT })
    await out.send()
    expect(out.context.logger.lines.filter(line => line.level === 'warn')).toMatchObject([
      { message: 'Partial success response', fields: { message: 'one span is too old', dropped_spans: 1 } },
    ])
  })
})

test('a refused request is tried again until it arrives', async () => {
  const sink = new Sink()
  let refusals = 2
  sink.refuseWhen(() => (refusals-- > 0 ? new RetryableError('not yet') : undefined))
  await using peer = await receiver(sink)
  const retry_on_failure = { initial_interval: '5ms', max_interval: '5ms' }
  await using out = await exporter({ endpoint: peer.endpoint, retry_on_failure })
  await out.send()
  await until(() => sink.payloads.length === 1)
  expect(sink.calls).toBe(3)
})

test('a server that does not answer fails the attempt after the timeout', async () => {
  const sink = new Sink()
  sink.hold()
  await using peer = await receiver(sink)
  await using out = await exporter({ endpoint: peer.endpoint, timeout: '100ms', ...DIRECT })
  await expect(out.send()).rejects.toMatchObject({ name: 'RetryableError', code: Code.DEADLINE_EXCEEDED })
  sink.release()
})

test('an authenticator extension adds its headers; one that is missing or no such thing is told', async () => {
  await using peer = await receiver(new Sink(), { include_metadata: true })
  const host = new TestHost({ proof: { headers: async () => ({ authorization: 'Bearer x' }) } as object })
  const auth = { authenticator: 'proof' }
  await using out = await exporter({ endpoint: peer.endpoint, auth, headers: { 'X-Tenant': 'a' } }, host)
  await out.send()
  await until(() => peer.sink.contexts.length === 1)
  const { metadata } = peer.sink.contexts[0]!
  expect(metadata.get('authorization')).toEqual(['Bearer x'])
  expect(metadata.get('x-tenant')).toEqual(['a'])
  expect(metadata.get('user-agent')?.[0]).toMatch(/^Millrace under test\/0\.0\.0-test \(\w+\/\w+\)$/)
  await expect(exporter({ endpoint: peer.endpoint, auth })).rejects.toThrow(
    'failed to resolve authenticator "proof": authenticator not found',
  )
  expect(() => resolveServerAuthenticator(auth, host)).toThrow('requested authenticator is not a server authenticator')
})

test('what was merged from several payloads is one request', async () => {
  await using peer = await receiver()
  const batch = { flush_timeout: '20ms', min_size: 1000 }
  await using out = await exporter({ endpoint: peer.endpoint, sending_queue: { batch } })
  await Promise.all(Array.from({ length: 5 }, () => out.send('logs')))
  await until(() => peer.sink.items === 5 * payloadFor('logs').items)
  expect(peer.sink.payloads).toHaveLength(1)
  expect(() => admit('logs', peer.sink.payloads[0]!.flat())).not.toThrow()
})
