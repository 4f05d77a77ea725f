import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Code, type Component, type Distribution, defineExtension, PermanentError, systemClock } from '#core/component'
import { t } from '#core/config'
import type { ServerAuthenticator } from '#core/net'
import { tempDir, until } from '#core/testing'
import { authority, certificate } from '../../core/net/certificates.test-support.ts'
import { millrace } from '../../distributions/millrace/index.ts'
import { testIssuer } from '../../extensions/oidc/issuer.test-support.ts'
import { replace, SCHEMES, type Scheme } from './auth-schemes.ts'
import { type RunningCollector, runCollector } from './collector.ts'
import { ask, PROTOCOLS, send } from './sender.ts'

const FREE = '127.0.0.1:0'
const UNAUTHENTICATED = { grpc: 16, http: 401 }
const DENIED = { grpc: 7, http: 403 }
const OK = { grpc: 0, http: 200 }

/** The machine's clock, which can be set forward. */
function forwardableClock() {
  let ahead = 0
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + ahead,
    forward: (ms: number) => {
      ahead += ms
    },
  }
}

/** A collector whose receiver, api and health check ask `scheme` who may come in. */
async function guarded(
  scheme: Pick<Scheme, 'id' | 'options'>,
  clock = forwardableClock(),
  distribution: Distribution = millrace,
) {
  const auth = { authenticator: scheme.id }
  const collector = await runCollector(
    {
      receivers: { otlp: { protocols: { grpc: { endpoint: FREE, auth }, http: { endpoint: FREE, auth } } } },
      exporters: { nop: {} },
      extensions: {
        [scheme.id]: scheme.options,
        api: { endpoint: FREE, auth },
        health_check: { endpoint: FREE, auth },
      },
      service: {
        extensions: ['api', 'health_check', scheme.id],
        pipelines: { traces: { receivers: ['otlp'], exporters: ['nop'] } },
      },
    },
    { clock, distribution },
  )
  return {
    collector,
    clock,
    [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose](),
    /** What the four doors answer to a value of `authorization`: `[gRPC, HTTP, api, health check]`. */
    async doors(authorization: string | undefined) {
      const request = authorization === undefined ? {} : { headers: { authorization } }
      return await Promise.all([
        send('grpc', collector.grpc, request),
        send('http', collector.http, request),
        ask(`http://${collector.listens('api')}/api/v1/components`, request),
        ask(`http://${collector.listens('health_check')}/`, request),
      ])
    },
  }
}

const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status)

function received({ collector }: RunningCollector): number {
  return Object.values(collector.host.ledger().pipelines).reduce((sum, pipeline) => sum + pipeline.received, 0)
}

describe.each(SCHEMES)('a server behind %s authentication', (_name, create) => {
  test('lets in who has the right credentials, and nobody else, over gRPC, HTTP and on its own pages', async () => {
    await using scheme = await create()
    await using it = await guarded(scheme)
    expect(statuses(await it.doors(await scheme.right()))).toEqual([0, 200, 200, 200])
    const nameless = await it.doors(undefined)
    expect(statuses(nameless)).toEqual([16, 401, 401, 401])
    expect(new Set(nameless.slice(1).map(({ challenge }) => challenge))).toEqual(new Set([scheme.challenge]))
    for (const [what, value, told] of scheme.wrong) {
      const answers = await it.doors(await value())
      expect([what, ...statuses(answers)]).toEqual([what, 16, 401, 401, 401])
      for (const { message } of answers) expect(message).toContain(told)
    }
    expect(received(it.collector)).toBe(2)
  })

  test('follows a rotation: the old credentials are refused, the new ones taken', async () => {
    await using scheme = await create()
    await using it = await guarded(scheme)
    const old = await scheme.right()
    expect(statuses(await it.doors(old))).toEqual([0, 200, 200, 200])
    await scheme.rotate()
    const fresh = await scheme.right()
    it.clock.forward(scheme.patience)
    await until(
      async () => (await send('http', it.collector.http, { headers: { authorization: fresh } })).status === 200,
    )
    expect(statuses(await it.doors(fresh))).toEqual([0, 200, 200, 200])
    expect(statuses(await it.doors(old))).toEqual([16, 401, 401, 401])
  })
})

