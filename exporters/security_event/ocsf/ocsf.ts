import type { Facts } from '../mapping/facts.ts'
import type { Format, MappingOptions } from '../mapping/format.ts'
import type { Json, JsonObject } from '../mapping/plain-json.ts'
import { GRADE_NAMES, gradeOf } from '../mapping/severity.ts'
import type { Source } from '../mapping/source.ts'
import { millisOf } from '../mapping/timestamp.ts'
import { valueText } from '../mapping/value-text.ts'
import { activityOf } from './activity.ts'
import { CLASSES, type ClassName, type Group, type OcsfClass } from './classes.ts'
import { observables } from './observables.ts'
import { aroundOf, Reading } from './reading.ts'
import { ALERT, eventWord, selectClass } from './select-class.ts'

/** The version of the schema that events follow. */
export const OCSF_VERSION = '1.8.0'

/**
 * An event of the Open Cybersecurity Schema Framework (https://schema.ocsf.io/1.8.0). The class follows from event name
 * and attributes; what has no place in it stays in `unmapped` under its own name.
 */
export function ocsfFormat({ defaultAttributes, product }: MappingOptions): Format {
  let last: { readonly source: Source; readonly around: ReturnType<typeof aroundOf> } | undefined
  return (facts, tally) => {
    const { source } = facts
    if (last?.source !== source) last = { source, around: aroundOf(source, defaultAttributes) }
    const reading = new Reading(facts, last.around)
    const event = build(facts, reading, product.name)
    tally.conflicts += reading.conflicts
    return `${JSON.stringify(event).slice(0, -1)}${reading.unmapped}}`
  }
}

function build(facts: Facts, reading: Reading, product: string): JsonObject {
  const word = eventWord(facts)
  const name = selectClass(facts, reading, word)
  const type: OcsfClass = CLASSES[name]
  const activity = activityOf(name, {
    word: word.toLowerCase(),
    method: textIn(reading.get('http_request'), 'http_method'),
    operation: textIn(reading.get('api'), 'operation'),
    explicit: facts.get('ocsf.activity_id'),
  })
  const grade = gradeOf(facts)
  const profiles: string[] = []
  const event: JsonObject = {
    activity_id: activity,
    activity_name: activityName(type, activity, word, reading),
    category_uid: Math.floor(type.uid / 1000),
    category_name: type.category,
    class_uid: type.uid,
    class_name: type.name,
    type_uid: type.uid * 100 + activity,
    severity_id: grade,
    severity: GRADE_NAMES[grade],
    time: millisOf(facts.when),
    metadata: metadata(facts, word, product),
  }
  if (facts.bodyText !== '') event.message = valueText(facts.body)
  outcome(facts, name, word, event, profiles)
  place(type, reading, event)
  complete(name, facts, reading, event, word)
  trace(facts, name, reading, event, profiles)
  declareProfiles(name, event, profiles)
  const seen = observables(event)
  if (seen.length > 0) event.observables = seen
  return event
}

/** Id 99 demands that the source's own word be told. */
function activityName(type: OcsfClass, activity: number, word: string, reading: Reading): string {
  if (activity !== 99) return type.activities[activity]!
  const own = word !== '' ? word : textIn(reading.get('api'), 'operation')
  return own === '' ? 'Other' : own
}

function metadata(facts: Facts, word: string, product: string): JsonObject {
  const { resource, scopeName } = facts.source
  const origin: JsonObject = { name: valueText(resource.get('service.name')) || product }
  const vendor = valueText(resource.get('service.namespace'))
  const version = valueText(resource.get('service.version'))
  if (vendor !== '') origin.vendor_name = vendor
  if (version !== '') origin.version = version
  const object: JsonObject = { version: OCSF_VERSION, uid: facts.id, product: origin }
  const original = facts.text('event.id') ?? facts.text('openclaw.security.event_id')
  if (original !== undefined) object.original_event_uid = original
  if (word !== '') object.event_code = word
  if (scopeName !== '') object.log_provider = scopeName
  if (facts.severityText !== '') object.log_level = facts.severityText
  if (facts.observedTime !== 0n) object.logged_time = millisOf(facts.observedTime)
  if (facts.time !== 0n) object.original_time = String(facts.time)
  return object
}

