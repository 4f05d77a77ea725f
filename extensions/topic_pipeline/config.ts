import { type Static, t } from '#core/config'
import { networkFault } from '#core/net'
import { checkLanguageModelConfig, languageModelConfig } from './language_model/config.ts'
import { checkSources, sourcesConfig } from './scanners/sources-config.ts'

const scan = t.section(
  {
    enabled: t.boolean({
      default: true,
      description: 'Scan enabled categories when they are due. Without it only `POST /api/pipeline/scan` does.',
    }),
    max_results: t.integer({ default: 25, minimum: 1, maximum: 500, description: 'Most topics of one scan.' }),
    time_zone: t.string({
      default: 'UTC',
      description: 'Zone of cron expressions of categories, for example `Europe/Berlin`.',
    }),
  },
  { description: 'When and how much is scanned.' },
)

const jobs = t.section(
  {
    extract: t.integer({
      default: 4,
      minimum: 0,
      maximum: 64,
      description: 'EXTRACT jobs at a time; 0, with `database` only: none here.',
    }),
    analyze: t.integer({
      default: 2,
      minimum: 0,
      maximum: 64,
      description: 'ANALYZE jobs at a time; 0, with `database` only: none here.',
    }),
    generate: t.integer({
      default: 2,
      minimum: 0,
      maximum: 64,
      description: 'GENERATE jobs at a time; 0, with `database` only: none here.',
    }),
    lease: t.duration({
      default: '1m',
      description: 'A job whose worker has not been heard of for so long is given to another.',
    }),
    poll_interval: t.duration({
      default: '2s',
      description: 'How often to look for jobs that another process on the same PostgreSQL has added.',
    }),
    max_attempts: t.integer({
      default: 3,
      minimum: 1,
      maximum: 100,
      description: 'Failures after which a job is FAILED.',
    }),
    max_stalls: t.integer({
      default: 3,
      minimum: 1,
      maximum: 100,
      description: 'Workers that a job may outlive before it is FAILED.',
    }),
    retry_delay: t.duration({ default: '30s', description: 'Pause after the first failure; doubles with each.' }),
    max_retry_delay: t.duration({ default: '1h', description: 'Longest pause between two attempts.' }),
    grace: t.duration({
      default: '5s',
      description: 'How long running jobs may take to end when the collector stops.',
    }),
    keep_completed: t.duration({ default: '168h', description: 'How long COMPLETED jobs are kept.' }),
    keep_failed: t.duration({ default: '720h', description: 'How long FAILED jobs are kept.' }),
  },
  { description: 'How much is done at a time, and how often it is tried.' },
)

const fetching = t.section(
  {
    contact: t.string({
      default: '',
      description: 'URL or mail address that is sent in `User-Agent`, so that sites can reach you.',
    }),
    allow_private: t.list(t.string({ description: 'A network such as `10.1.0.0/16`.' }), {
      default: [],
      description: 'Networks that pages and feeds may be fetched from although they are not public.',
    }),
    host_interval: t.duration({
      default: '1s',
      description: 'Least time between two pages of one host; its robots.txt may ask for more.',
    }),
    max_size: t.bytes({ default: '5MiB', description: 'Largest page or feed, decompressed.' }),
    timeout: t.duration({ default: '20s', description: 'Longest wait for a page or feed, redirects included.' }),
  },
  { description: 'How pages and feeds are fetched. Only public addresses are.' },
)

export const topicPipelineConfig = t.section({
  database: t.secret({
    default: '',
    description: '`postgres://user:password@host/database`. Empty: a SQLite file in `data_dir`, nothing to install.',
  }),
  data_dir: t.string({
    default: './data/topics',
    minLength: 1,
    description: 'Where the SQLite file is; created when it is not there.',
  }),
  sources: sourcesConfig,
  language_model: languageModelConfig,
  scan,
  jobs,
  fetch: fetching,
  quality_threshold: t.number({
    default: 0.5,
    minimum: 0,
    maximum: 1,
    description: 'Topics of lower quality are rejected.',
  }),
  relevance_threshold: t.optional(
    t.number({
      minimum: 0,
      maximum: 1,
      description: 'Topics of lower relevance are rejected; by default 0.6 with a language model, 0.3 without.',
    }),
  ),
  languages: t.list(t.string({ description: 'ISO 639-1, for example `en`.' }), {
    default: ['en'],
    description: 'Topics in other languages are rejected. Empty: all are taken.',
  }),
  max_upload_size: t.bytes({ default: '1MiB', description: 'Largest piece of your own writing.' }),
  max_regenerations: t.integer({
    default: 5,
    minimum: 0,
    maximum: 1000,
    description: 'How often a draft of a topic, or group, may be written anew in a format.',
  }),
})

export type TopicPipelineConfig = Static<typeof topicPipelineConfig>

/** What the types of the options do not say. */
export function* checkTopicPipelineConfig(config: TopicPipelineConfig): Iterable<string> {
  const { database, fetch, scan, jobs } = config
  if (database !== '' && !/^postgres(?:ql)?:\/\//.test(database)) {
    yield 'database: must begin with postgres:// or be empty'
  }
  for (const [i, network] of fetch.allow_private.entries()) {
    const fault = networkFault(network)
    if (fault !== undefined) yield `fetch::allow_private::${i}: ${fault}`
  }
  if (!isTimeZone(scan.time_zone)) yield `scan::time_zone: unknown time zone ${JSON.stringify(scan.time_zone)}`
  for (const stage of ['extract', 'analyze', 'generate'] as const) {
    if (database === '' && jobs[stage] === 0)
      yield `jobs::${stage}: must be at least 1 without database, where nobody else does them`
  }
  if (jobs.lease < 1000) yield 'jobs::lease: must be at least 1s'
  if (jobs.max_retry_delay < jobs.retry_delay) yield 'jobs::max_retry_delay: must not be less than retry_delay'
  for (const fault of checkLanguageModelConfig(config.language_model)) yield `language_model::${fault}`
  for (const fault of checkSources(config.sources)) yield `sources::${fault}`
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
