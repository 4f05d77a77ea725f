import { type AuthData, Code, type ConsumeContext, type Metadata, Refusal } from '#core/component'
import { httpStatusOf, statusOf, type WireStatus } from '../status.ts'
import { printRetryAfter } from '../status-codec.ts'
import { Reservation } from './admission.ts'
import { readBody, SenderGone } from './body.ts'
import { type CorsAnswer, createCors } from './cors.ts'
import { contentLength, type Exchange } from './exchange.ts'
import { metadataOf, NO_METADATA } from './metadata.ts'
import type { Port } from './port.ts'
import type { HttpAnswer, HttpRequest, HttpService, RawHttpService } from './service.ts'
import type { HttpSettings } from './settings.ts'
import { traceHeadersOf } from './trace-headers.ts'

/** Serves requests that the outer layers have let through. */
export type HttpServe = (exchange: Exchange) => void

/**
 * What every HTTP request passes on its way in, from the outside: response headers, CORS, authentication, encoding and
 * body limits, then the service.
 */
export function createHttpServe(port: Port, service: HttpService): HttpServe {
  const front = createFront(port, service.settings)
  return exchange => {
    const common = front.headers(exchange)
    if (common === undefined) return
    const request = new Request(exchange, port, service.settings)
    const answer = (each: HttpAnswer, more: readonly string[] = []) => {
      request.settle()
      const headers = [...common, ...Object.entries(each.headers ?? {}).flat(), ...more]
      exchange.answer(each.status, headers, Buffer.from(each.body ?? ''))
    }
    const refuse = (why: WireStatus, known: boolean) => {
      const status = httpStatusOf(why.code)
      const wait = (status === 429 || status === 503) && why.retryAfter !== undefined
      const more = wait ? ['retry-after', printRetryAfter(why.retryAfter)] : known ? [] : front.challenge(status)
      answer((service.refuse ?? plainText)(request, status, why), more)
    }
    const serve = async () => {
      port.work.begin()
      let known = false
      try {
        request.auth = await front.authenticate(exchange)
        known = true
        request.checkEncoding()
        answer(await service.handle(request))
      } catch (error) {
        if (error instanceof SenderGone) request.settle()
        else refuse(statusOf(error), known)
      } finally {
        request.release()
        port.work.end()
      }
    }
    void serve()
  }
}

/** The outer layers around a service that reads its requests by itself. `serve` is called for those let through. */
export function createRawFront(port: Port, service: RawHttpService) {
  const front = createFront(port, service.settings)
  return async (exchange: Exchange, serve: (headers: readonly string[]) => void): Promise<void> => {
    const common = front.headers(exchange)
    if (common === undefined) return
    try {
      await front.authenticate(exchange)
    } catch (error) {
      const why = statusOf(error)
      const status = httpStatusOf(why.code)
      const headers = [...common, 'content-type', 'text/plain; charset=utf-8', ...front.challenge(status)]
      return exchange.answer(status, headers, Buffer.from(why.message))
    }
    serve(common)
  }
}

function createFront(port: Port, settings: HttpSettings) {
  const cors = createCors(settings.cors)
  const { authenticator } = port
  const fixed = Object.entries(settings.responseHeaders).flatMap(([name, value]) => [name.toLowerCase(), value])
  return {
    /** Headers that every answer carries; `undefined` when the request was a preflight and is answered. */
    headers(exchange: Exchange): readonly string[] | undefined {
      if (cors === undefined) return fixed
      const answer: CorsAnswer = cors(exchange)
      const headers = [...fixed, ...answer.headers]
      if (!answer.preflight) return headers
      exchange.answer(204, headers, NOTHING)
      return undefined
    },
    /** What a sender that was not let in is asked for. */
    challenge(status: number): readonly string[] {
      const wanted = authenticator?.challenge
      return status === 401 && wanted !== undefined ? ['www-authenticate', wanted] : []
    },
    /** Rejects with a Refusal that has a code. */
    async authenticate(exchange: Exchange): Promise<AuthData | undefined> {
      if (authenticator === undefined) return undefined
      const headers = authSources(exchange, settings.authParameters)
      const request = exchange.peer === undefined ? {} : { clientAddress: exchange.peer }
      try {
        return await authenticator.authenticate(headers, request)
      } catch (error) {
        if (error instanceof Refusal && error.code !== undefined) throw error
        throw new Unauthenticated(error instanceof Error ? error.message : String(error), {
          code: Code.UNAUTHENTICATED,
          cause: error,
        })
      }
    },
  }
}

