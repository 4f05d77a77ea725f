import { type Static, t } from '#core/config'

/** The options of the `basicauth` extension, with the Collector's keys. */
export const basicAuthConfig = t.section({
  htpasswd: t.whenPresent(
    t.section({
      file: t.string({ default: '', description: 'An htpasswd file, followed when it changes.' }),
      inline: t.secret({ default: '', description: 'Lines of an htpasswd file; they win over those of `file`.' }),
    }),
    { description: 'Who is let in: for servers.' },
  ),
  client_auth: t.whenPresent(
    t.section({
      username: t.string({ default: '', description: 'The user name.' }),
      password: t.secret({ default: '', description: 'The password.' }),
      username_file: t.string({
        default: '',
        description: 'File with the user name, followed when it changes; wins over `username`.',
      }),
      password_file: t.string({
        default: '',
        description: 'File with the password, followed when it changes; wins over `password`.',
      }),
    }),
    { description: 'As whom we come: for exporters.' },
  ),
})

export type BasicAuthConfig = Static<typeof basicAuthConfig>
export type HtpasswdConfig = NonNullable<BasicAuthConfig['htpasswd']>
export type ClientAuthConfig = NonNullable<BasicAuthConfig['client_auth']>

/** Faults across the options, in the Collector's words. */
export function* checkBasicAuth({ htpasswd, client_auth: client }: BasicAuthConfig): Iterable<string> {
  if (htpasswd !== undefined && client !== undefined) {
    yield 'only one of `htpasswd` or `client_auth` can be specified'
  } else if (htpasswd !== undefined) {
    if (htpasswd.file === '' && htpasswd.inline === '') yield 'htpasswd: no credential source provided'
  } else if (client === undefined) {
    yield 'no credential source provided'
  } else if (client.username.includes(':')) {
    yield 'client_auth::username: must not contain a colon'
  }
}