/** How it ended, and whether it was prevented. Findings have states of their own. */
function outcome(facts: Facts, name: ClassName, word: string, event: JsonObject, profiles: string[]): void {
  const said = (facts.text('event.outcome') ?? facts.text('openclaw.security.outcome') ?? '').toLowerCase()
  if (name !== 'finding') {
    if (said === 'success') Object.assign(event, { status_id: 1, status: 'Success' })
    else if (/^(failure|failed|denied|error)$/.test(said)) Object.assign(event, { status_id: 2, status: 'Failure' })
  }
  const detail = facts.get('exception.message')
  if (detail !== undefined) event.status_detail = valueText(detail)
  if (said === 'denied' || /(denied|blocked)$/i.test(word)) {
    Object.assign(event, { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' })
    profiles.push('security_control')
  }
}

/** Puts each group that the class has a place for there, and gives up the others. */
function place(type: OcsfClass, reading: Reading, event: JsonObject): void {
  const placed = new Set<Group>()
  for (const group of reading.groups()) {
    const path = type.places[group]
    if (path === undefined) continue
    const object = reading.get(group)!
    const dot = path.indexOf('.')
    const home = dot < 0 ? path : path.slice(0, dot)
    const within = dot < 0 ? undefined : path.slice(dot + 1)
    placed.add(group)
    if (group === 'privileges') event.privileges = object.privileges!
    else if (within === undefined) event[home] = object
    else if (home === 'evidences') {
      event.evidences ??= [{}]
      ;(event.evidences as JsonObject[])[0]![within] = object
    } else {
      event[home] ??= {}
      ;(event[home] as JsonObject)[within] = object
    }
  }
  reading.release(placed)
}

/** What the class demands beside what was placed. */
function complete(name: ClassName, facts: Facts, reading: Reading, event: JsonObject, word: string): void {
  const service = textIn(reading.get('service'), 'name')
  if (event.device !== undefined) (event.device as JsonObject).type_id = 0
  const url = (event.http_request as JsonObject | undefined)?.url as JsonObject | undefined
  if (url !== undefined && !('url_string' in url || 'path' in url)) url.path = '/'
  if (name === 'api' || name === 'process') event.actor ??= { app_name: service === '' ? 'unknown' : service }
  if (name === 'api') event.src_endpoint ??= { svc_name: service }
  if (name === 'finding') event.finding_info = findingInfo(facts, event, word)
  if (name === 'finding') event.is_alert = ALERT.test(word) || (event.severity_id as number) >= 3
}

function findingInfo(facts: Facts, event: JsonObject, word: string): JsonObject {
  const known = (event.finding_info ?? {}) as JsonObject
  const rule = facts.get('rule.id')
  const analytic: JsonObject = { type_id: rule === undefined && known.title === undefined ? 0 : 1 }
  if (rule !== undefined) analytic.uid = valueText(rule)
  if (known.title !== undefined) analytic.name = known.title
  const title = known.title ?? (word === '' ? event.message : word)
  return {
    uid: facts.id,
    ...(title === undefined ? {} : { title }),
    ...known,
    ...('uid' in analytic || 'name' in analytic ? { analytic } : {}),
  }
}

/** Trace ids have a place in HTTP and API activities; a span has none without its start and end. */
function trace(facts: Facts, name: ClassName, reading: Reading, event: JsonObject, profiles: string[]): void {
  if (facts.spanId !== '') reading.leave('span_id', facts.spanId)
  if (facts.traceId === '') return
  if (name === 'http' || name === 'api') {
    event.trace = { uid: facts.traceId }
    profiles.push('trace')
  } else reading.leave('trace_id', facts.traceId)
}

function declareProfiles(name: ClassName, event: JsonObject, profiles: string[]): void {
  const foreign = (member: string, native: ReadonlySet<ClassName>) => event[member] !== undefined && !native.has(name)
  if (foreign('device', WITH_DEVICE) || foreign('actor', WITH_ACTOR)) profiles.push('host')
  if (event.ai_model !== undefined) profiles.push('ai_operation')
  if (profiles.length > 0) (event.metadata as JsonObject).profiles = profiles
}

const WITH_DEVICE: ReadonlySet<ClassName> = new Set(['process', 'finding'])
const WITH_ACTOR: ReadonlySet<ClassName> = new Set(['process', 'authentication', 'authorize', 'api'])

function textIn(object: JsonObject | undefined, name: string): string {
  const value: Json | undefined = object?.[name]
  return typeof value === 'string' ? value : ''
}
