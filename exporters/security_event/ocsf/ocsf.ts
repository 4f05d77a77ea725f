import { type Facts, quoted } from '../mapping/facts.ts'
import type { Format, MappingOptions } from '../mapping/format.ts'
import type { Json, JsonObject } from '../mapping/plain-json.ts'
import { GRADE_NAMES, type Grade, gradeOf } from '../mapping/severity.ts'
import type { Source } from '../mapping/source.ts'
import { millisOf } from '../mapping/timestamp.ts'
import { valueText } from '../mapping/value-text.ts'
import { type ActivityHints, activityOf } from './activity.ts'
import { CLASSES, type ClassName, type Group, type OcsfClass } from './classes.ts'
import { type GatewayPlan, gatewayPlan } from './gateway.ts'
import { observables } from './observables.ts'
import { aroundOf, Reading } from './reading.ts'
import { ALERT, eventWord, explicitClass, selectClass } from './select-class.ts'

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
    const plan = facts.gateway && explicitClass(facts) === undefined ? gatewayPlan(facts.gateway) : undefined
    const reading = new Reading(facts, last.around, plan?.told)
    const text = build(facts, reading, product.name, plan)
    tally.conflicts += reading.conflicts
    return text
  }
}

function build(facts: Facts, reading: Reading, product: string, plan: GatewayPlan | undefined): string {
  const word = eventWord(facts)
  const grade = gradeOf(facts)
  const name = plan?.type ?? selectClass(facts, reading, word, grade)
  const type: OcsfClass = CLASSES[name]
  const activity = plan?.activity ?? activityOf(name, hintsOf(facts, reading, word))
  const profiles: string[] = []
  const event: JsonObject = {}
  if (activity === 99) event.activity_name = ownName(word, reading)
  const detail = facts.get('exception.message')
  if (detail !== undefined) event.status_detail = valueText(detail)
  if (plan === undefined) outcome(facts, name, word, event, profiles)
  place(type, reading, event)
  if (plan !== undefined) {
    addPlanned(event, plan)
    profiles.push(...plan.profiles)
  }
  complete(name, facts, reading, event, word, grade)
  trace(facts, name, reading, event, profiles)
  declareProfiles(name, event, profiles)
  const seen = observables(event)
  const own = JSON.stringify(event)
  const message = facts.bodyText === '' ? '' : `,"message":${messageText(facts)}`
  const time = `"time":${millisOf(facts.when)},"metadata":${metadata(facts, word, product, profiles)}`
  const rest = own === '{}' ? '' : `,${own.slice(1, -1)}`
  const searchable = seen.length === 0 ? '' : `,"observables":[${seen.join()}]`
  return `{${head(type, activity, grade)},${time}${message}${rest}${searchable}${reading.unmapped}}`
}

function hintsOf(facts: Facts, reading: Reading, word: string): ActivityHints {
  return {
    word: word.toLowerCase(),
    method: textIn(reading.get('http_request'), 'http_method'),
    operation: textIn(reading.get('api'), 'operation'),
    explicit: facts.get('ocsf.activity_id'),
  }
}

/** Adds what is planned to what the attributes said, which wins where both speak of one thing; an application is the plan's. */
function addPlanned(event: JsonObject, { event: planned }: GatewayPlan): void {
  for (const [name, value] of Object.entries(planned)) {
    const present = event[name]
    if (present === undefined || name === 'app') event[name] = value
    else if (Array.isArray(value))
      event[name] = [{ ...(value[0] as JsonObject), ...((present as Json[])[0] as JsonObject) }]
    else if (typeof value === 'object' && value !== null) event[name] = { ...value, ...(present as JsonObject) }
  }
}

const HEADS = new Map<number, string>()

/** What class, activity and grade make of an event; the same text for the same three. */
function head(type: OcsfClass, activity: number, grade: Grade): string {
  const key = (type.uid * 100 + activity) * 10 + grade
  const known = HEADS.get(key)
  if (known !== undefined) return known
  const text = JSON.stringify({
    class_uid: type.uid,
    class_name: type.name,
    category_uid: Math.floor(type.uid / 1000),
    category_name: type.category,
    activity_id: activity,
    activity_name: activity === 99 ? undefined : type.activities[activity],
    type_uid: type.uid * 100 + activity,
    severity_id: grade,
    severity: GRADE_NAMES[grade],
  }).slice(1, -1)
  HEADS.set(key, text)
  return text
}

/** A string always: OCSF has no other messages. */
function messageText({ body, bodyText }: Facts): string {
  return typeof body === 'string' ? bodyText : JSON.stringify(valueText(body))
}

/** Id 99 demands that the source's own word be told. */
function ownName(word: string, reading: Reading): string {
  return word || textIn(reading.get('api'), 'operation') || 'Other'
}

const PRODUCTS = new WeakMap<Source, string>()

