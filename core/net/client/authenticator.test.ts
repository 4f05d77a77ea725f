import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { ClientAuthenticator, HeaderChanges, Headers } from '../auth.ts'
import { grpcClient, grpcJsServer, httpClient, METHOD, refusal } from './rig.test-support.ts'

/** An authenticator that remembers what it was shown. */
function changing(changes: HeaderChanges): ClientAuthenticator & { readonly shown: Headers[] } {
  const shown: Headers[] = []
  return {
    shown,
    headers: async (_context, request) => {
      shown.push({ ...request })
      return changes
    },
  }
}

/** A server that remembers requests and answers each with `body`. */
async function httpServer(body: Buffer | string = '') {
  const seen: http.IncomingMessage[] = []
  const server = http.createServer((request, response) => {
    seen.push(request)
    request.resume().on('end', () => response.end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/document?a=1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const CHANGES = { 'x-set': 'new', 'x-added': '1', 'x-gone': undefined, 'x-never': undefined }
const HEADERS = { 'X-Set': 'old', 'X-Gone': 'here', 'x-kept': '2' }

test('over HTTP an authenticator sees the headers so far, sets some and takes others away', async () => {
  await using server = await httpServer()
  const authenticator = changing(CHANGES)
  await using client = await httpClient({ headers: HEADERS }, { authenticator })
  await client.post(server.url, [], { 'content-type': 'text/plain' })
  expect(authenticator.shown[0]).toMatchObject({ 'x-set': 'old', 'x-gone': 'here', 'content-type': 'text/plain' })
  expect(server.seen[0]!.headers).toMatchObject({ 'x-set': 'new', 'x-added': '1', 'x-kept': '2' })
  expect(server.seen[0]!.headers).not.toHaveProperty('x-gone')
})

test('over gRPC an authenticator sees the metadata so far, sets some and takes others away', async () => {
  await using server = await grpcJsServer()
  const authenticator = changing({ ...CHANGES, 'content-type': undefined, te: 'x', 'user-agent': undefined })
  await using client = await grpcClient({ endpoint: server.endpoint, headers: HEADERS }, { authenticator })
  await client.call(METHOD, [], { metadata: { 'x-call': '3' } })
  expect(authenticator.shown[0]).toEqual({ 'x-set': 'old', 'x-gone': 'here', 'x-kept': '2', 'x-call': '3' })
  const metadata = server.calls[0]!.metadata.getMap()
  expect(metadata).toMatchObject({
    'x-set': 'new',
    'x-added': '1',
    'x-kept': '2',
    'x-call': '3',
    'user-agent': 'test/1',
  })
  expect(metadata).not.toHaveProperty('x-gone')
})

test('a gRPC client refuses to send secrets without TLS', async () => {
  const authenticator = { ...changing({}), secureOnly: true }
  await expect(grpcClient({ endpoint: '127.0.0.1:1' }, { authenticator })).rejects.toThrow(
    'the credentials require transport level security',
  )
})

test('a document is got without a body, and at most a MiB of it is kept', async () => {
  await using server = await httpServer(Buffer.alloc(2 << 20, 'x'))
  await using client = await httpClient({ compression: 'gzip', headers: { 'x-kept': '2' } })
  const reply = await client.get(server.url, { accept: 'application/json' })
  expect([reply.status, reply.body.length]).toEqual([200, 1 << 20])
  const [{ method, url, headers } = expect.unreachable()] = server.seen
  expect([method, url]).toEqual(['GET', '/document?a=1'])
  expect(headers).toMatchObject({ accept: 'application/json', 'x-kept': '2' })
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding'])
    expect(headers).not.toHaveProperty(name)
})

test('what a server quotes of our proof is not told on', async () => {
  const authenticator = changing({ authorization: 'Bearer very-secret-token' })
  await using refusing = await grpcJsServer((call, done) => {
    done({ code: 16, details: `scheme or token does not match: ${call.metadata.get('authorization')}` })
  })
  await using rpc = await grpcClient({ endpoint: refusing.endpoint, headers: HEADERS }, { authenticator })
  expect(await refusal(rpc.call(METHOD, []))).toEqual([
    'PermanentError',
    16,
    'scheme or token does not match: ************************',
  ])
  await using server = await httpServer('I do not like very-secret-token')
  await using client = await httpClient({}, { authenticator })
  const { body } = await client.post(server.url, [], {})
  expect(body.toString()).toBe('I do not like *****************')
})
