/**
 * The contracts between servers, clients and the extensions that know who may do what, and how an `auth` section finds
 * its extension.
 * @module
 */
import type { AuthData, Component, ConsumeContext, Host, Metadata } from '#core/component'
import { t } from '#core/config'

/** What an authenticator may look at beside the headers. */
export interface AuthRequest {
  /** `ip:port` of the peer, when there is one. */
  readonly clientAddress?: string
}

/** An extension that finds out who sent a request. */
export interface ServerAuthenticator {
  /**
   * Checks the headers (names in lower case) of a request. Rejects when the sender is not let in: with gRPC code
   * UNAUTHENTICATED (HTTP 401), or with the code of the {@link Refusal} it throws.
   */
  authenticate(headers: Metadata, request: AuthRequest): Promise<AuthData>
  /** What proof is wanted: the header `WWW-Authenticate` of a 401 over HTTP (RFC 9110 §11.6.1). */
  readonly challenge?: string | undefined
}

/** Headers by name in lower case. */
export type Headers = Readonly<Record<string, string>>

/** Headers to set on a request, by name in lower case; `undefined` takes the header away. */
export type HeaderChanges = Readonly<Record<string, string | undefined>>

/** An extension that proves to a destination who we are. */
export interface ClientAuthenticator {
  /**
   * What to change in the headers of a request. `context` belongs to the data being sent, `request` are the headers
   * that the request has without the authenticator.
   */
  headers(context: ConsumeContext, request: Headers): Promise<HeaderChanges>
  /** The proof is a secret: gRPC clients refuse to send it without TLS, as in the Collector. */
  readonly secureOnly?: boolean
}

export function isServerAuthenticator(component: object): component is ServerAuthenticator {
  return 'authenticate' in component && typeof component.authenticate === 'function'
}

export function isClientAuthenticator(component: object): component is ClientAuthenticator {
  return 'headers' in component && typeof component.headers === 'function'
}

/** The `auth` section of clients and of gRPC servers. */
export const authSection = t.whenPresent(
  t.section({
    authenticator: t.componentId({ description: 'The extension that authenticates, listed in `service::extensions`.' }),
  }),
  { description: 'Who is let in.' },
)

/** The `auth` section of HTTP servers. */
export const httpAuthSection = t.whenPresent(
  t.section({
    authenticator: t.componentId({ description: 'The extension that authenticates, listed in `service::extensions`.' }),
    request_params: t.list(t.string({ description: 'Name of a query parameter.' }), {
      default: [],
      description:
        'Query parameters handed to the authenticator as if they were headers; they win over a header of the same name.',
    }),
  }),
  { description: 'Who is let in.' },
)

/** The extension that an `auth` section names, or nothing when there is no section. */
type AuthConfig = { readonly authenticator: string } | undefined

/**
 * Finds the server authenticator that `auth` names among the started extensions.
 * @throws {Error} with the Collector's sentence when there is none
 */
export function resolveServerAuthenticator(
  auth: AuthConfig,
  host: Pick<Host, 'extension'>,
): ServerAuthenticator | undefined {
  if (auth === undefined) return undefined
  const extension = find(auth.authenticator, host)
  if (!isServerAuthenticator(extension)) throw new Error('requested authenticator is not a server authenticator')
  return extension
}

/**
 * Finds the client authenticator that `auth` names among the started extensions.
 * @throws {Error} with the Collector's sentence when there is none
 */
export function resolveClientAuthenticator(
  auth: AuthConfig,
  host: Pick<Host, 'extension'>,
): ClientAuthenticator | undefined {
  if (auth === undefined) return undefined
  const extension = find(auth.authenticator, host)
  if (!isClientAuthenticator(extension)) throw new Error('requested authenticator is not a client authenticator')
  return extension
}

function find(id: string, host: Pick<Host, 'extension'>): Component {
  const extension = host.extension(id)
  if (extension === undefined) throw new Error(`failed to resolve authenticator "${id}": authenticator not found`)
  return extension
}
