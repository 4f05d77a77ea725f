import type { Format, MappingOptions } from '../mapping/format.ts'
import { gradeOf } from '../mapping/severity.ts'
import { timestamp } from '../mapping/timestamp.ts'
import { valueText } from '../mapping/value-text.ts'
import { eventWord } from '../ocsf/select-class.ts'
import { CEF_SEVERITY } from './cef.ts'

/** Attributes and their keys, in order; of several attributes for one key the first one there counts. */
export const LEEF_KEYS: readonly (readonly [attribute: string, key: string])[] = [
  ['source.address', 'src'],
  ['client.address', 'src'],
  ['source.port', 'srcPort'],
  ['client.port', 'srcPort'],
  ['destination.address', 'dst'],
  ['server.address', 'dst'],
  ['destination.port', 'dstPort'],
  ['server.port', 'dstPort'],
  ['user.name', 'usrName'],
  ['network.transport', 'proto'],
  ['url.full', 'url'],
  ['host.name', 'identHostName'],
]

/** The same for the attributes of an agent gateway's security records, behind `<prefix>.security.`. */
export const LEEF_GATEWAY_KEYS: readonly (readonly [attribute: string, key: string])[] = [
  ['outcome', 'outcome'],
  ['reason', 'reason'],
  ['policy.id', 'policy'],
  ['actor.role', 'role'],
]

/**
 * A line of IBM's Log Event Extended Format 2.0, attributes apart by tabs. Attributes that have no key of their own
 * follow under their names.
 */
export function leefFormat({ defaultAttributes, product }: MappingOptions): Format {
  return facts => {
    const { resource, scope } = facts.source
    const word = eventWord(facts)
    const header = [
      valueText(resource.get('service.namespace')) || product.vendor,
      valueText(resource.get('service.name')) || product.name,
      valueText(resource.get('service.version')) || product.version,
      valueText(facts.get('rule.id')) || word || 'log',
    ].map(text => text.replace(/[|\t\r\n]+/g, ' '))
    const members = new Map<string, string>([
      ['devTime', timestamp(facts.when)],
      ['devTimeFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSX"],
      ['sev', String(Math.max(1, CEF_SEVERITY[gradeOf(facts)]!))],
      ['eventId', facts.id],
    ])
    if (word !== '') members.set('cat', word)
    if (facts.bodyText !== '') members.set('msg', valueText(facts.body))
    const used = new Set<string>()
    for (const [attribute, key] of LEEF_KEYS) {
      const value = facts.get(attribute)
      if (value === undefined || value === null || members.has(key)) continue
      members.set(key, valueText(value))
      used.add(attribute)
    }
    for (const [name, key] of LEEF_GATEWAY_KEYS) {
      const value = facts.gateway?.text(name)
      if (!value || members.has(key)) continue
      members.set(key, value)
      used.add(facts.gateway!.name(name))
    }
    const rest = (name: string, value: string) => {
      let key = name.replace(/[=\s]/g, '_') || '_'
      while (members.has(key)) key += '_'
      members.set(key, value)
    }
    if (facts.traceId !== '') rest('traceId', facts.traceId)
    if (facts.spanId !== '') rest('spanId', facts.spanId)
    facts.names.forEach((name, i) => {
      if (!used.has(name)) rest(name, valueText(facts.values[i]))
    })
    for (const attributes of [scope, resource]) {
      for (const [name, value] of attributes) {
        if (!used.has(name) && !facts.names.includes(name)) rest(name, valueText(value))
      }
    }
    for (const [name, value] of Object.entries(defaultAttributes)) rest(name, valueText(value))
    const text = [...members].map(([key, value]) => `${key}=${memberText(value)}`).join('\t')
    return `LEEF:2.0|${header.join('|')}|x09|${text}`
  }
}

/** LEEF has no escapes: what would end a member or a line becomes a space. */
function memberText(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ')
}
