import { expect, test } from 'vitest'
import { FakeClock, RecordingLogger } from '#core/testing'
import { openServer } from './server.ts'
import { httpSettings } from './settings.ts'
import { httpConfig, rawPeer } from './testdata/harness.ts'

test('a library with its own request handling gets requests that the outer layers let through', async () => {
  const server = await openServer({
    endpoint: '127.0.0.1:0',
    logger: new RecordingLogger(),
    clock: new FakeClock(),
    authenticator: {
      async authenticate(headers) {
        if (!headers.has('authorization')) throw new Error('who are you')
        return { attribute: () => undefined, names: [] }
      },
    },
    raw: {
      settings: httpSettings(httpConfig({ response_headers: { 'x-a': 'b' }, cors: { allowed_origins: ['*'] } })),
      onRequest(request, response) {
        response.setHeader('content-type', 'text/plain')
        request.pipe(response)
      },
    },
  })
  const url = `http://127.0.0.1:${server.port}/`
  const refused = await fetch(url)
  expect([refused.status, await refused.text(), refused.headers.get('x-a')]).toEqual([401, 'who are you', 'b'])
  const headers = { authorization: 'x', origin: 'http://page' }
  const answer = await fetch(url, { method: 'PUT', body: 'body', headers })
  expect([answer.status, await answer.text(), answer.headers.get('x-a')]).toEqual([200, 'body', 'b'])
  using h2 = await rawPeer(server.port)
  h2.socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  expect(await h2.closed).toBe('')
  await server.close(0)
})
