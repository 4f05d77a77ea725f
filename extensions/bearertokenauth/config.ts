import { type Static, t } from '#core/config'

/** The options of the `bearertokenauth` extension, with the Collector's keys and defaults. */
export const bearerTokenAuthConfig = t.section({
  scheme: t.string({ default: 'Bearer', description: 'The word before the token; empty: the header is the token.' }),
  header: t.string({
    default: 'Authorization',
    minLength: 1,
    description: 'The header that carries scheme and token.',
  }),
  token: t.secret({ default: '', description: 'The token.' }),
  tokens: t.list(t.secret({ description: 'A token.' }), {
    default: [],
    description: 'Several tokens, all of which a server takes; a client sends the first.',
  }),
  filename: t.string({
    default: '',
    description: 'File with a token a line, followed when it changes; wins over `token` and `tokens`.',
  }),
  file_retry: t.section(
    {
      enabled: t.boolean({
        default: false,
        description: 'Starts without the file and waits for it; until then nobody is let in and nothing is sent.',
      }),
      max_retries: t.integer({
        default: 0,
        minimum: 0,
        description: 'How often the file is tried again; 0: no limit.',
      }),
      retry_interval: t.duration({ default: '5s', description: 'The time between two tries.' }),
    },
    { description: 'What happens when `filename` is not there at the start.' },
  ),
})

export type BearerTokenAuthConfig = Static<typeof bearerTokenAuthConfig>

/** Faults across the options, in the Collector's words. */
export function* checkBearerTokenAuth(config: BearerTokenAuthConfig): Iterable<string> {
  const { token, tokens, filename, file_retry: retry } = config
  if (token === '' && tokens.length === 0 && filename === '') yield 'no bearer token provided'
  if (token !== '' && tokens.length > 0) yield 'either tokens or token should be provided, not both'
  if (tokens.includes('')) yield 'tokens: no token may be empty'
  if (retry.enabled && retry.retry_interval <= 0) yield 'file_retry::retry_interval: must be positive'
}
