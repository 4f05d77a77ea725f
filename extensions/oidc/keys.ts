import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/** The public key that a token's header asks for. */
export type Keys = JWTVerifyGetKey

const SUPPORTED: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP'])

/**
 * The signature algorithms that are taken: with public keys only, so that neither `none` nor a public key used as a
 * shared secret passes (RFC 8725 §3.1).
 */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/**
 * Reads a JSON Web Key Set (RFC 7517 §5).
 * @throws {Error} without quoting the text
 */
export function parseKeys(text: string): Keys {
  let set: { readonly keys?: unknown } | null
  try {
    set = JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
  const keys = Array.isArray(set?.keys) ? (set.keys as JSONWebKeySet['keys']) : []
  const usable = keys.filter(key => SUPPORTED.has(key?.kty))
  if (usable.length === 0) {
    throw new Error('it contains no supported keys (supported types are RSA, ECDSA, and ED25519)')
  }
  return createLocalJWKSet({ keys: usable })
}