test('a reload with other tokens takes effect at every door, and on what is sent', async () => {
  await using target = await rawBackend()
  const auth = { authenticator: 'bearertokenauth' }
  const config = {
    receivers: { otlp: { protocols: { grpc: { endpoint: FREE, auth }, http: { endpoint: FREE, auth } } } },
    exporters: { otlp_http: { endpoint: target.url, auth } },
    extensions: { bearertokenauth: { token: 'first-token' } },
    service: {
      extensions: ['bearertokenauth'],
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
    },
  }
  await using it = await runCollector(config)
  const passes = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return statuses(await Promise.all(PROTOCOLS.map(protocol => send(protocol, it.last(protocol), { headers }))))
  }
  expect(await passes('first-token')).toEqual([0, 200])
  config.extensions.bearertokenauth.token = 'second-token'
  await it.collector.reload()
  expect(await passes('first-token')).toEqual([16, 401])
  expect(await passes('second-token')).toEqual([0, 200])
  await until(() => target.seen.length === 4)
  const sent = target.seen.map(({ authorization }) => authorization)
  expect(new Set(sent.slice(0, 2))).toEqual(new Set(['Bearer first-token']))
  expect(new Set(sent.slice(2))).toEqual(new Set(['Bearer second-token']))
})

describe('a sender that is known but not allowed', () => {
  const gatekeeper = defineExtension({
    type: 'gatekeeper',
    description: 'Knows everybody and lets nobody in.',
    stability: 'development',
    config: t.section({}),
    create: (): Component & ServerAuthenticator => ({
      authenticate: () => Promise.reject(new PermanentError('not on the list', { code: Code.PERMISSION_DENIED })),
    }),
  })

  test('is told so at every door', async () => {
    const distribution = { ...millrace, extensions: [...millrace.extensions, gatekeeper] }
    await using it = await guarded({ id: 'gatekeeper', options: {} }, undefined, distribution)
    const answers = await it.doors('Bearer x')
    expect(statuses(answers)).toEqual([7, 403, 403, 403])
    for (const { message } of answers) expect(message).toContain('not on the list')
    expect(answers.map(({ challenge }) => challenge)).toEqual(Array(4).fill(undefined))
  })
})

/** Options of an exporter that tells the sender what the backend said. */
const AT_ONCE = { sending_queue: { enabled: false }, retry_on_failure: { enabled: false } }

/** A collector that sends on to `backend` over TLS, as each of `clients` and as `nobody`: through a pipeline each. */
async function forwarder(backend: RunningCollector, clients: Record<string, object>) {
  const lanes = [...Object.keys(clients), 'nobody'].flatMap(client => PROTOCOLS.map(protocol => ({ client, protocol })))
  const target = (protocol: (typeof PROTOCOLS)[number]) => {
    const port = backend[protocol].split(':')[1]
    return protocol === 'grpc' ? `localhost:${port}` : `https://localhost:${port}`
  }
  const exporter = ({ client, protocol }: (typeof lanes)[number]) => `otlp_${protocol}/${client}`
  const of = <T>(make: (lane: (typeof lanes)[number]) => readonly [string, T]) => Object.fromEntries(lanes.map(make))
  const tls = { ca_file: authority('ca') }
  const collector = await runCollector({
    receivers: of(lane => [`otlp/${lane.client}-${lane.protocol}`, { protocols: { http: { endpoint: FREE } } }]),
    exporters: of(lane => [
      exporter(lane),
      {
        endpoint: target(lane.protocol),
        tls,
        ...AT_ONCE,
        ...(lane.client === 'nobody' ? {} : { auth: { authenticator: lane.client } }),
      },
    ]),
    extensions: clients,
    service: {
      extensions: Object.keys(clients),
      pipelines: of(lane => [
        `traces/${lane.client}-${lane.protocol}`,
        { receivers: [`otlp/${lane.client}-${lane.protocol}`], exporters: [exporter(lane)] },
      ]),
    },
  })
  return {
    collector,
    [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose](),
    /** What a sender is told whose span is sent on as `client`: by gRPC, and by HTTP. */
    as: (client: string) =>
      Promise.all(
        PROTOCOLS.map(async protocol => (await send('http', collector.listens(`otlp/${client}-${protocol}`))).status),
      ),
  }
}

/** A collector that asks `scheme` who may come in, over TLS. */
async function backendBehind({ id, options }: Pick<Scheme, 'id' | 'options'>) {
  const server = { endpoint: FREE, tls: certificate('server'), auth: { authenticator: id } }
  return await runCollector({
    receivers: { otlp: { protocols: { grpc: server, http: server } } },
    exporters: { nop: {} },
    extensions: { [id]: options },
    service: { extensions: [id], pipelines: { traces: { receivers: ['otlp'], exporters: ['nop'] } } },
  })
}

