import type { FastifyRequest } from 'fastify'
import { RouteError } from '#core/component'
import { createOriginMatcher, type HttpSettings } from '#core/net'

const HARMLESS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what a web page of another origin asks a browser to change here, unless CORS lets that origin in: a request
 * without a body needs no leave from us to be sent. Browsers say where a request comes from; who is none says nothing.
 * Source: https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function createRefuseForeign(cors: HttpSettings['cors']): (request: FastifyRequest) => Promise<void> {
  const mayAsk = createOriginMatcher(cors)
  return async ({ method, headers }) => {
    const site = headers['sec-fetch-site']
    if (HARMLESS.has(method) || (site !== 'cross-site' && site !== 'same-site') || mayAsk(headers.origin)) return
    throw new RouteError(
      403,
      'FOREIGN_ORIGIN',
      'Web pages of other origins may not do this unless cors::allowed_origins names them',
    )
  }
}
