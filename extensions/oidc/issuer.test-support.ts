/** A small OpenID Connect issuer. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly secret: KeyPair['privateKey']
  readonly jwk: JWK
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** A new key pair, the public half as the issuer publishes it. */
export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export interface TestIssuer extends AsyncDisposable {
  readonly url: string
  /** What it publishes; change it to rotate. */
  keys: SigningKey[]
  /** Status of all answers. */
  status: number
  /** Replaces parts of the discovery document. */
  discovery: Record<string, unknown>
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  /**
   * A token of this issuer for audience `collector`, valid for an hour from `now` (milliseconds since the epoch).
   * @param claims replace or add to the usual ones; `undefined` leaves one out
   */
  token(claims?: JWTPayload, options?: { readonly key?: SigningKey; readonly now?: number }): Promise<string>
}

/** Runs an issuer on a free port of loopback; over TLS when told how. */
export async function testIssuer(tls?: { cert_file: string; key_file: string }): Promise<TestIssuer> {
  const first = await signingKey('first')
  const server =
    tls === undefined
      ? http.createServer()
      : https.createServer({ cert: readFileSync(tls.cert_file), key: readFileSync(tls.key_file) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`
  const issuer: TestIssuer = {
    url,
    keys: [first],
    status: 200,
    discovery: {},
    asked: [],
    async token(claims = {}, { key = issuer.keys.at(-1)!, now = Date.now() } = {}) {
      const seconds = Math.floor(now / 1000)
      const usual = { iss: url, aud: 'collector', sub: 'agent-7', iat: seconds, exp: seconds + 3600 }
      const payload = JSON.parse(JSON.stringify({ ...usual, ...claims })) as JWTPayload
      return await new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid }).sign(key.secret)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    issuer.asked.push(request.url!)
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys`, ...issuer.discovery },
      '/keys': { keys: issuer.keys.map(({ jwk }) => jwk) },
    }
    const document = documents[request.url!]
    response.writeHead(document === undefined ? 404 : issuer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document))
  })
  return issuer
}
