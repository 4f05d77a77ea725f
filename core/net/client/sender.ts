import type { AuthData, Metadata } from '#core/component'
import type { ClientAuthenticator } from '../auth.ts'

/** Whose data is sent; what an authenticator may look at. */
export interface Sender {
  readonly metadata: Metadata
  readonly auth?: AuthData | undefined
  readonly clientAddress?: string | undefined
}

/** The headers with which `authenticator` proves who we are. */
export function authHeaders(
  authenticator: ClientAuthenticator,
  sender: Sender | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (sender === undefined) return authenticator.headers({ metadata: new Map() })
  const { metadata, auth, clientAddress } = sender
  return authenticator.headers({
    metadata,
    ...(auth === undefined ? {} : { auth }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  })
}
