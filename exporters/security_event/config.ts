import { type Static, t } from '#core/config'
import { checkDelivery, type DeliveryConfig, deliveryFields } from '#core/delivery'
import { checkHttpClient, httpClientFields } from '#core/net'
import { FORMATS } from './mapping/format.ts'
import { PRESETS } from './targets/presets.ts'

const batch = t.section({
  max_events: t.integer({ default: 500, minimum: 1, description: 'Most events in one request.' }),
  max_bytes: t.bytes({ default: '1MiB', description: 'Most bytes in one request, before compression.' }),
  flush_timeout: t.duration({
    default: '1s',
    description: 'Send what there is after this long, even if it is not `max_events`.',
  }),
})

const deadLetter = t.section({
  directory: t.string({ description: 'Where the files go; created when it is not there.' }),
  max_bytes: t.bytes({
    default: '256MiB',
    description: 'How much may lie in the directory. What comes when it is full is lost, logged and counted.',
  }),
  max_file_bytes: t.bytes({ default: '16MiB', description: 'Start a new file before this one grows larger.' }),
  max_file_age: t.duration({
    default: '1m',
    description: 'Finish a file after this long, so that it can be sent again.',
  }),
})

/** The options of the `security_event` exporter. */
export const securityEventConfig = t.section({
  ...httpClientFields({ timeout: '30s' }),
  endpoint: t.endpoint({
    default: 'http://localhost:8080/security-events',
    description: 'URL that events are posted to. Where it has no path, that of the preset is added.',
  }),
  preset: t.oneOf(PRESETS, { default: 'webhook', description: 'What receives the events.' }),
  format: t.optional(
    t.oneOf(FORMATS, { description: 'How an event is written; what the preset prefers when left out.' }),
  ),
  token: t.secret({ default: '', description: 'API token or key, sent as the preset wants it.' }),
  default_attributes: t.map(t.any({ description: 'A value.' }), {
    default: {},
    description: 'Put into every event that has nothing else under the name.',
  }),
  prefix: t.section(
    {
      resource: t.string({ default: '', description: 'Before the names of resource attributes, in `flat`.' }),
      log: t.string({ default: '', description: 'Before the names of record attributes, in `flat`.' }),
    },
    { description: 'Keeps attributes apart.' },
  ),
  agent_gateway_prefix: t.string({
    default: 'openclaw',
    minLength: 1,
    description: 'What the names of an AI agent gateway begin with: its security records have a mapping of their own.',
  }),
  max_event_bytes: t.bytes({
    default: '4MiB',
    description: 'A larger event is not sent. The limit of the preset counts where it is smaller.',
  }),
  webhook: t.section(
    {
      body: t.oneOf(['array', 'ndjson', 'single', 'wrapped'], {
        default: 'array',
        description: 'A JSON array, an object a line, one event a request, or `{"events":[...]}`.',
      }),
      response: t.oneOf(['status', 'items'], {
        default: 'status',
        description: 'Whether a success may name events it did not take: `{"rejected":[{"index":0,"reason":"..."}]}`.',
      }),
    },
    { description: 'For the preset `webhook`.' },
  ),
  splunk_hec: t.section(
    {
      index: t.string({ default: '', description: 'Index; empty for that of the token.' }),
      source: t.string({ default: 'otel', description: 'Source of the events.' }),
      sourcetype: t.string({ default: 'otel:securityevent', description: 'Source type of the events.' }),
    },
    { description: 'For the preset `splunk_hec`.' },
  ),
  elastic: t.section(
    { index: t.string({ default: 'logs-securityevent-default', description: 'Index or data stream.' }) },
    { description: 'For the preset `elastic`.' },
  ),
  datadog: t.section(
    {
      source: t.string({ default: 'otel', description: 'Sent as `ddsource`.' }),
      tags: t.string({ default: '', description: 'Sent as `ddtags`, for example `env:prod,team:sec`.' }),
    },
    { description: 'For the preset `datadog`.' },
  ),
  sentinel: t.section(
    {
      tenant_id: t.string({ default: '', description: 'Directory that the application belongs to.' }),
      client_id: t.string({ default: '', description: 'Application that may publish to the rule.' }),
      client_secret: t.secret({ default: '', description: 'Its secret.' }),
      rule_id: t.string({ default: '', description: 'Immutable id of the data collection rule.' }),
      stream: t.string({ default: '', description: 'Stream of the rule, for example `Custom-SecurityEvents_CL`.' }),
      authority: t.string({
        default: 'https://login.microsoftonline.com',
        description: 'Where tokens come from.',
      }),
    },
    { description: 'For the preset `sentinel`.' },
  ),
  google_secops: t.section(
    {
      credentials_file: t.string({
        default: '',
        description: 'JSON key of a service account. Without it, `token` or an `auth` extension must prove who we are.',
      }),
      forwarder: t.string({
        default: '',
        description: 'Forwarder that entries are ascribed to: `projects/.../forwarders/<id>`.',
      }),
      log_type: t.string({ default: 'UDM', description: 'Log type, told as a label beside each entry.' }),
    },
    { description: 'For the preset `google_secops`.' },
  ),
  sumo_logic: t.section(
    {
      category: t.string({ default: '', description: 'Sent as `X-Sumo-Category`.' }),
      name: t.string({ default: '', description: 'Sent as `X-Sumo-Name`.' }),
      host: t.string({ default: '', description: 'Sent as `X-Sumo-Host`.' }),
    },
    { description: 'For the preset `sumo_logic`, whose `token` is the last part of the source URL.' },
  ),
  retry_on_status: t.optional(
    t.list(t.integer({ minimum: 300, maximum: 599, description: 'A status.' }), {
      description: 'Answers after which a request is tried again, instead of those of the preset.',
    }),
  ),
  batch: t.unlessDisabled(batch, { description: 'Several events in one request.' }),
  dead_letter: t.whenPresent(deadLetter, { description: 'Keeps what could not be delivered, with the reason.' }),
  signing: t.whenPresent(
    t.section({
      secret: t.secret({ description: 'Key of the signature.' }),
      header: t.string({ default: 'x-signature-256', description: 'Header that has it.' }),
    }),
    { description: 'Signs each body, before compression, by HMAC-SHA256: `sha256=<hex>`.' },
  ),
  ...deliveryFields({ timeout: '30s' }),
})
export type SecurityEventConfig = Static<typeof securityEventConfig>