function metadata(facts: Facts, word: string, product: string, profiles: readonly string[]): string {
  const { source, severityText, observedTime, time } = facts
  const original = facts.text('event.id') ?? (facts.gateway?.text('event_id') || undefined)
  let text = `{"version":"${OCSF_VERSION}","uid":"${facts.id}",${productText(source, product)}`
  if (original !== undefined) text += `,"original_event_uid":${JSON.stringify(original)}`
  if (word !== '') text += `,"event_code":${quoted(word)}`
  if (severityText !== '') text += `,"log_level":${quoted(severityText)}`
  if (observedTime !== 0n) text += `,"logged_time":${millisOf(observedTime)}`
  if (time !== 0n) text += `,"original_time":"${time}"`
  if (profiles.length > 0) text += `,"profiles":${JSON.stringify(profiles)}`
  return `${text}}`
}

/** Product and log provider, which all records of a source share. */
function productText(source: Source, product: string): string {
  const known = PRODUCTS.get(source)
  if (known !== undefined) return known
  const { resource, scopeName } = source
  const origin: JsonObject = { name: valueText(resource.get('service.name')) || product }
  const vendor = valueText(resource.get('service.namespace'))
  const version = valueText(resource.get('service.version'))
  if (vendor !== '') origin.vendor_name = vendor
  if (version !== '') origin.version = version
  const provider = scopeName === '' ? '' : `,"log_provider":${JSON.stringify(scopeName)}`
  const text = `"product":${JSON.stringify(origin)}${provider}`
  PRODUCTS.set(source, text)
  return text
}

/** How it ended, and whether it was prevented. Findings have states of their own. */
function outcome(facts: Facts, name: ClassName, word: string, event: JsonObject, profiles: string[]): void {
  const said = (facts.text('event.outcome') ?? '').toLowerCase()
  if (name !== 'finding') {
    if (said === 'success') Object.assign(event, { status_id: 1, status: 'Success' })
    else if (/^(failure|failed|denied|error)$/.test(said)) Object.assign(event, { status_id: 2, status: 'Failure' })
  }
  if (said === 'denied' || /(denied|blocked)$/i.test(word)) {
    Object.assign(event, { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' })
    profiles.push('security_control')
  }
}

/** Puts each group that the class has a place for there, and gives up the others. */
function place(type: OcsfClass, reading: Reading, event: JsonObject): void {
  const placed = new Set<Group>()
  reading.each((group, object) => {
    const path = type.places[group]
    if (path === undefined) return
    placed.add(group)
    const dot = path.indexOf('.')
    const within = path.slice(dot + 1)
    if (group === 'privileges') event.privileges = object.privileges!
    else if (dot < 0) event[path] = object
    else if (path.startsWith('evidences.')) {
      event.evidences ??= [{}]
      ;(event.evidences as JsonObject[])[0]![within] = object
    } else {
      const home = path.slice(0, dot)
      event[home] ??= {}
      ;(event[home] as JsonObject)[within] = object
    }
  })
  reading.release(placed)
}

/** What the class demands beside what was placed. */
function complete(
  name: ClassName,
  facts: Facts,
  reading: Reading,
  event: JsonObject,
  word: string,
  grade: Grade,
): void {
  const service = textIn(reading.get('service'), 'name') || 'unknown'
  if (event.device !== undefined) (event.device as JsonObject).type_id = 0
  const url = (event.http_request as JsonObject | undefined)?.url as JsonObject | undefined
  if (url !== undefined && !('url_string' in url || 'path' in url)) url.path = '/'
  if (name === 'api' || name === 'process') event.actor ??= { app_name: service }
  if (name === 'api') event.src_endpoint ??= { svc_name: service }
  if (name === 'lifecycle') event.app ??= { name: service }
  if (name === 'authentication' && event.dst_endpoint === undefined) event.service ??= { name: service }
  if (name === 'finding') event.finding_info = findingInfo(facts, event, word)
  if (name === 'finding') event.is_alert = ALERT.test(word) || grade >= 3
}

function findingInfo(facts: Facts, event: JsonObject, word: string): JsonObject {
  const known = (event.finding_info ?? {}) as JsonObject
  const rule = facts.get('rule.id') ?? (facts.gateway?.text('policy.id') || undefined)
  const analytic: JsonObject = { type_id: rule === undefined && known.title === undefined ? 0 : 1 }
  if (rule !== undefined) analytic.uid = valueText(rule)
  if (known.title !== undefined) analytic.name = known.title
  const title = known.title ?? (word || valueText(facts.body))
  return {
    uid: facts.id,
    ...(title === '' ? {} : { title }),
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
}

const WITH_DEVICE: ReadonlySet<ClassName> = new Set(['process', 'finding'])
const WITH_ACTOR: ReadonlySet<ClassName> = new Set(['process', 'authentication', 'authorize', 'entity', 'api'])

function textIn(object: JsonObject | undefined, name: string): string {
  const value: Json | undefined = object?.[name]
  return typeof value === 'string' ? value : ''
}
