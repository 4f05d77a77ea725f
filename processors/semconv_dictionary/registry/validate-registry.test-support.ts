import { parseYaml } from '#core/config'

/**
 * The rules by which the registry tool's check command, at its strictest, judges a file of `definition/1` groups, as far
 * as they can be told without its code. Returns a sentence for each breach.
 * Source: the behaviour of open-telemetry/weaver 0.25 with `--future registry check`.
 */
export function validateRegistry(text: string): string[] {
  const root = parseYaml(text) as Tree
  const faults: string[] = []
  for (const key of Object.keys(root))
    if (!['groups', 'imports', 'file_format'].includes(key)) faults.push(`root key ${key}`)
  if (!Array.isArray(root.groups)) return [...faults, 'groups is no list']
  const groups = root.groups as Tree[]
  for (const group of groups) for (const fault of groupFaults(group)) faults.push(`${String(group.id)}: ${fault}`)
  for (const [what, names] of Object.entries(uniques(groups))) {
    for (const name of duplicates(names)) faults.push(`${what} ${name} twice`)
  }
  return faults
}

type Tree = Readonly<Record<string, unknown>>

const GROUP_KEYS = new Set(
  `id type brief note extends stability deprecated attributes span_kind events metric_name instrument unit name
   display_name body annotations entity_associations`.split(/\s+/),
)
const ATTRIBUTE_KEYS = new Set(
  'id type brief stability requirement_level examples deprecated tag note sampling_relevant annotations role'.split(
    ' ',
  ),
)
const TYPES = new Set(['attribute_group', 'span', 'event', 'metric', 'entity', 'scope', 'undefined'])
const STABILITY = new Set(['stable', 'development', 'alpha', 'beta', 'release_candidate', 'experimental'])
const SCALAR = /^(string|int|double|boolean|any)$|^(string|int|double|boolean)\[\]$/
const LEVELS = new Set(['required', 'recommended', 'opt_in'])

function* groupFaults(group: Tree): Iterable<string> {
  for (const key of Object.keys(group)) if (!GROUP_KEYS.has(key)) yield `unknown key ${key}`
  for (const key of ['id', 'brief']) if (typeof group[key] !== 'string') yield `${key} is no text`
  if (!TYPES.has(group.type as string)) yield `unknown type ${group.type}`
  if (!STABILITY.has(group.stability as string)) yield `stability ${group.stability}`
  const attributes = group.attributes as Tree[] | undefined
  if (attributes !== undefined && !Array.isArray(attributes)) yield 'attributes is no list'
  if (group.type === 'metric') {
    if (typeof group.metric_name !== 'string') yield 'no metric_name'
    if (!['counter', 'updowncounter', 'gauge', 'histogram'].includes(group.instrument as string)) yield 'bad instrument'
    if (typeof group.unit !== 'string') yield 'unit is no text'
  } else if (group.metric_name !== undefined || group.instrument !== undefined || group.unit !== undefined) {
    yield 'is no metric'
  }
  if (group.type === 'span') {
    if (!['internal', 'client', 'server', 'producer', 'consumer'].includes(group.span_kind as string))
      yield 'bad span_kind'
    if (attributes === undefined) yield 'no attributes'
  } else if (group.span_kind !== undefined) yield 'is no span'
  if (group.type === 'attribute_group' && attributes === undefined) yield 'no attributes'
  if (group.type === 'event' && typeof group.name !== 'string') yield 'no name'
  for (const attribute of attributes ?? []) yield* attributeFaults(attribute)
  for (const name of duplicates((attributes ?? []).map(each => String(each.id)))) yield `attribute ${name} twice`
}

function* attributeFaults(attribute: Tree): Iterable<string> {
  const at = `attribute ${String(attribute.id)}`
  for (const key of Object.keys(attribute)) if (!ATTRIBUTE_KEYS.has(key)) yield `${at}: unknown key ${key}`
  if (typeof attribute.id !== 'string') yield `${at}: id is no text`
  if (typeof attribute.brief !== 'string') yield `${at}: no brief`
  if (!STABILITY.has(attribute.stability as string)) yield `${at}: stability ${attribute.stability}`
  if (!LEVELS.has(attribute.requirement_level as string)) yield `${at}: requirement_level`
  const type = attribute.type as string
  if (typeof type !== 'string' || !SCALAR.test(type)) yield `${at}: type ${type}`
  const examples = attribute.examples
  if (examples === undefined) {
    if (type === 'string' || type === 'string[]') yield `${at}: no examples`
  } else if (!Array.isArray(examples) || !examples.every(each => fits(each, type))) yield `${at}: examples do not fit`
}

function fits(example: unknown, type: string): boolean {
  if (type === 'string') return typeof example === 'string'
  if (type === 'string[]') return Array.isArray(example) && example.every(each => typeof each === 'string')
  return type === 'any'
}

function uniques(groups: readonly Tree[]): Record<string, string[]> {
  const texts = (key: string) => groups.map(group => group[key]).filter(value => typeof value === 'string')
  const defined = groups
    .filter(group => group.type === 'attribute_group')
    .flatMap(group => (group.attributes as Tree[]).map(each => String(each.id)))
  return { id: texts('id'), metric_name: texts('metric_name'), name: texts('name'), 'attribute of a group': defined }
}

function duplicates(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter(name => seen.has(name) || !seen.add(name))
}
