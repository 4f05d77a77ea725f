import { DEFAULT_ENDPOINT, SWAPS_SIGNAL_PATHS_SINCE } from '../gateway/facts.ts'
import { isBefore } from '../gateway/version.ts'
import type { Finding } from './finding.ts'
import { hasReference } from './references.ts'
import type { Rule, Subject } from './subject.ts'

const OTEL = ['diagnostics', 'otel'] as const
const SIGNALS = ['traces', 'metrics', 'logs'] as const
const SHARED = 'OTEL_EXPORTER_OTLP_ENDPOINT'

/** Where telemetry goes. */
export const endpointRule: Rule = function* (subject) {
  if (!subject.exports) return
  const shared = subject.text(...OTEL, 'endpoint')
  for (const signal of SIGNALS) {
    const key = `${signal}Endpoint`
    const own = subject.text(...OTEL, key)
    if (own !== undefined) yield* urlFindings(subject, key, own)
  }
  if (shared !== undefined) {
    yield* urlFindings(subject, 'endpoint', shared)
    yield* signalPath(subject, shared)
    return
  }
  const variables = (signal: string) => [SHARED, `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]
  const lost = SIGNALS.filter(
    signal =>
      subject.sends(signal) &&
      subject.node(...OTEL, `${signal}Endpoint`) === undefined &&
      !variables(signal).some(name => subject.env[name]),
  )
  if (lost.length > 0 && subject.node(...OTEL, 'endpoint') === undefined && !subject.isOpen(...OTEL)) {
    const message = `is not set: ${list(lost)} silently go to ${DEFAULT_ENDPOINT}`
    yield subject.find('warning', 'no-endpoint', [...OTEL, 'endpoint'], message)
  }
}

function* urlFindings(subject: Subject, key: string, text: string): Iterable<Finding> {
  const path = [...OTEL, key]
  if (hasReference(text)) return
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    yield subject.find('error', 'endpoint', path, 'must be a URL that begins with http:// or https://')
    return
  }
  if (url.username !== '' || url.password !== '') {
    yield subject.find('warning', 'plain-secret', path, `holds credentials: put them into headers, as \${NAME}`)
  }
  if (url.port === '4317') {
    const message = 'port 4317 is where gRPC is spoken by convention, and the gateway speaks HTTP: 4318 may be meant'
    yield subject.find('warning', 'grpc-port', path, message)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const secret = subject.map(...OTEL, 'headers')?.map.size ? ', headers included,' : ''
    yield subject.find(
      'warning',
      'remote-http',
      path,
      `telemetry${secret} leaves this machine unencrypted: use https://`,
    )
  }
  if (/\/api\/v2\/otlp/.test(url.pathname) && subject.sends('metrics')) {
    const message =
      'this backend takes metrics with delta temporality only, and the gateway sends cumulative: send by a collector that converts them'
    yield subject.find('warning', 'temporality', path, message)
  }
}

function* signalPath(subject: Subject, text: string): Iterable<Finding> {
  const signal = /\/v1\/(traces|metrics|logs)\/?(?:[?#]|$)/.exec(text)?.[1]
  if (signal === undefined) return
  const others = SIGNALS.filter(other => other !== signal && subject.sends(other))
  const misled = others.length > 0 && isBefore(subject.version, SWAPS_SIGNAL_PATHS_SINCE)
  const message = misled
    ? `must be the base URL without /v1/${signal}: ${subject.version.text} posts ${list(others)} there too`
    : `should be the base URL without /v1/${signal}, which the gateway adds`
  yield subject.find(misled ? 'error' : 'warning', 'signal-path', [...OTEL, 'endpoint'], message)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host)
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