const NOTHING = Buffer.alloc(0)

/** A sender that was not let in. */
class Unauthenticated extends Refusal {
  override name = 'Unauthenticated'
}

/** Headers, and the query parameters that stand in for headers of the same name. */
function authSources(exchange: Exchange, parameters: readonly string[]): Metadata {
  const headers = metadataOf(exchange.raw)
  if (parameters.length === 0) return headers
  const query = queryOf(exchange.target)
  const sources = new Map(headers)
  for (const name of parameters) if (query.has(name)) sources.set(name.toLowerCase(), query.getAll(name))
  return sources
}

function queryOf(target: string): URLSearchParams {
  const mark = target.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
}

function plainText(_: HttpRequest, status: number, why: WireStatus): HttpAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: why.message }
}

class Request implements HttpRequest {
  readonly path: string
  auth: AuthData | undefined
  readonly #exchange: Exchange
  readonly #port: Port
  readonly #settings: HttpSettings
  readonly #abort = new AbortController()
  readonly #reservation: Reservation
  #settled = false

  constructor(exchange: Exchange, port: Port, settings: HttpSettings) {
    const { target } = exchange
    const mark = target.indexOf('?')
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.#exchange = exchange
    this.#port = port
    this.#settings = settings
    this.#reservation = new Reservation(port.admissions)
    exchange.onGone(() => {
      if (!this.#settled) this.#abort.abort(new SenderGone())
    })
  }

  get method(): string {
    return this.#exchange.method
  }

  get query(): URLSearchParams {
    return queryOf(this.#exchange.target)
  }

  get context(): ConsumeContext {
    const { peer, raw, headers } = this.#exchange
    return {
      metadata: this.#settings.includeMetadata ? metadataOf(raw) : NO_METADATA,
      signal: this.#abort.signal,
      ...traceHeadersOf(headers),
      ...(peer === undefined ? {} : { clientAddress: peer }),
      ...(this.auth === undefined ? {} : { auth: this.auth }),
    }
  }

  header(name: string): string | undefined {
    const value = this.#exchange.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  checkEncoding(): void {
    const encoding = this.#encoding
    if (this.#settings.encodings.has(encoding)) return
    throw new UnsupportedEncoding(`unsupported Content-Encoding: ${encoding}`, { code: Code.INVALID_ARGUMENT })
  }

  async body(): Promise<Buffer> {
    const { headers, body, endIsFinal } = this.#exchange
    const { maxBody: limit, readTimeout: timeout } = this.#settings
    // A full memory is told before a byte is read, or asked for.
    const refusal = this.#reservation.take(0)
    if (refusal !== undefined) throw refusal
    this.#exchange.proceed()
    return readBody(body, {
      length: contentLength(headers),
      endIsFinal,
      limit,
      encoding: this.#encoding,
      reservation: this.#reservation,
      deadlines: this.#port.deadlines,
      timeout,
    })
  }

  /** The answer is on its way: whoever goes away now takes nothing back. */
  settle(): void {
    this.#settled = true
  }

  release(): void {
    this.#reservation.release()
  }

  get #encoding(): string {
    const encoding = this.header('content-encoding')?.trim().toLowerCase() ?? ''
    return encoding === 'identity' ? '' : encoding
  }
}

/** A body in an encoding that the server does not understand or is configured not to. */
class UnsupportedEncoding extends Refusal {
  override name = 'UnsupportedEncoding'
}
