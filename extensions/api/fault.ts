import { Code, Refusal, RouteError } from '#core/component'
import { httpStatusOf, statusOf } from '#core/net'

/** What every answer above 399 carries: `{ "error": sentence, "code": "UPPER_SNAKE" }`. */
export interface Fault {
  readonly status: number
  readonly code: string
  readonly error: string
}

/** What fastify says about requests that it turns away by itself, under names of ours. */
const FASTIFY: Readonly<Record<string, Fault>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'BODY_TOO_LARGE', error: 'Request body is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    error: 'Request body must be application/json',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'INVALID_JSON', error: 'Request body is not JSON' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: 'INVALID_CONTENT_LENGTH',
    error: 'Request body is not as long as its Content-Length says',
  },
  FST_ERR_BAD_URL: { status: 400, code: 'INVALID_URL', error: 'Request URL is malformed' },
}

/**
 * The fault that a thrown value stands for, `undefined` when it is an accident of ours, whose message is nobody
 * else's business.
 */
export function faultOf(thrown: unknown): Fault | undefined {
  if (thrown instanceof RouteError) return { status: thrown.status, code: thrown.code, error: thrown.message }
  if (thrown instanceof Refusal) {
    const { code, message } = statusOf(thrown)
    return { status: httpStatusOf(code), code: NAME.get(code) ?? 'UNKNOWN', error: message }
  }
  const { code, validation, message, statusCode } = thrown as {
    readonly code?: string
    readonly validation?: unknown
    readonly message?: string
    readonly statusCode?: number
  }
  if (validation !== undefined) return { status: 400, code: 'INVALID_REQUEST', error: String(message) }
  if (thrown instanceof SyntaxError && statusCode === 400) return FASTIFY.FST_ERR_CTP_INVALID_JSON_BODY
  return code === undefined ? undefined : FASTIFY[code]
}

const NAME: ReadonlyMap<number, string> = new Map(Object.entries(Code).map(([name, code]) => [code, name]))

/** The fault for accidents. */
export const INTERNAL: Fault = { status: 500, code: 'INTERNAL', error: 'Request failed because of an internal error' }
