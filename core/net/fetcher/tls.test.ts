import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { authority, type Certificate, certificate } from '../certificates.test-support.ts'
import { createFetcher } from './create-fetcher.ts'
import type { FetcherOptions } from './fetcher.ts'

async function lab(name: Certificate, listener: RequestListener, options: Partial<FetcherOptions> = {}) {
  const { cert_file, key_file } = certificate(name)
  const [cert, key, authorities] = await Promise.all(
    [cert_file, key_file, authority('ca')].map(path => readFile(path, 'utf8')),
  )
  const server = createServer({ cert: cert!, key: key! }, listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const guard = { allowPrivate: ['127.0.0.0/8'] }
  const fetcher = createFetcher({
    userAgent: 'test',
    guard,
    authorities: authorities!,
    resolve: async () => ['127.0.0.1'],
    connectTimeout: 30_000,
    ...options,
  })
  onTestFinished(async () => {
    await fetcher.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { fetcher, port: (server.address() as AddressInfo).port }
}

test('a server proves who it is, by address and by name', async () => {
  const { fetcher, port } = await lab('server', (_, response) => response.end('hello'))
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(Buffer.from((await fetcher.fetch(`https://${host}:${port}/`)).body).toString()).toBe('hello')
  }
})

test.each<[Certificate, string]>([
  ['elsewhere', 'its certificate is for another name'],
  ['expired', 'its certificate has expired'],
  ['foreign', 'its certificate is of an authority that is not known'],
])('with the certificate %s it is not believed: %s', async (name, why) => {
  const { fetcher, port } = await lab(name, (_, response) => response.end('hello'))
  await expect(fetcher.fetch(`https://localhost:${port}/`)).rejects.toMatchObject({
    reason: 'network',
    message: `The server was not asked, or its answer did not come: ${why}`,
  })
})

test('a redirect does not lead from https to http', async () => {
  const { fetcher, port } = await lab('server', (_, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
  )
  await expect(fetcher.fetch(`https://localhost:${port}/`)).rejects.toMatchObject({
    reason: 'refused',
    message: 'A redirect leads from https to http',
  })
})

test('an inner address is refused before anything is said to it, also with TLS', async () => {
  let heard = 0
  const { fetcher, port } = await lab('server', () => heard++, { guard: { allowPrivate: [], ports: [443] } })
  await expect(fetcher.fetch(`https://localhost:${port}/`)).rejects.toMatchObject({ reason: 'refused' })
  expect(heard).toBe(0)
})

test('a resolver that never answers meets the time limit of connecting', async () => {
  const { fetcher } = await lab('server', () => {}, { connectTimeout: 200, resolve: () => new Promise(() => {}) })
  await expect(fetcher.fetch('https://localhost/')).rejects.toMatchObject({
    limit: 'time',
    message: expect.stringContaining('no connection in time'),
  })
})
