import { withoutReferences } from './references.ts'
import type { Rule } from './subject.ts'

const OTEL = ['diagnostics', 'otel'] as const

/** Names of headers that carry secrets. */
const SECRET_HEADER = /^authorization$|^proxy-authorization$|api-?key|token|secret|password|cookie/i
/** What may stand beside the secret. */
const SCHEME = /^(api-token|basic|bearer|apikey|token)\s*/i

/** Secrets that stand in the file. What they are is never told. */
export const plainSecretRule: Rule = function* (subject) {
  const headers = subject.map(...OTEL, 'headers')
  if (headers === undefined) return
  for (const [name, node] of headers.entries()) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || !SECRET_HEADER.test(name)) continue
    if (withoutReferences(node.value).replace(SCHEME, '').trim() === '') continue
    const message = `holds a secret in plain text: write \${NAME} and set the variable for the gateway`
    yield subject.find('warning', 'plain-secret', [...OTEL, 'headers', name], message)
  }
}

/** Logs are off by default; backends with basic authentication are usually set up without them. */
export const logsRule: Rule = function* (subject) {
  if (!subject.exports) return
  const path = [...OTEL, 'logs']
  const basic = /^basic\s/i.test(authorization(subject.map(...OTEL, 'headers')) ?? '')
  if (basic && subject.sends('logs')) {
    const message =
      'backends with basic authentication usually take no logs by OTLP from the gateway: leave it out, unless yours does'
    yield subject.find('warning', 'logs', path, message)
  } else if (!basic && subject.node(...path) === undefined && !subject.isOpen(...OTEL)) {
    yield subject.find(
      'warning',
      'logs',
      path,
      'is not set, so no logs are sent, security records among them; false if that is meant',
    )
  }
}

function authorization(headers: ReturnType<Parameters<Rule>[0]['map']>): string | undefined {
  for (const [name, node] of headers?.entries() ?? []) {
    if (name.toLowerCase() === 'authorization' && node.kind === 'scalar') return String(node.value)
  }
  return undefined
}