/** Faults across options. */
export function* checkSecurityEvent(config: SecurityEventConfig): Iterable<string> {
  const { endpoint, preset, sentinel } = config
  if (endpoint === '') yield 'endpoint is required'
  else if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) yield 'endpoint: must be a http or https URL'
  if (preset === 'sentinel') {
    for (const key of ['tenant_id', 'client_id', 'client_secret', 'rule_id', 'stream'] as const) {
      if (sentinel[key] === '') yield `sentinel::${key}: is required by the preset sentinel`
    }
  }
  if (preset === 'sentinel' || preset === 'datadog' || preset === 'elastic') {
    if (config.format === 'cef' || config.format === 'leef') {
      yield `format: ${preset} takes JSON objects, ${config.format} is text`
    }
  }
  yield* checkHttpClient(config)
  yield* checkDelivery(config)
}

/**
 * What delivery is to do: batches as configured here, unless the queue has a section of its own for them. A request has
 * its time limit from the HTTP client, so that one attempt may consist of several requests.
 */
export function deliveryOf(config: SecurityEventConfig): DeliveryConfig {
  const { retry_on_failure, sending_queue: queue, batch } = config
  const common = { timeout: 0, retry_on_failure }
  if (queue === undefined || queue.batch !== undefined || batch === undefined)
    return { ...common, sending_queue: queue }
  const { max_events: max, flush_timeout } = batch
  const least = queue.sizer === 'items' ? Math.min(max, queue.queue_size) : max
  const merged = {
    flush_timeout,
    min_size: least,
    max_size: max,
    sizer: 'items',
    partition: { metadata_keys: [] },
  } as const
  return { ...common, sending_queue: { ...queue, batch: merged } }
}
