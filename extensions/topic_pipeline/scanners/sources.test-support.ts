import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Written } from '#core/config'
import { playSource } from './play-sources.test-support.ts'
import { PLAYED, type PlayedRequest, type PlayedSource, type SourcesOptions } from './played.test-support.ts'
import type { sourcesConfig } from './sources-config.ts'

export interface Sources extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** Requests in the order in which they came. */
  readonly requests: readonly PlayedRequest[]
  /** What to write under `sources:` so that all sources are scanned here, without pauses. */
  readonly config: Written<typeof sourcesConfig>
}

/**
 * A local server that plays all sources as their documentation says: the same topics for the same keywords, as many as
 * wanted, as slowly as wanted, and with faults on demand. Feeds link to its own pages, so `fetch::allow_private` must
 * have `127.0.0.0/8` for them.
 */
export async function startSources(options: SourcesOptions = {}): Promise<Sources> {
  const requests: PlayedRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    void answer(request, response).catch(error => response.destroy(error as Error))
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, source = '', rest = ''] = /^\/([a-z]*)(.*)$/s.exec(request.url ?? '') ?? []
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    if (!PLAYED.includes(source as PlayedSource)) {
      response.writeHead(404).end()
      return
    }
    const played: PlayedRequest = {
      source: source as PlayedSource,
      number: requests.filter(each => each.source === source).length + 1,
      method: request.method ?? 'GET',
      path: rest,
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
      at: Date.now(),
    }
    requests.push(played)
    if (options.latency !== undefined) await setTimeout(options.latency)
    const reply = playSource(played, url, options)
    if (reply === 'silent') return
    const { status, headers, body, cut } = reply
    const gzip = !cut && request.headers['accept-encoding']?.includes('gzip') === true && body.length > 0
    const bytes = gzip ? gzipSync(body) : Buffer.from(body)
    response.writeHead(status, {
      ...headers,
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
      ...(status === 304 ? {} : { 'content-length': bytes.length }),
    })
    if (!cut) {
      response.end(bytes)
      return
    }
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
  }

  return {
    url,
    requests,
    config: configFor(url),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function configFor(url: string): Written<typeof sourcesConfig> {
  const soon = { request_interval: '0s', scan_interval: '0s' } as const
  return {
    stackoverflow: { ...soon, endpoint: `${url}/stackoverflow` },
    reddit: {
      ...soon,
      enabled: true,
      endpoint: `${url}/reddit`,
      auth_endpoint: `${url}/reddit`,
      feed_endpoint: `${url}/reddit`,
      client_id: 'id',
      client_secret: 'secret',
    },
    medium: { ...soon, endpoint: `${url}/medium` },
    devto: { ...soon, endpoint: `${url}/devto` },
    hashnode: { ...soon, endpoint: `${url}/hashnode` },
    youtube: {
      ...soon,
      endpoint: `${url}/youtube`,
      feed_endpoint: `${url}/youtube`,
      api_key: 'key',
      daily_searches: 10_000,
    },
    rss: { ...soon, feeds: [`${url}/rss/feed.xml`] },
  }
}
