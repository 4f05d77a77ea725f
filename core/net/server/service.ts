/** What a server is given to serve. Nothing here tells which version of HTTP carried a request. @module */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConsumeContext } from '#core/component'
import type { WireStatus } from '../status.ts'
import type { GrpcSettings, HttpSettings } from './settings.ts'

/**
 * A unary gRPC method: takes the message without its prefix, decompressed, and gives the answer's bytes. Whatever it
 * rejects with is told to the caller by `statusOf`. It runs to its end even when the caller goes away or its deadline
 * passes; `context.signal` says so.
 */
export type UnaryHandler = (message: Buffer, context: ConsumeContext) => Promise<Buffer>

export interface GrpcService {
  readonly settings: GrpcSettings
  /** By path, for example `/opentelemetry.proto.collector.trace.v1.TraceService/Export`. */
  readonly methods: ReadonlyMap<string, UnaryHandler>
}

/** A request whose head has arrived, over HTTP/1.1 or HTTP/2. */
export interface HttpRequest {
  readonly method: string
  /** Without the query, as sent. */
  readonly path: string
  readonly query: URLSearchParams
  /** The value of a header by its name in lower case; several are joined by `, `. */
  header(name: string): string | undefined
  readonly context: ConsumeContext
  /**
   * Reads and decompresses the body, within the server's limits; called at most once. Let what it rejects with go
   * through: the server knows what to answer. Nothing is read when it is not called.
   */
  body(): Promise<Buffer>
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. `content-length` is added. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

export interface HttpService {
  readonly settings: HttpSettings
  /** Answers one request. Whatever it rejects with is told to the sender by `refuse`. */
  handle(request: HttpRequest): Promise<HttpAnswer>
  /**
   * The answer to a request that failed: before `handle` (not authenticated, unknown encoding), while its body was read,
   * or within. `status` is the HTTP status that belongs to the code. A sentence in plain text when left out.
   * `Retry-After` is added.
   */
  refuse?(request: HttpRequest, status: number, why: WireStatus): HttpAnswer
}

/**
 * A service for libraries that bring their own request handling, such as fastify's `routing`: after response headers,
 * CORS and authentication it gets the request and response of `node:http` and reads the body by itself. HTTP/1.1 only.
 * The types are those of `node:http`, named here so that nobody else has to import it.
 */
export interface RawHttpService {
  readonly settings: HttpSettings
  onRequest(request: RawRequest, response: RawResponse): void
}
export type RawRequest = IncomingMessage
export type RawResponse = ServerResponse