describe.each(SCHEMES)('exporters to a backend behind %s authentication', (name, create) => {
  test('send what the right client says; senders of others hear the refusal; rotated files are followed', async () => {
    await using scheme = await create()
    await using dir = await tempDir()
    await using backend = await backendBehind(scheme)
    const publish = async () => {
      const [, credentials] = (await scheme.right()).split(' ') as [string, string]
      const secret = name === 'basic' ? Buffer.from(credentials, 'base64').toString().split(':')[1]! : credentials
      await replace(dir, 'secret', secret)
    }
    await publish()
    const secret = dir.file('secret')
    const client = (right: boolean) =>
      name === 'basic'
        ? { client_auth: { username: 'agent', password: 'guessed', ...(right ? { password_file: secret } : {}) } }
        : { token: 'guessed', ...(right ? { filename: secret } : {}) }
    const type = name === 'basic' ? 'basicauth' : 'bearertokenauth'
    const [right, wrong] = [`${type}/right`, `${type}/wrong`]
    await using front = await forwarder(backend, { [right]: client(true), [wrong]: client(false) })
    expect(await front.as(right)).toEqual([200, 200])
    expect(await front.as(wrong)).toEqual([401, 401])
    expect(await front.as('nobody')).toEqual([401, 401])
    expect(received(backend)).toBe(2)
    // The keys of an issuer change by themselves; what a client's file has is a token that ends.
    if (name === 'oidc') await replace(dir, 'secret', (await scheme.wrong[0]![1]()).split(' ')[1]!)
    else await scheme.rotate()
    await until(async () => (await front.as(right)).join() === '401,401')
    await publish()
    await until(async () => (await front.as(right)).join() === '200,200')
  }, 30_000)
})

describe('exporters', () => {
  test('hand on what a backend refuses for good: 7 and 403', async () => {
    await using backend = await rawBackend(403)
    await using front = await runCollector({
      receivers: { otlp: { protocols: { grpc: { endpoint: FREE }, http: { endpoint: FREE } } } },
      exporters: { otlp_http: { endpoint: backend.url, ...AT_ONCE } },
      service: { pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } } },
    })
    for (const protocol of PROTOCOLS) {
      expect((await send(protocol, front[protocol])).status).toBe(DENIED[protocol])
    }
  })

  test('with secrets refuse to start over gRPC without TLS', async () => {
    const start = runCollector({
      receivers: { otlp: { protocols: { http: { endpoint: FREE } } } },
      exporters: {
        otlp_grpc: { endpoint: '127.0.0.1:1', tls: { insecure: true }, auth: { authenticator: 'bearertokenauth' } },
      },
      extensions: { bearertokenauth: { token: 'x' } },
      service: {
        extensions: ['bearertokenauth'],
        pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_grpc'] } },
      },
    })
    await expect(start).rejects.toThrow('the credentials require transport level security')
  })
})

/** A server that answers every request with `status` and remembers their headers. */
async function rawBackend(status = 200) {
  const seen: http.IncomingHttpHeaders[] = []
  const server = http.createServer((request, response) => {
    seen.push(request.headers)
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

test.each(PROTOCOLS)('over %s, whose data it is reaches the backend as headers', async protocol => {
  await using issuer = await testIssuer()
  await using backend = await rawBackend()
  const server = { endpoint: FREE, include_metadata: true, auth: { authenticator: 'oidc' } }
  await using gateway = await runCollector({
    receivers: { otlp: { protocols: { [protocol]: server } } },
    exporters: {
      otlp_http: { endpoint: backend.url, headers: { 'x-debug': '1' }, auth: { authenticator: 'headers_setter' } },
    },
    extensions: {
      oidc: { providers: [{ issuer_url: issuer.url, audience: 'collector', groups_claim: 'groups' }] },
      bearertokenauth: { token: 'our own' },
      headers_setter: {
        additional_auth: 'bearertokenauth',
        headers: [
          { action: 'upsert', key: 'X-Tenant', from_context: 'auth.claims.org.name' },
          { action: 'upsert', key: 'X-Groups', from_attribute: 'membership' },
          { action: 'upsert', key: 'X-Region', from_context: 'x-region' },
          { action: 'insert', key: 'X-Plan', from_context: 'x-plan', default_value: 'free' },
          { action: 'delete', key: 'X-Debug' },
        ],
      },
    },
    service: {
      extensions: ['headers_setter', 'bearertokenauth', 'oidc'],
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
    },
  })
  const token = await issuer.token({ org: { name: 'acme' }, groups: ['dev', 'ops'] })
  const headers = { authorization: `Bearer ${token}`, 'x-region': 'eu' }
  expect((await send(protocol, gateway[protocol], { headers })).status).toBe(OK[protocol])
  await until(() => backend.seen.length === 1)
  expect(backend.seen[0]).toMatchObject({
    authorization: 'Bearer our own',
    'x-tenant': 'acme',
    'x-groups': '["dev","ops"]',
    'x-region': 'eu',
    'x-plan': 'free',
  })
  expect(backend.seen[0]).not.toHaveProperty('x-debug')
  expect((await send(protocol, gateway[protocol])).status).toBe(UNAUTHENTICATED[protocol])
})
