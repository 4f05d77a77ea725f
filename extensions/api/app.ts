import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger, Route, RouteAnswer } from '#core/component'
import type { HttpSettings } from '#core/net'
import type { Authenticate } from './authenticate.ts'
import { coerceTexts } from './coerce.ts'
import { decodeBody } from './decode-body.ts'
import { type Fault, faultOf, INTERNAL } from './fault.ts'
import { createRefuseForeign } from './refuse-foreign.ts'
import { methodsOf } from './route-path.ts'

export interface AppOptions {
  readonly settings: HttpSettings
  readonly authenticate: Authenticate | undefined
  readonly logger: Logger
  /** Whether components start or stop; meanwhile a route that is not there may come yet. */
  readonly isChanging: () => boolean
}

/** What serves one set of routes. It listens nowhere: requests are handed to its `routing`. */
export type App = FastifyInstance

/** Longest value of a path parameter: attribute names are long. */
const MAX_PARAMETER = 2_000

/**
 * Builds and readies the server for these routes. Of routes with the same method and path the first is served.
 * @throws {Error} when a route's path or schema is not valid
 */
export async function createApp(routes: readonly Route[], options: AppOptions): Promise<App> {
  const { settings, authenticate, logger } = options
  const { fastify } = await import('fastify')
  const fail = (reply: FastifyReply, thrown: unknown) => {
    const fault = faultOf(thrown)
    // A query may have credentials in it.
    if (fault === undefined) logger.error('Request failed', { error: thrown, path: pathOf(reply.request) })
    return sendFault(reply, fault ?? INTERNAL)
  }
  const app = fastify({
    bodyLimit: settings.maxBody,
    routerOptions: { maxParamLength: MAX_PARAMETER },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true } },
    schemaErrorFormatter: ([first], part) => new Error(`Invalid ${PARTS[part] ?? part}: ${describe(first)}`),
    frameworkErrors: (error, _request, reply) => void fail(reply as FastifyReply, error),
  })
  app.setErrorHandler((error, _request, reply) => fail(reply, error))
  app.setNotFoundHandler(async (request, reply) =>
    sendFault(reply, notFound(routes, request, reply, options.isChanging)),
  )
  app.addHook('onRequest', createRefuseForeign(settings.cors))
  if (authenticate !== undefined) app.addHook('onRequest', authenticate)
  app.addHook('preParsing', (request, _reply, body) => decodeBody(request, body, settings))
  acceptJson(app)
  for (const route of unique(routes, logger)) addRoute(app, route)
  await app.ready()
  return app
}

function addRoute(app: App, route: Route): void {
  const { method, path, params, query, body } = route
  app.route({
    method,
    url: path,
    schema: { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) },
    preValidation: async request => {
      coerceTexts(params, request.params as Record<string, unknown>)
      coerceTexts(query, request.query as Record<string, unknown>)
    },
    handler: async (request, reply) => sendAnswer(reply, await route.handle(request as Parameters<Route['handle']>[0])),
  })
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]!
}

/** JSON under any of its names; an empty body is none. */
function acceptJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json\b/, { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined)
    else parse(request, text as string, done)
  })
}

function unique(routes: readonly Route[], logger: Logger): Route[] {
  const seen = new Set<string>()
  return routes.filter(({ method, path }) => {
    const key = `${method} ${path.replace(/:[^/]+/g, ':')}`
    if (!seen.has(key)) return seen.add(key)
    logger.error('Cannot serve a route twice, the first is kept', { method, path })
    return false
  })
}

function sendAnswer(reply: FastifyReply, { status = 200, headers = {}, body }: RouteAnswer): FastifyReply {
  reply.code(status).headers(headers)
  if (body === undefined || typeof body === 'string') return reply.send(body)
  if (body instanceof Uint8Array) return reply.send(body)
  if (isAsyncIterable(body)) return reply.send(body instanceof Readable ? body : Readable.from(body))
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8')
  return reply.send(JSON.stringify(body))
}

function sendFault(reply: FastifyReply, { status, code, error }: Fault): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify({ error, code }))
}

function notFound(
  routes: readonly Route[],
  { method, url }: FastifyRequest,
  reply: FastifyReply,
  isChanging: () => boolean,
): Fault {
  const path = url.split('?')[0]!
  const methods = methodsOf(routes, path)
  if (methods.length === 0 && isChanging()) {
    reply.header('retry-after', '1')
    return {
      status: 503,
      code: 'NOT_READY',
      error: `Components are starting or stopping, and none of those that run serves ${path}`,
    }
  }
  if (methods.length === 0) return { status: 404, code: 'NOT_FOUND', error: `No route for ${method} ${path}` }
  reply.header('allow', methods.join(', '))
  return { status: 405, code: 'METHOD_NOT_ALLOWED', error: `Method ${method} is not allowed for ${path}` }
}

const PARTS: Readonly<Record<string, string>> = { querystring: 'query', params: 'path', body: 'body' }

interface SchemaError {
  readonly instancePath?: string
  readonly message?: string
  readonly params?: { readonly allowedValues?: readonly unknown[] }
}

function describe(error: SchemaError | undefined): string {
  const where = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
  return `${where === '' ? '' : `${where} `}${what(error)}`
}

function what(error: SchemaError | undefined): string {
  const values = error?.params?.allowedValues?.filter(value => value !== null)
  if (values !== undefined) return `must be one of ${values.join(', ')}`
  return error?.message ?? 'does not fit its schema'
}

function isAsyncIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
