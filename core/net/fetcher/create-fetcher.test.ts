import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createFetcher } from './create-fetcher.ts'
import type { FetchAnswer, FetcherOptions } from './fetcher.ts'
import { serve } from './server.test-support.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

async function lab(listener: Listener, options: Partial<FetcherOptions> = {}) {
  const server = await serve(listener)
  const fetcher = createFetcher({
    userAgent: 'Test/1.0 (+https://example.org)',
    timeout: 60_000,
    connectTimeout: 30_000,
    ...options,
  })
  onTestFinished(async () => {
    await fetcher.close()
    await server[Symbol.asyncDispose]()
  })
  return { server, fetcher }
}

function text(answer: FetchAnswer): string {
  return Buffer.from(answer.body).toString()
}

test('an answer comes with status, headers in lower case and body; we say who we are', async () => {
  const { server, fetcher } = await lab((request, response) => {
    response.setHeader('X-Several', ['a', 'b'])
    response.writeHead(404, { ETag: '"1"' }).end(`${request.method} ${request.url} ${request.headers['user-agent']}`)
  })
  const answer = await fetcher.fetch(`${server.url}/path?q=1#part`)
  expect(answer).toMatchObject({ url: `${server.url}/path?q=1`, status: 404 })
  expect(answer.headers).toMatchObject({ etag: '"1"', 'x-several': 'a, b' })
  expect(text(answer)).toBe('GET /path?q=1 Test/1.0 (+https://example.org)')
})

test('every coding is decoded, also two on top of each other', async () => {
  const body = Buffer.from('what was written '.repeat(1000))
  const codings: Record<string, Buffer> = {
    gzip: gzipSync(body),
    'x-gzip': gzipSync(body),
    br: brotliCompressSync(body),
    deflate: deflateSync(body),
    zstd: zstdCompressSync(body),
    identity: body,
    'gzip, br': brotliCompressSync(gzipSync(body)),
  }
  const { server, fetcher } = await lab((request, response) => {
    const coding = decodeURIComponent(request.url!.slice(1))
    if (coding === 'raw') response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateRawSync(body))
    else response.writeHead(200, { 'content-encoding': coding }).end(codings[coding])
  })
  for (const coding of [...Object.keys(codings), 'raw']) {
    expect(text(await fetcher.fetch(`${server.url}/${encodeURIComponent(coding)}`)), coding).toBe(body.toString())
  }
})

test('a compression bomb ends at the limit', async () => {
  const zeros = Buffer.alloc(64 << 20)
  const bombs: Record<string, Buffer> = {
    gzip: gzipSync(zeros),
    br: brotliCompressSync(zeros, { params: { 1: 1 } }),
    deflate: deflateSync(zeros),
    zstd: zstdCompressSync(zeros),
    'gzip, gzip': gzipSync(gzipSync(zeros)),
  }
  const { server, fetcher } = await lab((request, response) => {
    const coding = decodeURIComponent(request.url!.slice(1))
    response.writeHead(200, { 'content-encoding': coding }).end(bombs[coding])
  })
  for (const coding of Object.keys(bombs)) {
    await expect(fetcher.fetch(`${server.url}/${encodeURIComponent(coding)}`), coding).rejects.toMatchObject({
      reason: 'limit',
      limit: 'size',
      message: 'The answer is larger than 5242880 bytes',
    })
  }
})

test('a body without end stops at the limit of the request', async () => {
  const { server, fetcher } = await lab((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 << 10, 97)));
    }
    response.on('drain', more).on('error', () => {})
    more()
  })
  await expect(fetcher.fetch(server.url, { maxBytes: 100_000 })).rejects.toMatchObject({ limit: 'size' })
})

test('what ends too early, is not what it says or has an unknown coding is told', async () => {
  const whole = gzipSync('hello '.repeat(100))
  const { server, fetcher } = await lab((request, response) => {
    const gzip = { 'content-encoding': 'gzip' }
    if (request.url === '/cut') response.writeHead(200, gzip).end(whole.subarray(0, whole.length - 9))
    else if (request.url === '/html') response.writeHead(200, gzip).end('<html>not compressed</html>')
    else if (request.url === '/unknown') response.writeHead(200, { 'content-encoding': 'lzma' }).end('x')
    else if (request.url === '/many') response.writeHead(200, { 'content-encoding': 'gzip,gzip,gzip,gzip' }).end('x')
    else {
      response.writeHead(200, { 'content-length': 1000 }).write('half')
      setImmediate(() => response.destroy())
    }
  })
  for (const [path, why] of [
    ['/cut', 'The answer is not valid gzip, or ends too early'],
    ['/html', 'The answer is not valid gzip, or ends too early'],
    ['/unknown', 'The answer has a content encoding that cannot be decoded: lzma'],
    ['/many', 'The answer is encoded 4 times, at most 3 are decoded'],
    ['/short', 'The server was not asked, or its answer did not come: the connection broke'],
  ] as const) {
    await expect(fetcher.fetch(server.url + path), path).rejects.toMatchObject({ reason: 'network', message: why })
  }
})

test('an answer without a body may name a coding', async () => {
  const { server, fetcher } = await lab((_, response) => response.writeHead(304, { 'content-encoding': 'gzip' }).end())
  expect(await fetcher.fetch(server.url)).toMatchObject({ status: 304, body: Buffer.alloc(0) })
})

