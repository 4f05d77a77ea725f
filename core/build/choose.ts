import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Definition, Distribution } from '#core/component'
import { type Fault, nearest, type Warning } from '#core/config'
import { type ComponentModules, hintFor } from '#core/service'
import { chooseForeign, packageOf } from './choose-foreign.ts'
import { componentOf, isCollectorModule, sameIn } from './go-module.ts'
import { type Choosing, type Chosen, faultAt, type Mention } from './mention.ts'
import { EXTENSION, ROOT } from './program.ts'
import { entriesOf, replacesOf, SECTIONS, type Section, type WrittenManifest } from './read-manifest.ts'

/** What a manifest asks for, as far as it is here. */
export interface Choice {
  readonly components: readonly Chosen[]
  /** Schemes of configuration providers; `undefined`: the usual ones. */
  readonly schemes: readonly string[] | undefined
  /** What is wrong with the entries. */
  readonly faults: readonly Fault[]
  /** Components of the Go Collector that are not here. */
  readonly missing: readonly Fault[]
  readonly warnings: readonly Warning[]
}

/**
 * Finds every component and provider that a manifest names.
 * @param own the components of this package
 */
export async function choose(file: WrittenManifest, own: Distribution, modules: ComponentModules): Promise<Choice> {
  const choosing: Choosing = { file, own, modules, faults: [], missing: [] }
  const found: (readonly [Mention, Chosen])[] = []
  for (const mention of mentions(file)) {
    const { component, gomod } = mention.entry
    const chosen =
      component === undefined && gomod === undefined
        ? await chooseForeign(mention, choosing)
        : await chooseOwn(mention, choosing)
    for (const one of chosen) found.push([mention, one])
  }
  const schemes = providers(choosing)
  const warnings = [...replacements(choosing)]
  return {
    components: onceEach(found, choosing),
    schemes,
    faults: choosing.faults,
    missing: choosing.missing,
    warnings,
  }
}

function* mentions({ node }: WrittenManifest): Iterable<Mention> {
  for (const [section, kind] of Object.entries(SECTIONS) as [Section, Definition['kind']][]) {
    for (const written of entriesOf(node, section)) yield { section, kind, ...written }
  }
}

async function chooseOwn(mention: Mention, { own, faults, missing }: Choosing): Promise<readonly Chosen[]> {
  const { section, kind, entry } = mention
  const candidates: readonly Definition[] = own[section]
  const types = candidates.map(one => one.type)
  if (entry.component !== undefined) {
    const wanted = entry.component
    const definition = candidates.find(one => [one.type, ...(one.aliases ?? [])].includes(wanted))
    if (definition !== undefined) return [await ownDoorOf(definition)]
    const elsewhere = Object.keys(SECTIONS).find(other => own[other as Section].some(one => one.type === wanted))
    const hint = elsewhere === undefined ? '' : `; it stands under ${elsewhere}`
    const message = `this package has no ${kind} "${wanted}"${hint}`
    faults.push(faultAt(mention, 'component', message, nearest(wanted, types)))
    return []
  }
  const gomod = entry.gomod!
  if (!isCollectorModule(gomod)) {
    const message = `cannot build the Go module ${gomod}: write a ${kind} in TypeScript and name it with path or package`
    faults.push(faultAt(mention, 'gomod', message))
    return []
  }
  const name = componentOf(gomod, kind)
  const definition = sameIn(name, candidates)
  if (definition !== undefined) return [await ownDoorOf(definition)]
  const message = `cannot take the ${kind} "${name}"`
  const hint = hintFor(kind, name, own)
  missing.push(
    hint === undefined
      ? faultAt(mention, 'gomod', `${message}: this package has none`, nearest(name, types))
      : faultAt(mention, 'gomod', `${message}: ${hint.charAt(0).toLowerCase()}${hint.slice(1)}`),
  )
  return []
}

/** The door of one of our components, under its full name: of two names the longer one. */
async function ownDoorOf(definition: Definition): Promise<Chosen> {
  const { kind, type } = definition
  const folder = `${kind}s/${type}`
  const door = await import(pathToFileURL(join(ROOT, folder, `index${EXTENSION}`)).href)
  const names = Object.entries(door as Readonly<Record<string, Partial<Definition> | undefined>>)
    .filter(([, value]) => value?.kind === kind && value.type === type)
    .map(([name]) => name)
    .sort((a, b) => b.length - a.length)
  const file = join(ROOT, folder, `index${EXTENSION}`)
  return { kind, definition, specifier: `millrace/${folder}`, file, name: names[0]!, member: '' }
}

const SCHEMES = ['env', 'file', 'http', 'https', 'yaml']

function providers({ file: { node }, faults, missing }: Choosing): readonly string[] | undefined {
  const list = node.get(['providers'])
  if (list === undefined || list.kind === 'null') return undefined
  return [...entriesOf(node, 'providers')].flatMap(mention => {
    const { entry } = mention
    const wanted = entry.component ?? (entry.gomod && componentOf(entry.gomod, 'provider'))
    if (wanted === undefined) {
      const key = entry.package === undefined ? 'path' : 'package'
      faults.push(faultAt(mention, key, 'providers cannot be added: name one of this package with component'))
      return []
    }
    if (SCHEMES.includes(wanted)) return [wanted]
    const message = `this package has no provider "${wanted}"`
    if (entry.gomod === undefined) faults.push(faultAt(mention, 'component', message, nearest(wanted, SCHEMES)))
    else missing.push(faultAt(mention, 'gomod', message))
    return []
  })
}

/** Go modules stay as they are here; anything else that is replaced must be there. */
function* replacements({ file: { node }, faults }: Choosing): Iterable<Warning> {
  const packages = Object.keys(SECTIONS).flatMap(section =>
    [...entriesOf(node, section as Section)].flatMap(({ entry }) =>
      entry.package === undefined ? [] : [packageOf(entry.package)],
    ),
  )
  for (const [index, line] of replacesOf(node).entries()) {
    const [from = '', to = ''] = line.split('=>').map(part => part.trim())
    const place = { path: `replaces::${index}`, node: node.get(['replaces', String(index)]) }
    if (to === '') faults.push(faultAt(place, undefined, `must be written "package => ./folder", got "${line}"`))
    else if (packages.includes(packageOf(from))) continue
    else if (!/^[^@/]+\.[^/]+\//.test(from)) {
      faults.push(faultAt(place, undefined, `no entry names the package "${from}"`, nearest(from, packages)))
    } else {
      const { message, path, origin } = faultAt(place, undefined, 'is about a Go module and has no effect here')
      yield { level: 'info', message, path, ...(origin && { origin }) }
    }
  }
}

/** The same component twice is once; two of one name are a fault. */
function onceEach(found: readonly (readonly [Mention, Chosen])[], { faults }: Choosing): readonly Chosen[] {
  const names = new Map<string, Chosen>()
  const kept: Chosen[] = []
  for (const [mention, chosen] of found) {
    const { kind, definition, specifier } = chosen
    const all = [definition.type, ...(definition.aliases ?? [])].map(name => `${kind} "${name}"`)
    const name = all.find(one => names.has(one))
    const other = name === undefined ? undefined : names.get(name)
    if (other === undefined) {
      kept.push(chosen)
      for (const one of all) names.set(one, chosen)
    } else if (other.specifier !== specifier || other.definition.type !== definition.type) {
      const message = `${specifier} has the ${name}, and so has ${other.specifier}: a name may be there once`
      faults.push(faultAt(mention, undefined, message))
    }
  }
  return kept
}
