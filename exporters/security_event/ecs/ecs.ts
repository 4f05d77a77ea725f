import type { Value } from '#core/data'
import type { Facts } from '../mapping/facts.ts'
import type { Format, MappingOptions, Tally } from '../mapping/format.ts'
import { isIp } from '../mapping/is-ip.ts'
import { emptyObject, type Json, type JsonObject, plainJson } from '../mapping/plain-json.ts'
import { gradeOf, severityName } from '../mapping/severity.ts'
import { timestamp } from '../mapping/timestamp.ts'
import { valueText } from '../mapping/value-text.ts'
import { ALERT, eventWord } from '../ocsf/select-class.ts'
import { ECS_ADDRESSES, ECS_FIELD_SETS, ECS_RENAMES } from './attributes.ts'

/** The version of the schema that documents follow. */
export const ECS_VERSION = '8.17.0'

/** The fields that a document has of itself, and where each comes from. */
export const ECS_FIELDS = {
  '@timestamp': 'time, else observed time, else now',
  'ecs.version': `\`${ECS_VERSION}\``,
  message: 'body, lists and maps as JSON',
  'log.level': 'severity text, else the name of the severity number',
  'log.logger': 'name of the scope',
  'event.id': "id of an agent gateway's security record, else hash of the whole record",
  'event.kind':
    '`alert` where the event name ends as that of an OCSF finding or a `rule.*` attribute is there, else `event`',
  'event.category':
    'by attributes and event name: authentication, web, process, intrusion_detection; of an agent gateway also iam, package, configuration',
  'event.reason, user.hash, rule.id': 'reason, hash of the actor and policy of an agent gateway',
  'event.type': '`denied` or `error` where the event says so, else `info`',
  'event.outcome': '`event.outcome` or that of an agent gateway, `success`, `failure` or `unknown`',
  'event.action': 'event name',
  'event.severity': 'how grave, 0 to 6 as in OCSF',
  'event.created': 'observed time',
  'event.dataset': '`service.name`',
  'trace.id': 'trace id',
  'span.id': 'span id',
  'related.ip, .user, .hosts': 'addresses, user names and host names anywhere in the document',
} as const satisfies Record<string, string>

/** A document of the Elastic Common Schema. Attributes without a field of their own become `labels`. */
export function ecsFormat({ defaultAttributes }: MappingOptions): Format {
  return (facts, tally) => JSON.stringify(new Document(facts, tally).build(defaultAttributes))
}

class Document {
  readonly #facts: Facts
  readonly #tally: Tally
  readonly #root = emptyObject()
  readonly #labels = emptyObject()
  readonly #related = { ip: new Set<string>(), user: new Set<string>(), hosts: new Set<string>() }

  constructor(facts: Facts, tally: Tally) {
    this.#facts = facts
    this.#tally = tally
  }