test('redirects are followed, five at most', async () => {
  const { server, fetcher } = await lab((request, response) => {
    const left = Number(request.url!.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end('moved')
    else response.end('there')
  })
  expect(text(await fetcher.fetch(`${server.url}/5`))).toBe('there')
  await expect(fetcher.fetch(`${server.url}/6`)).rejects.toMatchObject({
    limit: 'redirects',
    message: 'More than 5 redirects',
  })
})

test('a redirect to another origin gets no credentials and nothing that was posted', async () => {
  const heard: IncomingMessage[] = []
  const other = await serve((request, response) => {
    heard.push(request)
    response.end('other')
  }, '127.0.0.2')
  onTestFinished(() => other[Symbol.asyncDispose]())
  const { server, fetcher } = await lab(
    (request, response) => response.writeHead(Number(request.url!.slice(1)), { location: `${other.url}/` }).end(),
    { guard: { allowPrivate: ['127.0.0.0/8'] } },
  )
  const headers = { Authorization: 'Bearer secret', Cookie: 'secret', 'x-api-key': 'secret', Accept: 'text/html' }
  await fetcher.fetch(`${server.url}/302`, { headers })
  await fetcher.fetch(`${server.url}/303`, { method: 'POST', headers, body: 'secret' })
  await expect(fetcher.fetch(`${server.url}/307`, { method: 'POST', headers, body: 'secret' })).rejects.toMatchObject({
    reason: 'refused',
    message: 'A redirect would send what was posted to another host',
  })
  expect(heard.map(request => request.method)).toEqual(['GET', 'GET'])
  for (const request of heard) {
    expect(JSON.stringify(request.headers)).not.toContain('secret')
    expect(request.headers).toMatchObject({ accept: 'text/html', 'user-agent': 'Test/1.0 (+https://example.org)' })
  }
})

test('within an origin a 307 posts again and a 303 gets', async () => {
  const { server, fetcher } = await lab((request, response) => {
    if (request.url !== '/end') {
      response.writeHead(Number(request.url!.slice(1)), { location: '/end' }).end()
      return
    }
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', () =>
      response.end(`${request.method} ${request.headers['content-type']} ${request.headers.authorization} ${body}`),
    )
  })
  const request = { method: 'POST', headers: { 'content-type': 'a/b', authorization: 'me' }, body: 'it' } as const
  expect(text(await fetcher.fetch(`${server.url}/307`, request))).toBe('POST a/b me it')
  expect(text(await fetcher.fetch(`${server.url}/303`, request))).toBe('GET undefined me ')
})

test('a server that is silent, stops half way or drips meets the time limit', async () => {
  const { server, fetcher } = await lab((request, response) => {
    if (request.url === '/silent') return
    response.writeHead(200).write('half')
    if (request.url !== '/drip') return
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  })
  for (const path of ['/silent', '/half', '/drip']) {
    await expect(fetcher.fetch(server.url + path, { timeout: 300 }), path).rejects.toMatchObject({
      reason: 'limit',
      limit: 'time',
      message: 'No whole answer within 300 ms',
    })
  }
})

test('the head of an answer has a time limit of its own', async () => {
  const { server, fetcher } = await lab(() => {}, { headersTimeout: 100, guard: { allowPrivate: ['127.0.0.0/8'] } })
  await expect(fetcher.fetch(server.url)).rejects.toMatchObject({
    limit: 'time',
    message: expect.stringContaining('no answer in time'),
  })
})

test('who asks may lose interest', async () => {
  const { server, fetcher } = await lab(() => {})
  const reason = new Error('no longer wanted')
  const abort = new AbortController()
  const asked = fetcher.fetch(server.url, { signal: abort.signal })
  setImmediate(() => abort.abort(reason))
  await expect(asked).rejects.toBe(reason)
  await expect(fetcher.fetch(server.url, { signal: abort.signal })).rejects.toBe(reason)
})

test('nobody there, a name that is none and what is not HTTP are told in sentences without addresses', async () => {
  const mumbling = createServer(socket => socket.on('error', () => {}).on('data', () => socket.write('SSH-2.0\r\n')))
  await new Promise<void>(resolve => mumbling.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void mumbling.close())
  const { port } = mumbling.address() as { port: number }
  const closed = await serve(() => {})
  await closed[Symbol.asyncDispose]()
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const { fetcher } = await lab(() => {}, {
    guard: { allowPrivate: ['127.0.0.0/8'] },
    resolve: async () => Promise.reject(unknown),
  })
  for (const [url, why] of [
    [closed.url, 'the connection was refused'],
    ['http://nowhere.example/', 'its name is not known'],
    [`http://127.0.0.1:${port}/`, 'its answer is not HTTP'],
  ] as const) {
    await expect(fetcher.fetch(url), url).rejects.toMatchObject({
      reason: 'network',
      message: `The server was not asked, or its answer did not come: ${why}`,
    })
    await expect(fetcher.fetch(url), url).rejects.not.toHaveProperty('cause')
  }
})

test('a closed fetcher asks nobody', async () => {
  const { server, fetcher } = await lab((_, response) => response.end('x'))
  await fetcher.fetch(server.url)
  await fetcher.close()
  await expect(fetcher.fetch(server.url)).rejects.toMatchObject({ message: 'The fetcher is closed' })
})
