import type { Value } from '#core/data'
import type { Facts } from '../mapping/facts.ts'
import { isIp } from '../mapping/is-ip.ts'
import { emptyObject, type Json, type JsonObject, plainJson } from '../mapping/plain-json.ts'
import { valueText } from '../mapping/value-text.ts'
import { GROUP_NEEDS, HTTP_METHODS, RESOURCE_ATTRIBUTES, SLOTS, type Slot } from './attributes.ts'
import type { Group } from './classes.ts'

/** The attributes of one thing, and from which attributes they came. */
interface Gathered {
  readonly object: JsonObject
  readonly origins: (readonly [string, Value])[]
}

/** The attributes of a record sorted into groups, and the rest. */
export class Reading {
  /** What has no place, by attribute name. */
  readonly unmapped: JsonObject = emptyObject()
  conflicts = 0
  readonly #groups = new Map<Group, Gathered>()

  constructor(facts: Facts, defaults: Readonly<Record<string, Json>>) {
    const { names, values, source } = facts
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!
      if (!CONSUMED.has(name)) this.#enter(name, values[i]!)
    }
    for (const [name, value] of source.scope) this.#leave(name, value, 'scope.')
    for (const [name, value] of source.resource) {
      if (PRODUCT.has(name)) continue
      if (RESOURCE_ATTRIBUTES.has(name) && !names.includes(name)) this.#enter(name, value)
      else this.#leave(name, value, 'resource.')
    }
    for (const name of Object.keys(defaults)) if (!(name in this.unmapped)) this.unmapped[name] = defaults[name]!
    const service = source.resource.get('service.name')
    if (typeof service === 'string' && service !== '') {
      this.#groups.set('service', { object: { name: service }, origins: [] })
    }
  }

  /** The group's object where enough of it is known to stand in an event. */
  get(group: Group): JsonObject | undefined {
    const gathered = this.#groups.get(group)
    if (gathered === undefined) return undefined
    const { object } = gathered
    return GROUP_NEEDS[group].every(names => names.some(name => name in object)) ? object : undefined
  }

  /** Takes the attributes of every group that is not `placed` to `unmapped`. */
  release(placed: (group: Group) => boolean): void {
    for (const [group, { origins }] of this.#groups) {
      if (!placed(group)) for (const [name, value] of origins) this.#leave(name, value, 'attributes.')
    }
  }

  #enter(name: string, value: Value): void {
    const slot = SLOTS.get(name)
    const converted = slot === undefined ? undefined : convert(slot, value)
    if (slot === undefined || converted === undefined) {
      this.#leave(name, value, 'attributes.')
      return
    }
    let gathered = this.#groups.get(slot.group)
    if (gathered === undefined) {
      gathered = { object: {}, origins: [] }
      this.#groups.set(slot.group, gathered)
    }
    const path = slot.type === 'address' && !isIp(converted as string) ? 'hostname' : slot.path
    if (setPath(gathered.object, path, converted)) gathered.origins.push([name, value])
    else {
      this.conflicts++
      this.#leave(name, value, 'attributes.')
    }
  }

  #leave(name: string, value: Value, prefix: string): void {
    if (name in this.unmapped) {
      this.conflicts++
      this.unmapped[prefix + name] = plainJson(value)
    } else this.unmapped[name] = plainJson(value)
  }
}

/** Attributes that are told elsewhere in the event. */
export const CONSUMED: ReadonlySet<string> = new Set([
  'exception.message',
  'event.id',
  'openclaw.security.event_id',
  'rule.id',
  'ocsf.class_uid',
  'ocsf.activity_id',
])
/** Attributes of the resource that make up `metadata.product`. */
const PRODUCT: ReadonlySet<string> = new Set(['service.name', 'service.version', 'service.namespace'])
const METHODS: ReadonlySet<string> = new Set(HTTP_METHODS)

/** The value in the type that the slot wants; `undefined` when it is of another. */
function convert({ type, path }: Slot, value: Value): Json | undefined {
  if (type === 'integer') {
    const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
    return Number.isSafeInteger(number) ? (number as number) : undefined
  }
  if (type === 'list')
    return typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(valueText) : undefined
  if (value === null || value === '' || (typeof value === 'object' && !Array.isArray(value))) return undefined
  const text = valueText(value)
  if (path === 'http_method') {
    const method = text.toUpperCase()
    return METHODS.has(method) ? method : undefined
  }
  return text
}

/** Sets a member of an object or of one within. Tells whether the place was free. */
function setPath(object: JsonObject, path: string, value: Json): boolean {
  const dot = path.indexOf('.')
  if (dot < 0) {
    if (path in object) return false
    object[path] = value
    return true
  }
  const head = path.slice(0, dot)
  object[head] ??= {}
  return setPath(object[head] as JsonObject, path.slice(dot + 1), value)
}
