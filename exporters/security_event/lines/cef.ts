import type { Facts } from '../mapping/facts.ts'
import type { Format, MappingOptions } from '../mapping/format.ts'
import { gradeOf } from '../mapping/severity.ts'
import { millisOf } from '../mapping/timestamp.ts'
import { valueText } from '../mapping/value-text.ts'
import { eventWord } from '../ocsf/select-class.ts'

/** Attributes and their keys in the extension, in order; of several attributes for one key the first one there counts. */
export const CEF_KEYS: readonly (readonly [attribute: string, key: string])[] = [
  ['source.address', 'src'],
  ['client.address', 'src'],
  ['source.port', 'spt'],
  ['client.port', 'spt'],
  ['destination.address', 'dst'],
  ['server.address', 'dst'],
  ['destination.port', 'dpt'],
  ['server.port', 'dpt'],
  ['user.name', 'suser'],
  ['user.id', 'suid'],
  ['enduser.id', 'suid'],
  ['url.full', 'request'],
  ['http.request.method', 'requestMethod'],
  ['user_agent.original', 'requestClientApplication'],
  ['event.outcome', 'outcome'],
  ['host.name', 'dvchost'],
  ['process.pid', 'spid'],
  ['process.executable.name', 'sproc'],
  ['file.path', 'filePath'],
  ['network.transport', 'proto'],
]

/** The same for the attributes of an agent gateway's security records, behind `<prefix>.security.`. */
export const CEF_GATEWAY_KEYS: readonly (readonly [attribute: string, key: string])[] = [
  ['outcome', 'outcome'],
  ['reason', 'reason'],
  ['category', 'cat'],
  ['actor.device_id_hash', 'suid'],
  ['actor.id_hash', 'suid'],
  ['target.name', 'destinationServiceName'],
]

/** The severity of CEF, 0 to 10, for each grade; see the severity table. */
export const CEF_SEVERITY = [0, 3, 4, 6, 8, 10, 10] as const

/**
 * A line of ArcSight's Common Event Format, version 0. Attributes that have no key of their own follow under their names
 * with everything but letters and digits taken out.
 */
export function cefFormat({ defaultAttributes, product }: MappingOptions): Format {
  return facts => {
    const word = eventWord(facts)
    const { resource } = facts.source
    const header = [
      valueText(resource.get('service.namespace')) || product.vendor,
      valueText(resource.get('service.name')) || product.name,
      valueText(resource.get('service.version')) || product.version,
      valueText(facts.get('rule.id')) || word || 'log',
      valueText(facts.get('rule.name')) || word || firstLine(facts),
    ].map(headerText)
    const extension = extensionOf(facts, word, defaultAttributes)
    const text = [...extension].map(([key, value]) => `${key}=${extensionText(value)}`).join(' ')
    return `CEF:0|${header.join('|')}|${CEF_SEVERITY[gradeOf(facts)]}|${text}`
  }
}

function extensionOf(facts: Facts, word: string, defaults: MappingOptions['defaultAttributes']): Map<string, string> {
  const extension = new Map<string, string>([
    ['rt', String(millisOf(facts.when))],
    ['externalId', facts.id],
  ])
  if (word !== '') extension.set('act', word)
  if (facts.bodyText !== '') extension.set('msg', valueText(facts.body))
  const used = new Set<string>()
  for (const [attribute, key] of CEF_KEYS) {
    const value = facts.get(attribute)
    if (value === undefined || value === null || extension.has(key)) continue
    extension.set(key, valueText(value))
    used.add(attribute)
  }
  for (const [name, key] of CEF_GATEWAY_KEYS) {
    const value = facts.gateway?.text(name)
    if (!value || extension.has(key)) continue
    extension.set(key, value)
    used.add(facts.gateway!.name(name))
  }
  const rest = (name: string, value: string) => {
    const base = name.replace(/[^A-Za-z0-9]/g, '') || 'attribute'
    let key = base
    for (let n = 2; extension.has(key); n++) key = base + n
    extension.set(key, value)
  }
  if (facts.traceId !== '') rest('traceId', facts.traceId)
  if (facts.spanId !== '') rest('spanId', facts.spanId)
  facts.names.forEach((name, i) => {
    if (!used.has(name)) rest(name, valueText(facts.values[i]))
  })
  for (const attributes of [facts.source.scope, facts.source.resource]) {
    for (const [name, value] of attributes) {
      if (!used.has(name) && !facts.names.includes(name)) rest(name, valueText(value))
    }
  }
  for (const [name, value] of Object.entries(defaults)) rest(name, valueText(value))
  return extension
}

/** The beginning of the body, for events without a name. */
export function firstLine(facts: Facts): string {
  const text = valueText(facts.body)
  const end = text.search(/[\r\n]/)
  return (end < 0 ? text : text.slice(0, end)).slice(0, 128) || 'log record'
}

/** A header field: no line ends, bar and backslash escaped. */
function headerText(text: string): string {
  return text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]+/g, ' ')
}

function extensionText(text: string): string {
  return text.replace(/[\\=]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n')
}
