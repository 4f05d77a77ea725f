import { type Static, t } from '#core/config'
import { InvalidEndpoint, parseListenAddress } from '#core/net'

/** The options of the `pprof` extension. */
export const pprofConfig = t.section({
  endpoint: t.endpoint({
    default: 'localhost:1777',
    listens: true,
    description: 'Where to listen: `host:port`, or `:port` for every interface.',
  }),
  dialer: t.section(
    { timeout: t.duration({ default: '0s', description: 'Accepted for compatibility; servers do not dial.' }) },
    { description: 'Accepted for compatibility.' },
  ),
  block_profile_fraction: t.integer({
    default: 0,
    description: 'Accepted for compatibility: there is no profile of blocking in V8.',
  }),
  mutex_profile_fraction: t.integer({
    default: 0,
    description: 'Accepted for compatibility: there is no profile of mutexes in V8.',
  }),
  save_to_file: t.string({
    default: '',
    description: 'File for a CPU profile from the start of the collector to its end.',
  }),
})

export type PprofConfig = Static<typeof pprofConfig>

/** Faults of a whole configuration. */
export function* checkPprof({ endpoint }: PprofConfig): Iterable<string> {
  try {
    parseListenAddress(endpoint)
  } catch (error) {
    if (!(error instanceof InvalidEndpoint)) throw error
    yield `endpoint: ${error.message}`
  }
}
