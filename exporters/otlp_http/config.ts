import { type Static, t } from '#core/config'
import { checkDelivery, deliveryFields } from '#core/delivery'
import { checkHttpClient, httpClientFields } from '#core/net'
import { ENDPOINT_KEYS } from './urls.ts'

/** The options of the `otlp_http` exporter. */
export const otlpHttpConfig = t.section({
  ...httpClientFields({ compression: 'gzip', timeout: '30s', write_buffer_size: 512 * 1024 }),
  endpoint: t.endpoint({
    default: '',
    description: 'Base URL of the server; `/v1/traces`, `/v1/metrics`, `/v1/logs` are appended.',
  }),
  traces_endpoint: t.endpoint({ default: '', description: 'URL for traces, used as it is.' }),
  metrics_endpoint: t.endpoint({ default: '', description: 'URL for metrics, used as it is.' }),
  logs_endpoint: t.endpoint({ default: '', description: 'URL for logs, used as it is.' }),
  profiles_endpoint: t.endpoint({ default: '', description: 'URL for profiles, used as it is.' }),
  encoding: t.oneOf(['proto', 'json'], { default: 'proto', description: 'How messages are written.' }),
  ...deliveryFields({ timeout: '30s' }),
})
export type OtlpHttpConfig = Static<typeof otlpHttpConfig>

/** Faults across options. */
export function* checkOtlpHttp(config: OtlpHttpConfig): Iterable<string> {
  const keys = ['endpoint', ...Object.values(ENDPOINT_KEYS)] as const
  if (keys.every(key => config[key] === '')) yield 'either endpoint or traces_endpoint must be specified'
  for (const key of keys) {
    const url = config[key]
    if (url === '') continue
    const parsed = URL.parse(url)
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) yield `${key}: must be a http or https URL`
  }
  yield* checkHttpClient(config)
  yield* checkDelivery(config)
}
