import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type Component, type Consumer, NO_CONTEXT, systemClock } from '#core/component'
import type { Payload } from '#core/data'
import { configure, type TestContext, TestHost, testContext } from '#core/testing'
import { securityEventExporter } from '../index.ts'

/** A request as a target sees it. */
export interface Request {
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** What a target does with a request. */
export type Reaction =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Closes the connection; never answers; answers something that is not HTTP. */
  | 'reset'
  | 'hang'
  | 'garbage'

/** A target on a port of its own. */
export interface Peer extends AsyncDisposable {
  readonly requests: Request[]
  readonly url: string
}

/** Starts a target that reacts as told. */
export async function peer(react: (request: Request, count: number) => Reaction): Promise<Peer> {
  const requests: Request[] = []
  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('error', () => {})
    incoming.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const body = (incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
      const request = { url: incoming.url ?? '', headers: incoming.headers, body }
      requests.push(request)
      const reaction = react(request, requests.length)
      if (reaction === 'reset') incoming.socket.destroy()
      else if (reaction === 'garbage') incoming.socket.end('I am not a web server\r\n\r\n')
      else if (reaction !== 'hang') response.writeHead(reaction.status, reaction.headers).end(reaction.body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    requests,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A running exporter. */
export interface Running extends AsyncDisposable {
  readonly context: TestContext
  readonly exporter: Component & Consumer<'logs'>
  send(payload: Payload<'logs'>): Promise<void>
}

/** Starts an exporter with what would be written under its id. */
export async function running(written: object): Promise<Running> {
  const context = testContext({ id: 'security_event', kind: 'exporter', signals: ['logs'], clock: systemClock })
  const exporter = securityEventExporter.create(configure(securityEventExporter.config, written), context)
  await exporter.start?.(new TestHost())
  return {
    context,
    exporter,
    send: payload => exporter.consume(payload, NO_CONTEXT),
    [Symbol.asyncDispose]: async () => exporter.shutdown?.(),
  }
}

/** Without queue and retry, so that a sender hears what became of its records. */
export const DIRECT = {
  sending_queue: { enabled: false },
  retry_on_failure: { enabled: false },
  default_attributes: {},
}
