import type { AuthData, Metadata } from '#core/component'
import type { ClientAuthenticator, HeaderChanges, Headers } from '../auth.ts'

/** Whose data is sent; what an authenticator may look at. */
export interface Sender {
  readonly metadata: Metadata
  readonly auth?: AuthData | undefined
  readonly clientAddress?: string | undefined
}

/** What `authenticator` changes in the headers of a request to prove who we are. */
export function authHeaders(
  authenticator: ClientAuthenticator,
  sender: Sender | undefined,
  request: Headers,
): Promise<HeaderChanges> {
  if (sender === undefined) return authenticator.headers({ metadata: new Map() }, request)
  const { metadata, auth, clientAddress } = sender
  const context = {
    metadata,
    ...(auth === undefined ? {} : { auth }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  }
  return authenticator.headers(context, request)
}
