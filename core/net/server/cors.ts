import type { Exchange } from './exchange.ts'
import type { HttpSettings } from './settings.ts'

/** Headers of one answer, or a whole answer to a preflight. Names and values in turn. */
export interface CorsAnswer {
  readonly headers: string[]
  /** The browser only asked: answer 204 with these headers and go no further. */
  readonly preflight: boolean
}

/** Tells whether web pages of an origin may send here. Without CORS: none. */
export function createOriginMatcher(config: HttpSettings['cors']): (origin: string | undefined) => origin is string {
  const origins = (config?.allowed_origins ?? []).map(pattern)
  return (origin): origin is string =>
    origin !== undefined && origin !== '' && origins.some(allowed => allowed.test(origin))
}

/**
 * Cross-origin rules as in the Collector: credentials are allowed, methods are GET, POST and HEAD. `undefined` where
 * CORS is off. Source: https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function createCors(config: HttpSettings['cors']): ((exchange: Exchange) => CorsAnswer) | undefined {
  if (config === undefined || config.allowed_origins.length === 0) return undefined
  const any = config.allowed_origins.includes('*')
  const known = createOriginMatcher(config)
  const allowed = config.allowed_headers.map(name => name.toLowerCase())
  const headersAllowed = new Set(allowed.length === 0 ? [...SIMPLE, 'x-requested-with'] : [...SIMPLE, ...allowed])
  const exposed = config.exposed_headers.join(', ')

  const origin = (value: string) =>
    any
      ? ['access-control-allow-origin', '*', 'access-control-allow-credentials', 'true']
      : ['access-control-allow-origin', value, 'access-control-allow-credentials', 'true']

  return ({ method, headers }) => {
    const asked = headers['access-control-request-method']
    if (method !== 'OPTIONS' || asked === undefined || asked === '') {
      const answer = ['vary', 'Origin']
      if (known(headers.origin) && METHODS.has(method)) {
        answer.push(...origin(headers.origin))
        if (exposed !== '') answer.push('access-control-expose-headers', exposed)
      }
      return { headers: answer, preflight: false }
    }
    const answer = ['vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers']
    const wanted = (headers['access-control-request-headers'] ?? '').toLowerCase()
    const names = wanted.split(',').flatMap(name => name.trim() || [])
    const allowedNames = headersAllowed.has('*') || names.every(name => headersAllowed.has(name))
    if (known(headers.origin) && METHODS.has(asked.toUpperCase()) && allowedNames) {
      answer.push(...origin(headers.origin), 'access-control-allow-methods', asked.toUpperCase())
      if (names.length > 0) answer.push('access-control-allow-headers', names.join(', '))
      if (config.max_age > 0) answer.push('access-control-max-age', String(config.max_age))
    }
    return { headers: answer, preflight: true }
  }
}

const METHODS = new Set(['GET', 'POST', 'HEAD'])
const SIMPLE = ['accept', 'accept-language', 'content-type', 'content-language', 'origin']

/** An origin in which `*` stands for any characters; case does not count. */
function pattern(origin: string): RegExp {
  const parts = origin.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'i')
}
