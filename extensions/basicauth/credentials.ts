import { Code, type Metadata, PermanentError } from '#core/component'

/** What an `authorization` header of the Basic scheme (RFC 7617) says. */
export interface Credentials {
  readonly username: string
  readonly password: string
  /** Both, as they came: in base64. */
  readonly raw: string
}

const SCHEME = 'basic '
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads the credentials of a request.
 * @throws {PermanentError} UNAUTHENTICATED, in the Collector's words
 */
export function credentialsOf(headers: Metadata): Credentials {
  const header = headers.get('authorization')?.[0] ?? ''
  if (header === '') throw refusal('no basic auth provided')
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) throw refusal('invalid authorization scheme prefix')
  const raw = header.slice(SCHEME.length)
  const text = decoded(raw)
  const colon = text.indexOf(':')
  if (colon < 0) throw refusal('invalid authorization format')
  return { username: text.slice(0, colon), password: text.slice(colon + 1), raw }
}

/** A sender that is not let in. */
export function refusal(message: string): PermanentError {
  return new PermanentError(message, { code: Code.UNAUTHENTICATED })
}

/** The header that says `username` and `password`. */
export function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function decoded(raw: string): string {
  if (!BASE64.test(raw)) throw refusal('invalid authorization format')
  try {
    return UTF8.decode(Buffer.from(raw, 'base64'))
  } catch {
    throw refusal('invalid authorization format')
  }
}
