import * as net from 'node:net'
import * as tls from 'node:tls'
import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { certificate } from '../certificates.test-support.ts'
import { serverTls } from '../tls-options.ts'
import { testServer } from './testdata/harness.ts'

/** A peer that goes away when it has seen the server's certificate, in the middle of the handshake of TLS 1.3. */
function distrustful(port: number): Promise<void> {
  return new Promise(resolve => {
    const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', minVersion: 'TLSv1.3', ca: [] })
    socket.on('error', () => {}).on('close', () => resolve())
  })
}

/** A peer that says nothing. */
function silent(port: number): Promise<net.Socket> {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => {})
  })
}

test('a server that closes does not wait for handshakes that came to nothing', async () => {
  const server = await testServer({ tls: configure(serverTls, certificate('server')) })
  await distrustful(server.port)
  const quiet = await silent(server.port)
  const closed = new Promise(resolve => quiet.on('close', resolve))
  const begun = performance.now()
  await server.close(60_000)
  expect(performance.now() - begun).toBeLessThan(10_000)
  await closed
})
