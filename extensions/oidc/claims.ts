import type { JWTPayload } from 'jose'
import type { AuthData } from '#core/component'

/** What a token tells about its bearer. */
export interface Identity {
  readonly subject: string
  readonly membership: readonly string[]
}

/**
 * Reads who a token is about.
 * @throws {Error} in the Collector's words when a claim is not there
 */
export function identityOf(claims: JWTPayload, usernameClaim: string, groupsClaim: string): Identity {
  return { subject: subjectOf(claims, usernameClaim), membership: membershipOf(claims, groupsClaim) }
}

function subjectOf(claims: JWTPayload, name: string): string {
  if (name === '') return claims.sub ?? ''
  const subject = claims[name]
  if (subject === undefined) {
    throw new Error('username claim from the OIDC configuration not found on the token returned by the OIDC provider')
  }
  if (typeof subject !== 'string') throw new Error('the username returned by the OIDC provider is not a regular string')
  return subject
}

function membershipOf(claims: JWTPayload, name: string): readonly string[] {
  if (name === '') return []
  const groups = claims[name]
  if (groups === undefined) {
    throw new Error('groups claim from the OIDC configuration not found on the token returned by the OIDC provider')
  }
  if (typeof groups === 'string') return [groups]
  return Array.isArray(groups) ? groups.map(String) : []
}

/**
 * What pipelines may read: `subject`, `membership`, `raw` (the token itself), each claim by its name, and
 * `claims.<name>`, where dots also lead into objects.
 */
export function authDataOf(token: string, claims: JWTPayload, { subject, membership }: Identity): AuthData {
  const own = new Map<string, unknown>([
    ['subject', subject],
    ['membership', membership],
    ['raw', token],
  ])
  return {
    names: [...own.keys(), ...Object.keys(claims)],
    attribute(name) {
      if (own.has(name)) return own.get(name)
      const claim = read(claims, name)
      return claim === undefined && name.startsWith('claims.') ? read(claims, name.slice('claims.'.length)) : claim
    },
  }
}

/** A claim by its name, or by a path into objects. */
function read(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path]
  const dot = path.indexOf('.')
  if (dot < 0) return undefined
  const inner = read(claims, path.slice(0, dot))
  return typeof inner === 'object' && inner !== null ? read(inner, path.slice(dot + 1)) : undefined
}
