import type { Value } from '#core/data'
import { type Facts, quoted } from './facts.ts'
import type { Format, MappingOptions, Prefixes, Tally } from './format.ts'
import { jsonText } from './json-text.ts'
import { severityName } from './severity.ts'
import type { Shape } from './shape.ts'
import type { Source } from './source.ts'
import { timestamp } from './timestamp.ts'

/** The fields that an event has of itself, and where each comes from. Attributes of these names give way. */
export const FLAT_FIELDS = {
  timestamp: 'time, else observed time, else now; RFC 3339 in UTC, with nanoseconds where there are any',
  'event.id':
    "id of an agent gateway's security record, else hash of the whole record: the same record always has the same id",
  severity: 'severity text, else the name of the severity number, else `UNSPECIFIED`',
  severity_number: 'severity number, 0 when unset',
  message: 'body; lists and maps as JSON, bytes in base64; absent without a body',
  'event.name': 'event name, when set; else the attribute of that name',
  trace_id: 'trace id in hex, when set',
  span_id: 'span id in hex, when set',
  'scope.name': 'name of the scope, when set',
  'scope.version': 'version of the scope, when set',
} as const satisfies Record<string, string>

const FIELDS: ReadonlySet<string> = new Set(Object.keys(FLAT_FIELDS))

type Origin = 'default' | 'resource' | 'scope' | 'attributes'
interface Member {
  readonly text: string
  readonly name: string
  readonly from: Origin
}

/** What all events of one source have in common. */
interface Common {
  readonly source: Source
  readonly members: ReadonlyMap<string, Member>
  /** With a comma before each member. */
  readonly text: string
  readonly conflicts: number
}

/** Whether records of one shape and source can be written without looking at each name. */
interface Checked {
  readonly shape: Shape
  readonly common: Common
  readonly named: boolean
  readonly free: boolean
}

/**
 * One flat JSON object: the event's own fields, default attributes, and resource, scope and record attributes by their
 * names. Of several attributes with one name the record's wins over the scope's over the resource's; the other is kept
 * with `scope.` or `resource.` before its name. An attribute with the name of a field is kept as `attributes.<name>`,
 * or with where it comes from before it. Each of these is a conflict. Giving way is what defaults are for: no conflict.
 */
export function flatFormat({ defaultAttributes, prefixes }: MappingOptions): Format {
  let common: Common | undefined
  let checked: Checked | undefined
  return (facts, tally) => {
    if (common === undefined || common.source !== facts.source) {
      common = commonOf(facts.source, defaultAttributes, prefixes)
    }
    tally.conflicts += common.conflicts
    const own = ownFields(facts)
    if (checked?.shape !== facts.shape || checked.common !== common || checked.named !== (facts.eventName !== '')) {
      const free = prefixes.log === '' && undisputed(facts, common.members)
      checked = { shape: facts.shape, common, named: facts.eventName !== '', free }
    }
    if (checked.free) {
      const { members } = facts
      return `{${own}${common.text}${members.length === 0 ? '' : `,${members.join()}`}}`
    }
    return `{${own}${disputed(facts, common.members, prefixes.log, tally)}}`
  }
}

function ownFields(facts: Facts): string {
  const { severityNumber, severityText, eventName, traceId, spanId, bodyText } = facts
  const severity = severityText === '' ? severityName(severityNumber) : severityText
  let text = `"timestamp":"${timestamp(facts.when)}","event.id":"${facts.id}","severity":${quoted(severity)},"severity_number":${severityNumber}`
  if (bodyText !== '') text += `,"message":${bodyText}`
  if (eventName !== '') text += `,"event.name":${quoted(eventName)}`
  if (traceId !== '') text += `,"trace_id":"${traceId}"`
  if (spanId !== '') text += `,"span_id":"${spanId}"`
  return text
}

function undisputed(facts: Facts, members: ReadonlyMap<string, Member>): boolean {
  return !facts.names.some(name => isField(name, facts) || members.has(name))
}

/** Older sources name the event in an attribute: where the record has no event name, that one is the field. */
function isField(name: string, facts: Facts): boolean {
  return FIELDS.has(name) && !(name === 'event.name' && facts.eventName === '')
}

function commonOf(source: Source, defaults: Readonly<Record<string, Value>>, prefixes: Prefixes): Common {
  const members = new Map<string, Member>()
  const tally: Tally = { conflicts: 0 }
  for (const [name, value] of Object.entries(defaults)) place(members, name, jsonText(value), 'default', '', tally)
  for (const [name, value] of source.resource) {
    place(members, name, jsonText(value), 'resource', prefixes.resource, tally)
  }
  for (const [name, value] of source.scope) place(members, name, jsonText(value), 'scope', '', tally)
  let text = ''
  if (source.scopeName !== '') text += `,"scope.name":${JSON.stringify(source.scopeName)}`
  if (source.scopeVersion !== '') text += `,"scope.version":${JSON.stringify(source.scopeVersion)}`
  // The scope's own fields live in the text of `members`, so that both ways of writing an event have them.
  members.set('', { text, name: '', from: 'default' })
  return { source, members, text: written(members), conflicts: tally.conflicts }
}

function disputed(facts: Facts, common: ReadonlyMap<string, Member>, prefix: string, tally: Tally): string {
  const members = new Map(common)
  facts.names.forEach((name, i) => {
    place(members, name, jsonText(facts.values[i]!), 'attributes', prefix, tally, wanted => isField(wanted, facts))
  })
  return written(members)
}

/** Enters an attribute, moving aside what has to give way to it, or itself where the name is taken for good. */
function place(
  members: Map<string, Member>,
  name: string,
  text: string,
  from: Origin,
  prefix: string,
  tally: Tally,
  taken: (name: string) => boolean = name => FIELDS.has(name),
): void {
  const wanted = prefix + name
  const present = members.get(wanted)
  if (taken(wanted) || wanted === '' || present?.from === from) {
    tally.conflicts++
    aside(members, { text, name, from })
    return
  }
  if (present !== undefined && present.from !== 'default') {
    tally.conflicts++
    members.set(wanted, { text, name, from })
    aside(members, present)
  } else members.set(wanted, { text, name, from })
}

function aside(members: Map<string, Member>, member: Member): void {
  let name = `${member.from}.${member.name}`
  while (members.has(name) || FIELDS.has(name)) name = `${member.from}.${name}`
  members.set(name, member)
}

function written(members: ReadonlyMap<string, Member>): string {
  let text = ''
  for (const [name, member] of members) {
    text += name === '' ? member.text : `,${quoted(name)}:${member.text}`
  }
  return text
}
