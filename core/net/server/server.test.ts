import { expect, test } from 'vitest'
import { grpcPeer, rawPeer, testServer } from './testdata/harness.ts'

test('one port answers gRPC, HTTP/1.1 and HTTP', async () => {
  await using server = await testServer()
  using peer = grpcPeer(server.port)
  expect(await peer.call(Buffer.from('hello'))).toEqual(Buffer.from('hello'))
  const answer = await fetch(`${server.url}/x`, { method: 'POST', body: 'over http' })
  expect(await answer.text()).toBe('over http')
  using raw = await rawPeer(server.port)
  await raw.drip('POST /y HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi')
  expect(await raw.closed).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\nhi$/s)
})
