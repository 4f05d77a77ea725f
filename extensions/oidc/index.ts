import { defineExtension } from '#core/component'
import { checkOidc, oidcConfig } from './config.ts'
import { OidcExtension } from './extension.ts'

/** Tokens of OpenID Connect providers, checked on servers. */
export const oidcExtension = defineExtension({
  type: 'oidc',
  description: 'Lets in bearers of tokens that an OpenID Connect provider has issued.',
  stability: 'beta',
  config: oidcConfig,
  check: checkOidc,
  create: (config, context) => new OidcExtension(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { oidcExtension as oidc }