  build(defaults: Readonly<Record<string, Json>>): JsonObject {
    this.#own()
    const { names, values, source } = this.#facts
    names.forEach((name, i) => {
      this.#attribute(name, values[i]!)
    })
    for (const [name, value] of source.scope) this.#attribute(name, value)
    for (const [name, value] of source.resource) this.#attribute(name, value)
    for (const [name, value] of Object.entries(defaults)) {
      const label = labelName(name)
      if (!(label in this.#labels)) this.#labels[label] = value
    }
    for (const [kind, seen] of Object.entries(this.#related)) {
      if (seen.size > 0) this.#put(`related.${kind}`, [...seen])
    }
    if (Object.keys(this.#labels).length > 0) this.#root.labels = this.#labels
    return this.#root
  }

  #own(): void {
    const facts = this.#facts
    const { severityText, severityNumber, source, observedTime, traceId, spanId } = facts
    this.#root['@timestamp'] = timestamp(facts.when)
    this.#put('ecs.version', ECS_VERSION)
    if (facts.bodyText !== '') this.#root.message = valueText(facts.body)
    const level = severityText === '' ? severityName(severityNumber) : severityText
    if (level !== 'UNSPECIFIED') this.#put('log.level', level.toLowerCase())
    if (source.scopeName !== '') this.#put('log.logger', source.scopeName)
    this.#event()
    if (observedTime !== 0n) this.#put('event.created', timestamp(observedTime))
    if (traceId !== '') this.#put('trace.id', traceId)
    if (spanId !== '') this.#put('span.id', spanId)
  }

  #event(): void {
    const facts = this.#facts
    const word = eventWord(facts)
    const { names } = facts
    const begins = (prefix: string) => names.some(name => name.startsWith(prefix))
    const alert = ALERT.test(word) || begins('rule.')
    const categories = [
      /(^|[._-])(auth(?!or)|login|logon|logout|signin)/i.test(word) && 'authentication',
      begins('http.') && 'web',
      begins('process.') && 'process',
      alert && 'intrusion_detection',
      this.#gatewayCategory(alert),
    ].filter(category => category !== false && category !== undefined)
    const outcome = outcomeOf(facts)
    this.#put('event.id', facts.id)
    this.#put('event.kind', alert ? 'alert' : 'event')
    if (categories.length > 0) this.#put('event.category', [...new Set(categories)])
    const denied = /(denied|blocked)$/i.test(word) || facts.gateway?.outcome === 'denied'
    this.#put('event.type', [denied ? 'denied' : facts.severityNumber >= 17 ? 'error' : 'info'])
    this.#put('event.outcome', outcome)
    this.#gateway()
    if (word !== '') this.#put('event.action', word)
    this.#put('event.severity', gradeOf(facts))
    const dataset = facts.source.resource.get('service.name')
    if (typeof dataset === 'string') this.#put('event.dataset', dataset)
  }

  #gatewayCategory(alert: boolean): string | undefined {
    const { gateway } = this.#facts
    if (gateway === undefined || alert) return undefined
    return gateway.text('action').startsWith('device.') ? 'iam' : GATEWAY_CATEGORIES[gateway.text('category')]
  }

  /** What an agent gateway's security record says of the event. A hash is nobody's name. */
  #gateway(): void {
    const { gateway } = this.#facts
    if (gateway === undefined) return
    const reason = gateway.text('reason')
    if (reason !== '') this.#put('event.reason', reason)
    const user = gateway.first('actor.device_id_hash', 'actor.id_hash')
    if (user !== undefined) this.#put('user.hash', user.text)
    const policy = gateway.text('policy.id')
    if (policy !== '' && !this.#facts.has('rule.id')) this.#put('rule.id', policy)
  }

  #attribute(name: string, value: Value): void {
    const field = ECS_RENAMES.get(name) ?? name
    const known = ECS_FIELD_SETS.has(field.slice(0, Math.max(0, field.indexOf('.'))))
    const converted = plainJson(value)
    if (!known || typeof converted === 'object' || !this.#put(field, converted)) this.#label(name, value)
    const side = ECS_ADDRESSES.get(name)
    if (typeof value !== 'string') return
    if (side !== undefined && isIp(value)) {
      this.#put(`${side}.ip`, value)
      this.#related.ip.add(value)
    }
    if (name === 'user.name') this.#related.user.add(value)
    if (name === 'host.name') this.#related.hosts.add(value)
  }

  /** A keyword of its own. Dots would make objects of labels. */
  #label(name: string, value: Value): void {
    let label = labelName(name)
    if (label in this.#labels) this.#tally.conflicts++
    while (label in this.#labels) label += '_'
    this.#labels[label] = typeof value === 'boolean' || typeof value === 'number' ? plainJson(value) : valueText(value)
  }

  /** Sets a field unless it, or something that is not an object on the way to it, is there. Tells whether it did. */
  #put(field: string, value: Json): boolean {
    const path = field.split('.')
    const last = path.pop()!
    let object = this.#root
    for (const name of path) {
      const next = object[name]
      if (next === undefined) {
        const made = emptyObject()
        object[name] = made
        object = made
      } else if (typeof next === 'object' && next !== null && !Array.isArray(next)) object = next as JsonObject
      else return false
    }
    if (last in object) return false
    object[last] = value
    return true
  }
}

/** Categories of an agent gateway's security records. */
const GATEWAY_CATEGORIES: Readonly<Record<string, string>> = {
  auth: 'authentication',
  approval: 'process',
  tool: 'process',
  plugin: 'package',
  config: 'configuration',
  audit: 'configuration',
}

function outcomeOf(facts: Facts): 'success' | 'failure' | 'unknown' {
  const outcome = facts.gateway?.outcome || (facts.text('event.outcome') ?? '').toLowerCase()
  if (outcome === 'success' || outcome === 'failure') return outcome
  return facts.gateway !== undefined && outcome !== '' ? 'failure' : 'unknown'
}

function labelName(name: string): string {
  return name.replaceAll('.', '_') || '_'
}
