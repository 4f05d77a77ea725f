import { t } from '#core/config'

/** The `auth` section of clients. */
export const clientAuth = t.whenPresent(
  t.section({
    authenticator: t.componentId({
      description: 'The extension that proves who we are, listed in `service::extensions`.',
    }),
  }),
  { description: 'How we prove to the server who we are.' },
)

/** The `middlewares` option of clients, for the Collector's configurations. */
export const clientMiddlewares = t.list(
  t.section({ id: t.componentId({ description: 'The extension, listed in `service::extensions`.' }) }),
  { default: [], description: 'Extensions between client and server. Not supported: must stay empty.' },
)

/** A middleware that is left out in silence could be one that matters. */
export function* checkMiddlewares(middlewares: readonly { readonly id: string }[]): Iterable<string> {
  if (middlewares.length > 0) yield 'middlewares: must be empty, because middlewares of clients are not supported'
}
