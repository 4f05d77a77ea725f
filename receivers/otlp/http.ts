import type { Signal } from '#core/data'
import { encodeStatus, type HttpAnswer, type HttpRequest, type HttpService, statusJson } from '#core/net'
import type { OtlpHttpConfig } from './config.ts'
import type { Format, Intake } from './intake.ts'
import { encodeResponse, responseJson } from './response.ts'

/** Where each signal is posted. */
export type Paths = { readonly [S in Signal]: string }

/** The paths of the specification. */
export const DEFAULT_PATHS: Paths = {
  traces: '/v1/traces',
  metrics: '/v1/metrics',
  logs: '/v1/logs',
  profiles: '/v1development/profiles',
}

export function pathsOf(config: OtlpHttpConfig): Paths {
  return {
    traces: rooted(config.traces_url_path),
    metrics: rooted(config.metrics_url_path),
    logs: rooted(config.logs_url_path),
    profiles: DEFAULT_PATHS.profiles,
  }
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

/** OTLP/HTTP. Source: https://opentelemetry.io/docs/specs/otlp/#otlphttp; the texts are the Collector's. */
export function httpHandler(intake: Intake, paths: Paths): Pick<HttpService, 'handle' | 'refuse'> {
  const signals = new Map(intake.signals.map(signal => [paths[signal], signal]))
  return {
    async handle(request): Promise<HttpAnswer> {
      const signal = signals.get(request.path)
      if (signal === undefined) return NOT_FOUND
      if (request.method !== 'POST') return METHOD_NOT_ALLOWED
      const format = formatOf(request)
      if (format === undefined) return UNSUPPORTED
      const partial = await intake.take(signal, await request.body(), format, request.context)
      const body = format === 'json' ? responseJson(signal, partial) : encodeResponse(partial)
      return { status: 200, headers: HEADERS[format], body }
    },
    refuse(request, status, why): HttpAnswer {
      const format = formatOf(request)
      if (format === undefined) return { status, headers: TEXT, body: why.message }
      return { status, headers: HEADERS[format], body: format === 'json' ? statusJson(why) : encodeStatus(why) }
    },
  }
}

function formatOf(request: HttpRequest): Format | undefined {
  const type = request.header('content-type')?.replace(/;.*/s, '').trim().toLowerCase()
  if (type === 'application/x-protobuf') return 'protobuf'
  return type === 'application/json' ? 'json' : undefined
}

const TEXT = { 'content-type': 'text/plain' }
const HEADERS: { readonly [F in Format]: Readonly<Record<string, string>> } = {
  protobuf: { 'content-type': 'application/x-protobuf' },
  json: { 'content-type': 'application/json' },
}
const NOT_FOUND: HttpAnswer = { status: 404, headers: TEXT, body: '404 page not found\n' }
const METHOD_NOT_ALLOWED: HttpAnswer = {
  status: 405,
  headers: { ...TEXT, allow: 'POST' },
  body: '405 method not allowed, supported: [POST]',
}
const UNSUPPORTED: HttpAnswer = {
  status: 415,
  headers: TEXT,
  body: '415 unsupported media type, supported: [application/json, application/x-protobuf]',
}
