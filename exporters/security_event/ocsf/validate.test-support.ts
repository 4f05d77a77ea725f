import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a class or object of the schema says: members with `type [required] [profile:name] [enum:a,b]`. */
interface Shape {
  readonly members: Readonly<Record<string, string>>
  readonly constraints?: { readonly at_least_one?: readonly string[]; readonly just_one?: readonly string[] }
}

const SCHEMA = JSON.parse(readFileSync(join(import.meta.dirname, '../testdata/ocsf-1.8.0.json'), 'utf8')) as {
  readonly classes: Readonly<Record<string, Shape>>
  readonly objects: Readonly<Record<string, Shape>>
}

type Plain = Readonly<Record<string, unknown>>

/** Everything that is wrong with an event by OCSF 1.8.0, as `path: sentence`; empty for a valid one. */
export function ocsfFaults(event: Plain): string[] {
  const shape = SCHEMA.classes[String(event.class_uid)]
  if (shape === undefined) return [`class_uid: ${String(event.class_uid)} is not known`]
  const profiles = new Set(((event.metadata as Plain | undefined)?.profiles ?? []) as readonly string[])
  const faults = [...faultsIn(event, shape, profiles, '')]
  const { class_uid, category_uid, activity_id, type_uid, activity_name } = event as Record<string, number>
  if (type_uid !== class_uid! * 100 + activity_id!)
    faults.push(`type_uid: ${type_uid} does not follow from class and activity`)
  if (category_uid !== Math.floor(class_uid! / 1000))
    faults.push(`category_uid: ${category_uid} is not that of the class`)
  if (activity_id === 99 && !activity_name) faults.push('activity_name: must say what 99 means')
  return faults
}

function* faultsIn(
  object: Plain,
  { members, constraints }: Shape,
  profiles: ReadonlySet<string>,
  path: string,
): Iterable<string> {
  for (const [name, rule] of Object.entries(members)) {
    if (rule.includes(' required') && object[name] === undefined) yield `${path}${name}: is required`
  }
  for (const [name, value] of Object.entries(object)) {
    const rule = members[name]
    if (rule === undefined) yield `${path}${name}: is not in the schema`
    else yield* faultsOf(value, rule, profiles, path + name)
  }
  const present = (names: readonly string[]) => names.filter(name => object[name] !== undefined).length
  const { at_least_one: some, just_one: one } = constraints ?? {}
  if (some !== undefined && present(some) === 0) yield `${path}: needs one of ${some.join()}`
  if (one !== undefined && present(one) !== 1) yield `${path}: needs exactly one of ${one.join()}`
}

function* faultsOf(value: unknown, rule: string, profiles: ReadonlySet<string>, path: string): Iterable<string> {
  const [type, ...rest] = rule.split(' ')
  const profile = rest.find(each => each.startsWith('profile:'))?.slice(8)
  const words = rest
    .find(each => each.startsWith('enum:'))
    ?.slice(5)
    .split(',')
  if (profile !== undefined && !profiles.has(profile))
    yield `${path}: belongs to the profile ${profile}, which is not declared`
  const list = type!.endsWith('[]')
  if (list && !Array.isArray(value)) yield `${path}: must be a list`
  for (const each of list && Array.isArray(value) ? value : [value]) {
    const fault = wrongType(each, list ? type!.slice(0, -2) : type!)
    if (fault !== undefined) yield `${path}: ${fault}`
    if (words !== undefined && !words.includes(String(each)))
      yield `${path}: ${String(each)} is none of ${words.join()}`
    const shape = type!.startsWith('@') ? SCHEMA.objects[type!.replace(/^@|\[\]$/g, '')] : undefined
    if (shape !== undefined && typeof each === 'object' && each !== null) {
      yield* faultsIn(each as Plain, shape, profiles, `${path}.`)
    }
  }
}

function wrongType(value: unknown, type: string): string | undefined {
  switch (type) {
    case 'integer':
      return Number.isInteger(value) ? undefined : 'must be an integer'
    case 'number':
    case 'boolean':
    case 'string':
      return typeof value === type ? undefined : `must be a ${type}`
    case 'any':
      return undefined
    default:
      return typeof value === 'object' && value !== null ? undefined : 'must be an object'
  }
}
