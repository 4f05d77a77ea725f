import { counter } from '#core/component'

export const bearerTokenAuthInstruments = {
  usage: counter({
    name: 'otelcol_bearer_token_auth_usage',
    unit: '{attempt}',
    description: 'Number of authentication attempts with bearer tokens',
    level: 'normal',
    labels: ['auth_type', 'auth_status', 'token_index', 'token_matched'],
  }),
} as const
