import { describe, expect, test } from 'vitest'
import { Code, type Component, PermanentError } from '#core/component'
import { TestHost } from '#core/testing'
import { resolveClientAuthenticator, resolveServerAuthenticator } from './auth.ts'
import {
  data,
  FRAME,
  framePeer,
  grpcPeer,
  headers,
  message,
  PREFACE,
  post,
  rst,
  testServer,
} from './server/testdata/harness.ts'

const HELLO = Buffer.from('hello')

describe('a gRPC call', () => {
  const authenticator = {
    async authenticate(headers: ReadonlyMap<string, readonly string[]>) {
      const [token] = headers.get('authorization') ?? []
      if (token === 'forbidden') throw new PermanentError('not for you', { code: Code.PERMISSION_DENIED })
      if (token !== 'secret') throw new Error('who are you')
      return { attribute: (name: string) => (name === 'subject' ? 'alice' : undefined), names: ['subject'] }
    },
  }

  test('lets in whom it knows and tells the pipeline who that is', async () => {
    await using server = await testServer({ authenticator })
    using peer = grpcPeer(server.port)
    expect(await peer.fail(HELLO)).toMatchObject({ code: 16, details: 'who are you' })
    expect(await peer.fail(HELLO, { metadata: { authorization: 'forbidden' } })).toMatchObject({ code: 7 })
    expect(server.seen).toEqual([])
    await peer.call(HELLO, { metadata: { authorization: 'secret' } })
    expect(server.seen[0]!.context.auth?.attribute('subject')).toBe('alice')
    expect([...server.seen[0]!.context.metadata]).toEqual([])
  })

  test('does not lose what arrives while it thinks', async () => {
    const gate = Promise.withResolvers<void>()
    await using server = await testServer({
      authenticator: {
        async authenticate() {
          await gate.promise
          return { attribute: () => undefined, names: [] }
        },
      },
    })
    using peer = grpcPeer(server.port)
    const { answer } = peer.start(Buffer.alloc(500_000))
    using frames = await framePeer(server.port)
    frames.send(PREFACE, headers(1), data(1, message(HELLO)))
    frames.send(headers(3), rst(3, 8))
    await frames.frame(FRAME.SETTINGS)
    gate.resolve()
    expect((await answer).length).toBe(500_000)
    await frames.frame(FRAME.DATA, 1)
  })
})

describe('an HTTP request', () => {
  const authenticator = {
    async authenticate(headers: ReadonlyMap<string, readonly string[]>) {
      if (headers.get('token')?.[0] !== 'secret') throw new Error('who are you')
      return { attribute: () => 'alice', names: ['subject'] }
    },
  }

  test('refuses 401 before the body is read', async () => {
    await using server = await testServer({ authenticator })
    expect(await post(server.url, HELLO)).toMatchObject({ status: 401, text: 'who are you' })
    expect((await post(server.url, HELLO, { token: 'secret' })).status).toBe(200)
    expect(server.seen.map(each => each.context.auth?.attribute('subject'))).toEqual(['alice'])
  })

  test('reads query parameters in place of headers when told to', async () => {
    await using server = await testServer({
      authenticator,
      http: { auth: { authenticator: 'x', request_params: ['token'] } },
    })
    expect((await post(`${server.url}/?token=secret`, HELLO, { token: 'wrong' })).status).toBe(200)
    expect((await post(`${server.url}/?token=wrong`, HELLO, { token: 'secret' })).status).toBe(401)
    expect((await post(server.url, HELLO, { token: 'secret' })).status).toBe(200)
  })
})

describe('an authenticator', () => {
  const server = { authenticate: async () => ({ attribute: () => undefined, names: [] }) } as Component
  const client = { headers: async () => ({}) } as Component
  const host = new TestHost({ server, client })

  test('is found among the extensions', () => {
    expect(resolveServerAuthenticator({ authenticator: 'server' }, host)).toBe(server)
    expect(resolveClientAuthenticator({ authenticator: 'client' }, host)).toBe(client)
    expect(resolveServerAuthenticator(undefined, host)).toBeUndefined()
    expect(resolveClientAuthenticator(undefined, host)).toBeUndefined()
  })

  test('that is missing or of the other kind is named in the Collector’s words', () => {
    expect(() => resolveServerAuthenticator({ authenticator: 'x/y' }, host)).toThrow(
      'failed to resolve authenticator "x/y": authenticator not found',
    )
    expect(() => resolveClientAuthenticator({ authenticator: 'x/y' }, host)).toThrow(
      'failed to resolve authenticator "x/y": authenticator not found',
    )
    expect(() => resolveServerAuthenticator({ authenticator: 'client' }, host)).toThrow(
      'requested authenticator is not a server authenticator',
    )
    expect(() => resolveClientAuthenticator({ authenticator: 'server' }, host)).toThrow(
      'requested authenticator is not a client authenticator',
    )
  })
})
