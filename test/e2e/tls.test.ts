import { describe, expect, test } from 'vitest'
import { tempDir, until } from '#core/testing'
import { authority, type Certificate, certificate, install } from '../../core/net/certificates.test-support.ts'
import { type RunningCollector, runCollector } from './collector.ts'
import { ask, PROTOCOLS, type Protocol, send } from './sender.ts'

const FREE = '127.0.0.1:0'
const CA = { ca_file: authority('ca') }
const OTHER_CA = { ca_file: authority('other-ca') }
const MUTUAL = { ...certificate('server'), client_ca_file: authority('ca') }
const ARRIVES = 200
const UNREACHABLE = 503

/** A collector that listens as `tls` says; in the clear without it. */
async function backend(tls: object | undefined): Promise<RunningCollector> {
  const server = { endpoint: FREE, ...(tls === undefined ? {} : { tls }) }
  return await runCollector({
    receivers: { otlp: { protocols: { grpc: server, http: server } } },
    exporters: { nop: {} },
    extensions: { api: server },
    service: { extensions: ['api'], pipelines: { traces: { receivers: ['otlp'], exporters: ['nop'] } } },
  })
}

/** A collector that sends on to `back` as `tls` says and tells the sender at once how it went. */
async function forwarder(back: RunningCollector, protocol: Protocol, tls: object, scheme = 'https') {
  const port = back[protocol].split(':')[1]
  const endpoint = protocol === 'grpc' ? `localhost:${port}` : `${scheme}://localhost:${port}`
  const front = await runCollector({
    receivers: { otlp: { protocols: { http: { endpoint: FREE } } } },
    exporters: {
      [`otlp_${protocol}`]: {
        endpoint,
        tls,
        timeout: '10s',
        sending_queue: { enabled: false },
        retry_on_failure: { enabled: false },
      },
    },
    service: { pipelines: { traces: { receivers: ['otlp'], exporters: [`otlp_${protocol}`] } } },
  })
  return {
    /** Status that a sender hears. */
    pass: async () => (await send('http', front.http)).status,
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  }
}

function received({ collector }: RunningCollector): number {
  return collector.host.ledger().pipelines.traces?.received ?? 0
}

const MATRIX: [what: string, server: object | undefined, client: object, scheme: 'http' | 'https', status: number][] = [
  ['plain to plain', undefined, { insecure: true }, 'http', ARRIVES],
  ['TLS to plain', undefined, CA, 'https', UNREACHABLE],
  ['plain to TLS', certificate('server'), { insecure: true }, 'http', UNREACHABLE],
  ['TLS to TLS', certificate('server'), CA, 'https', ARRIVES],
  ['an authority that does not vouch', certificate('server'), OTHER_CA, 'https', UNREACHABLE],
  ['no authority', certificate('server'), {}, 'https', UNREACHABLE],
  ['no verification wanted', certificate('server'), { insecure_skip_verify: true }, 'https', ARRIVES],
  ['a certificate for another name', certificate('elsewhere'), CA, 'https', UNREACHABLE],
  ['an expired certificate', certificate('expired'), CA, 'https', UNREACHABLE],
  ['mutual TLS', MUTUAL, { ...CA, ...certificate('client') }, 'https', ARRIVES],
  ['mutual TLS, no client certificate', MUTUAL, CA, 'https', UNREACHABLE],
  [
    'mutual TLS, client of another authority',
    MUTUAL,
    { ...CA, ...certificate('foreign-client') },
    'https',
    UNREACHABLE,
  ],
  ['TLS 1.3 only', { ...certificate('server'), min_version: '1.3' }, CA, 'https', ARRIVES],
  [
    'no common version',
    { ...certificate('server'), min_version: '1.3' },
    { ...CA, max_version: '1.2' },
    'https',
    UNREACHABLE,
  ],
]

describe.each(PROTOCOLS)('between two collectors over %s', protocol => {
  test.each(MATRIX)('%s', async (_what, server, client, scheme, status) => {
    await using back = await backend(server)
    await using front = await forwarder(back, protocol, client, scheme)
    expect(await front.pass()).toBe(status)
    expect(received(back)).toBe(status === ARRIVES ? 1 : 0)
  })

  test.each<[string, Certificate, 'server' | 'client']>([
    ['server certificate', 'expired', 'server'],
    ['client certificate', 'foreign-client', 'client'],
  ])('a renewed %s is taken up without a restart', async (_what, first, side) => {
    await using dir = await tempDir()
    const files = { ...(await install(first, dir.path)), reload_interval: '50ms' }
    await using back = await backend(side === 'server' ? files : MUTUAL)
    await using front = await forwarder(back, protocol, side === 'server' ? CA : { ...CA, ...files })
    expect(await front.pass()).toBe(UNREACHABLE)
    await install(side === 'server' ? 'renewed' : 'client', dir.path)
    await until(async () => (await front.pass()) === ARRIVES, { what: 'the renewed certificate to be used' })
  })
})

describe('peers that are not ours', () => {
  const [files, foreign] = [
    { ...CA, ...certificate('client') },
    { ...CA, ...certificate('foreign-client') },
  ]

  test('speak TLS with the receiver and the pages', async () => {
    await using back = await backend(certificate('server'))
    const local = (address: string) => address.replace('127.0.0.1', 'localhost')
    expect((await send('grpc', local(back.grpc), { tls: CA })).status).toBe(0)
    expect((await send('http', local(back.http), { tls: CA })).status).toBe(200)
    expect((await ask(`https://${local(back.listens('api'))}/readyz`, { tls: CA })).status).toBe(200)
    expect((await send('grpc', local(back.grpc), { tls: OTHER_CA })).status).toBe(14)
    expect((await send('http', local(back.http), { tls: OTHER_CA })).status).toBe(-1)
    expect((await send('grpc', back.grpc)).status).toBe(14)
    expect((await send('http', back.http)).status).toBe(-1)
    expect((await ask(`http://${back.listens('api')}/readyz`)).status).toBe(-1)
    expect(received(back)).toBe(2)
  })

  test('show their certificates where these are wanted', async () => {
    await using back = await backend(MUTUAL)
    const local = (address: string) => address.replace('127.0.0.1', 'localhost')
    const page = `https://${local(back.listens('api'))}/readyz`
    expect((await send('grpc', local(back.grpc), { tls: files })).status).toBe(0)
    expect((await send('http', local(back.http), { tls: files })).status).toBe(200)
    expect((await ask(page, { tls: files })).status).toBe(200)
    for (const tls of [CA, foreign]) {
      expect((await send('grpc', local(back.grpc), { tls })).status).toBe(14)
      expect((await send('http', local(back.http), { tls })).status).toBe(-1)
      expect((await ask(page, { tls })).status).toBe(-1)
    }
    expect(received(back)).toBe(2)
  })
})
