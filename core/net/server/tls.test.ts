import { copyFile, readFile } from 'node:fs/promises'
import * as https from 'node:https'
import { connect } from 'node:tls'
import * as grpc from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { configure, FakeClock, tempDir, until } from '#core/testing'
import { serverTls } from '../tls-options.ts'
import { grpcPeer, h2Peer, rawPeer, testServer } from './testdata/harness.ts'

const DIR = `${import.meta.dirname}/../testdata`
const file = (name: string) => `${DIR}/${name}`
const HELLO = Buffer.from('hello')
const CA = await readFile(file('ca.pem'))

const tls = (written: object = {}) =>
  configure(serverTls, { cert_file: file('server.pem'), key_file: file('server.key'), ...written })

/** A request over HTTP/1.1 with a connection of its own. */
function request(port: number, options: https.RequestOptions = {}): Promise<{ status: number; serial: string }> {
  return new Promise((resolve, reject) => {
    const sent = https.request(
      { host: '127.0.0.1', port, method: 'POST', ca: CA, agent: false, ...options },
      answer => {
        const { serialNumber: serial } = (answer.socket as ReturnType<typeof connect>).getPeerCertificate()
        answer.resume().on('end', () => resolve({ status: answer.statusCode!, serial }))
      },
    )
    sent.on('error', reject).end('x')
  })
}

describe('a port with TLS', () => {
  test('serves gRPC, HTTP/2 and HTTP/1.1 by ALPN', async () => {
    await using server = await testServer({ tls: tls() })
    using peer = grpcPeer(server.port, { credentials: grpc.credentials.createSsl(CA) })
    expect(await peer.call(HELLO)).toEqual(HELLO)
    expect((await request(server.port)).status).toBe(200)
    using h2 = await h2Peer(`https://127.0.0.1:${server.port}`, { ca: CA })
    expect((await h2.request({ ':method': 'POST', ':path': '/' }, HELLO)).text).toBe('hello')
    expect(server.seen[0]!.context.clientAddress).toMatch(/^127\.0\.0\.1:\d+$/)
  })

  test('offers HTTP/2 only where it speaks gRPC only', async () => {
    await using server = await testServer({ tls: tls(), http: false })
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: CA, ALPNProtocols: ['http/1.1'] })
    const error = await new Promise<Error>(resolve => socket.on('error', resolve))
    expect(error.message).toMatch(/no application protocol/)
    using peer = grpcPeer(server.port, { credentials: grpc.credentials.createSsl(CA) })
    expect(await peer.call(HELLO)).toEqual(HELLO)
  })

  test('says so when somebody speaks plaintext to it', async () => {
    await using server = await testServer({ tls: tls() })
    using peer = await rawPeer(server.port)
    peer.socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\n')
    await peer.closed
    await until(() => server.logger.messages('warn').length > 0)
    expect(server.logger.messages('warn')).toEqual(['A client speaks plaintext to a port with TLS'])
  })

  test('is not harmed by a connection that resets in the handshake', async () => {
    await using server = await testServer({ tls: tls() })
    using reset = await rawPeer(server.port)
    reset.socket.write(Buffer.from([22, 3, 1, 2]))
    reset.socket.resetAndDestroy()
    await reset.closed
    expect((await request(server.port)).status).toBe(200)
  })

  test('drains like any other', async () => {
    const server = await testServer({ tls: tls() })
    using peer = grpcPeer(server.port, { credentials: grpc.credentials.createSsl(CA) })
    await peer.call(HELLO)
    using idle = await h2Peer(`https://127.0.0.1:${server.port}`, { ca: CA })
    await server.close(60_000)
    await until(() => idle.session.destroyed)
  })

  test('speaks no older version than it may', async () => {
    await using server = await testServer({ tls: tls({ min_version: '1.3' }) })
    await expect(request(server.port, { maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol version/)
    expect((await request(server.port)).status).toBe(200)
  })
})

describe('client certificates', () => {
  const client = (name: string) => ({ cert: readFile(file(`${name}.pem`)), key: readFile(file(`${name}.key`)) })

  test('are required and verified once there is an authority for them', async () => {
    await using server = await testServer({ tls: tls({ client_ca_file: file('ca.pem') }) })
    const known = client('client')
    const foreign = client('foreign-client')
    const options = async (of: typeof known) => ({ cert: await of.cert, key: await of.key })
    expect((await request(server.port, await options(known))).status).toBe(200)
    await expect(request(server.port)).rejects.toThrow()
    await expect(request(server.port, await options(foreign))).rejects.toThrow()

    const credentials = grpc.credentials.createSsl(CA, await known.key, await known.cert)
    using good = grpcPeer(server.port, { credentials })
    expect(await good.call(HELLO)).toEqual(HELLO)
    using bad = grpcPeer(server.port, { credentials: grpc.credentials.createSsl(CA) })
    expect((await bad.fail(HELLO)).code).toBe(grpc.status.UNAVAILABLE)
  })
})

test('certificates are read again while connections go on', async () => {
  const clock = new FakeClock()
  await using dir = await tempDir()
  const use = (name: string) =>
    Promise.all(['pem', 'key'].map(end => copyFile(file(`${name}.${end}`), dir.file(`tls.${end}`))))
  await use('server')
  const config = tls({ cert_file: dir.file('tls.pem'), key_file: dir.file('tls.key'), reload_interval: '1m' })
  await using server = await testServer({ tls: config, clock })
  using peer = grpcPeer(server.port, { credentials: grpc.credentials.createSsl(CA) })
  await peer.call(HELLO)
  const { serial: before } = await request(server.port)
  await use('renewed')
  await clock.advance(60_000)
  await until(() => server.logger.messages('info').includes('TLS certificates reloaded'))
  expect((await request(server.port)).serial).not.toBe(before)
  expect(await peer.call(HELLO)).toEqual(HELLO)
})

test('a certificate that cannot be read fails the start and names the file', async () => {
  await expect(testServer({ tls: tls({ cert_file: '/no/such.pem' }) })).rejects.toThrow(/\/no\/such\.pem/)
})
