import { defineExtension } from '#core/component'
import { bearerTokenAuthConfig, checkBearerTokenAuth } from './config.ts'
import { BearerTokenAuth } from './extension.ts'

/** Bearer tokens: checked on servers, sent by clients. */
export const bearerTokenAuthExtension = defineExtension({
  type: 'bearertokenauth',
  aliases: ['bearer_token_auth'],
  description: 'Lets in who shows a token, and shows it to destinations.',
  stability: 'beta',
  config: bearerTokenAuthConfig,
  check: checkBearerTokenAuth,
  create: (config, context) => new BearerTokenAuth(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { bearerTokenAuthExtension as bearertokenauth }
