import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import * as net from 'node:net'
import * as grpc from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { Code } from '#core/component'
import { authority, type Certificate, certificate } from '../certificates.test-support.ts'
import { deadPort, grpcClient, grpcJsServer, METHOD, type Peer, refusal } from './rig.test-support.ts'

function credentials(name: Certificate, clientCa?: 'ca' | 'other-ca'): grpc.ServerCredentials {
  const { cert_file, key_file } = certificate(name)
  const pair = { cert_chain: readFileSync(cert_file), private_key: readFileSync(key_file) }
  const ca = clientCa === undefined ? null : readFileSync(authority(clientCa))
  return grpc.ServerCredentials.createSsl(ca, [pair], clientCa !== undefined)
}

/** What a call over TLS gives: the answer or why there is none. */
async function call(endpoint: string, tls: object): Promise<string> {
  await using client = await grpcClient({ endpoint, tls })
  return await client.call(METHOD, [Buffer.from('hello')], { timeout: 10_000 }).then(
    answer => answer.toString(),
    error => `${error.code}: ${error.message}`,
  )
}

const CA = { ca_file: authority('ca') }

describe('TLS', () => {
  test.each<[string, Certificate, object, RegExp]>([
    ['a trusted server', 'server', CA, /^hello$/],
    ['an untrusted server', 'foreign', CA, /^14: Could not connect to .*: unable to verify the first certificate$/],
    ['an expired certificate', 'expired', CA, /^14: Could not connect to .*certificate has expired$/],
    ['a certificate for another name', 'elsewhere', CA, /^14: .*does not match certificate's altnames/],
    ['an overridden name', 'elsewhere', { ...CA, server_name_override: 'elsewhere.example' }, /^hello$/],
    ['no verification', 'foreign', { insecure_skip_verify: true }, /^hello$/],
    ['plaintext to a TLS port', 'server', { insecure: true }, /^14: Could not connect to /],
  ])('%s', async (_, name, tls, result) => {
    await using server = await grpcJsServer(undefined, { credentials: credentials(name) })
    expect(await call(server.endpoint, tls)).toMatch(result)
  })

  test('https:// asks for it whatever insecure says, http:// does not switch it off', async () => {
    await using server = await grpcJsServer(undefined, { credentials: credentials('server') })
    expect(await call(`https://${server.endpoint}`, { insecure: true })).toMatch(/unable to verify/)
    expect(await call(`https://${server.endpoint}`, { insecure: true, insecure_skip_verify: true })).toBe('hello')
    expect(await call(`http://${server.endpoint}`, { ...CA, insecure: false })).toBe('hello')
  })

  test('to a plaintext port fails', async () => {
    await using server = await grpcJsServer()
    expect(await call(server.endpoint, CA)).toMatch(/^14: Could not connect to /)
  })

  test('without HTTP/2 is told as such', async () => {
    const { cert_file, key_file } = certificate('server')
    const server = https.createServer({ cert: readFileSync(cert_file), key: readFileSync(key_file) })
    await using peer = await listening(server)
    expect(await call(peer.endpoint, CA)).toMatch(/^14: Could not connect to .*(ALPN|alert no application protocol)/)
  })
})

describe('a server that wants certificates', () => {
  test.each<[string, object, RegExp]>([
    ['takes those of its authority', { ...CA, ...certificate('client') }, /^hello$/],
    ['refuses others', { ...CA, ...certificate('foreign-client') }, /^14: /],
    ['refuses none, and says so', CA, /^14: Could not connect to .*: tlsv13 alert certificate required$/],
  ])('%s', async (_, tls, result) => {
    await using server = await grpcJsServer(undefined, { credentials: credentials('server', 'ca') })
    expect(await call(server.endpoint, tls)).toMatch(result)
  })
})

async function listening(server: http.Server): Promise<Peer> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    port,
    endpoint: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

describe('through a proxy', () => {
  /** A proxy that leads everything to one port and remembers what it was asked. */
  async function proxy(port: number, refuse?: number) {
    const asked: (string | undefined)[] = []
    const server = http.createServer()
    server.on('connect', (request, socket) => {
      asked.push(request.url, request.headers['proxy-authorization'])
      if (refuse !== undefined) return void socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`)
      const onward = net.connect(port, '127.0.0.1')
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
      onward.on('connect', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
    })
    return Object.assign(await listening(server), { asked })
  }

  test('calls arrive, by name, with the proxy’s user', async () => {
    await using server = await grpcJsServer(undefined, { credentials: credentials('elsewhere') })
    await using via = await proxy(server.port)
    const environment = { HTTPS_PROXY: `http://user:p%40ss@${via.endpoint}` }
    await using client = await grpcClient({ endpoint: 'elsewhere.example:4317', tls: CA }, { environment })
    expect((await client.call(METHOD, [Buffer.from('hello')])).toString()).toBe('hello')
    expect(via.asked).toEqual(['elsewhere.example:4317', `Basic ${Buffer.from('user:p@ss').toString('base64')}`])
    expect(server.calls[0]!.getHost()).toBe('elsewhere.example:4317')
  })

  test('a refusal and an absent proxy are told', async () => {
    await using via = await proxy(1, 407)
    for (const [endpoint, why] of [
      [via.endpoint, 'CONNECT was answered with 407'],
      [`127.0.0.1:${await deadPort()}`, 'connect ECONNREFUSED'],
    ] as const) {
      const environment = { https_proxy: endpoint }
      await using client = await grpcClient({ endpoint: 'backend.example:4317' }, { environment })
      const [, code, message] = await refusal(client.call(METHOD, []))
      expect(code).toBe(Code.UNAVAILABLE)
      expect(message).toContain(`Could not connect to backend.example:4317: proxy ${endpoint}: ${why}`)
    }
  })
})
