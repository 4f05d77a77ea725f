import type { Value } from '#core/data'
import type { Facts } from '../mapping/facts.ts'
import { isIp } from '../mapping/is-ip.ts'
import { isList, jsonText } from '../mapping/json-text.ts'
import type { Json, JsonObject } from '../mapping/plain-json.ts'
import type { Source } from '../mapping/source.ts'
import { valueText } from '../mapping/value-text.ts'
import { GROUP_NEEDS, HTTP_METHODS, RESOURCE_ATTRIBUTES, SLOTS, type Slot } from './attributes.ts'
import type { Group } from './classes.ts'

/** The attributes of one thing, and the members of `unmapped` that they are when it has no place. */
interface Gathered {
  readonly object: JsonObject
  readonly members: string[]
}

/** An attribute from around the record, written down once for all records of a source. */
interface Around {
  readonly name: string
  readonly value: Value
  /** As a member of `unmapped`, and as one when the record has an attribute of the name. */
  readonly member: string
  readonly aside: string
  /** Whether it may describe the event itself. */
  readonly enters: boolean
}

/** What a source and the default attributes add to each record. */
export function aroundOf(source: Source, defaults: Readonly<Record<string, Json>>): readonly Around[] {
  const around: Around[] = []
  const seen = new Set<string>()
  const add = (prefix: string, name: string, value: Value, enters: boolean) => {
    const text = jsonText(value)
    const aside = `${JSON.stringify(prefix + name)}:${text}`
    around.push({ name, value, member: seen.has(name) ? aside : `${JSON.stringify(name)}:${text}`, aside, enters })
    seen.add(name)
  }
  for (const [name, value] of source.scope) add('scope.', name, value, false)
  for (const [name, value] of source.resource) {
    if (!PRODUCT.has(name)) add('resource.', name, value, RESOURCE_ATTRIBUTES.has(name))
  }
  for (const [name, value] of Object.entries(defaults)) if (!seen.has(name)) add('default.', name, value, false)
  return around
}

/** The attributes of a record sorted into groups, and the rest. */
export class Reading {
  conflicts = 0
  readonly #facts: Facts
  readonly #groups = new Map<Group, Gathered>()
  /** Members of `unmapped` as JSON. */
  readonly #unmapped: string[] = []

  /** @param told attributes that are told elsewhere in this event */
  constructor(facts: Facts, around: readonly Around[], told: ReadonlySet<string> = NONE) {
    this.#facts = facts
    const { names, values, members, source } = facts
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!
      if (!CONSUMED.has(name) && !told.has(name)) this.#enter(name, values[i]!, members[i]!)
    }
    for (const { name, value, member, aside, enters } of around) {
      if (facts.has(name)) {
        this.conflicts++
        this.#unmapped.push(aside)
      } else if (enters) this.#enter(name, value, member)
      else this.#unmapped.push(member)
    }
    const service = source.resource.get('service.name')
    if (typeof service === 'string' && service !== '') {
      this.#groups.set('service', { object: { name: service }, members: [] })
    }
  }

  /** The group's object where enough of it is known to stand in an event. */
  get(group: Group): JsonObject | undefined {
    const object = this.#groups.get(group)?.object
    if (object === undefined) return undefined
    for (const names of GROUP_NEEDS[group]) if (!hasOne(object, names)) return undefined
    return object
  }

  /** Calls `visit` with each group that can stand in an event. */
  each(visit: (group: Group, object: JsonObject) => void): void {
    for (const group of this.#groups.keys()) {
      const object = this.get(group)
      if (object !== undefined) visit(group, object)
    }
  }

  /** Takes the attributes of every group that is not `placed` to `unmapped`. */
  release(placed: ReadonlySet<Group>): void {
    for (const [group, { members }] of this.#groups) if (!placed.has(group)) this.#unmapped.push(...members)
  }

  /** Leaves something of the record itself in `unmapped`, unless an attribute has the name. */
  leave(name: string, text: string): void {
    if (!this.#facts.has(name)) this.#unmapped.push(`"${name}":${JSON.stringify(text)}`)
  }

  /** What has no place as a member of the event, empty when there is nothing. */
  get unmapped(): string {
    return this.#unmapped.length === 0 ? '' : `,"unmapped":{${this.#unmapped.join()}}`
  }

  #enter(name: string, value: Value, member: string): void {
    const slot = SLOTS.get(name)
    const converted = slot === undefined ? undefined : convert(slot, value)
    if (slot === undefined || converted === undefined) {
      this.#unmapped.push(member)
      return
    }
    let gathered = this.#groups.get(slot.group)
    if (gathered === undefined) {
      gathered = { object: {}, members: [] }
      this.#groups.set(slot.group, gathered)
    }
    if (setIn(gathered.object, slot, converted)) gathered.members.push(member)
    else {
      this.conflicts++
      this.#unmapped.push(member)
    }
  }
}

function hasOne(object: JsonObject, names: readonly string[]): boolean {
  for (const name of names) if (object[name] !== undefined) return true
  return false
}

const NONE: ReadonlySet<string> = new Set()

/** Attributes that are told elsewhere in any event. */
export const CONSUMED: ReadonlySet<string> = new Set([
  'exception.message',
  'event.id',
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
  if (type === 'list') {
    if (typeof value === 'string') return [value]
    return isList(value) ? value.map(valueText) : undefined
  }
  if (value === null || value === '' || (typeof value === 'object' && !isList(value))) return undefined
  const text = valueText(value)
  if (path === 'http_method') {
    const method = text.toUpperCase()
    return METHODS.has(method) ? method : undefined
  }
  return text
}

/** Sets what a slot says, in the object or one within. Tells whether the place was free. */
function setIn(object: JsonObject, { outer, inner, type }: Slot, value: Json): boolean {
  if (inner !== '') {
    object[outer] ??= {}
    const within = object[outer] as JsonObject
    if (within[inner] !== undefined) return false
    within[inner] = value
    return true
  }
  const name = type === 'address' && !isIp(value as string) ? 'hostname' : outer
  if (object[name] !== undefined) return false
  object[name] = value
  return true
}
