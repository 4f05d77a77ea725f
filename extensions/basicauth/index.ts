import { defineExtension } from '#core/component'
import { BasicAuthClient } from './client.ts'
import { basicAuthConfig, checkBasicAuth } from './config.ts'
import { BasicAuthServer } from './server.ts'

/** User names and passwords: checked on servers, sent by clients. */
export const basicAuthExtension = defineExtension({
  type: 'basicauth',
  aliases: ['basic_auth'],
  description: 'Lets in users with their passwords, or comes as one to destinations.',
  stability: 'beta',
  config: basicAuthConfig,
  check: checkBasicAuth,
  create: (config, context) =>
    config.htpasswd === undefined
      ? new BasicAuthClient(config.client_auth!, context)
      : new BasicAuthServer(config.htpasswd, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { basicAuthExtension as basicauth }
