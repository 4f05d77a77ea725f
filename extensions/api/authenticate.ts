import type { FastifyReply, FastifyRequest } from 'fastify'
import { Code, type Metadata, PermanentError, Refusal } from '#core/component'
import type { ServerAuthenticator } from '#core/net'

/** Rejects with a Refusal that has a code when the sender is not let in; the answer says then what is wanted. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Asks an authenticator extension, showing it the query parameters in `parameters` as if they were headers. */
export function createAuthenticate(authenticator: ServerAuthenticator, parameters: readonly string[]): Authenticate {
  const { challenge } = authenticator
  return async (request, reply) => {
    const { remoteAddress, remotePort } = request.socket
    const peer = remoteAddress === undefined ? {} : { clientAddress: `${remoteAddress}:${remotePort}` }
    try {
      await authenticator.authenticate(sourcesOf(request, parameters), peer)
    } catch (error) {
      const code = error instanceof Refusal ? error.code : undefined
      if (challenge !== undefined && (code ?? Code.UNAUTHENTICATED) === Code.UNAUTHENTICATED) {
        reply.header('www-authenticate', challenge)
      }
      if (code !== undefined) throw error
      const why = error instanceof Error ? error.message : String(error)
      throw new PermanentError(why, { code: Code.UNAUTHENTICATED, cause: error })
    }
  }
}

function sourcesOf(request: FastifyRequest, parameters: readonly string[]): Metadata {
  const sources = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) sources.set(name, Array.isArray(value) ? value : [value])
  }
  const query = request.query as Readonly<Record<string, string | string[] | undefined>>
  for (const name of parameters) {
    const value = query[name]
    if (value !== undefined) sources.set(name.toLowerCase(), Array.isArray(value) ? value : [value])
  }
  return sources
}
