import { ComponentId, type Definition } from '#core/component'
import { isSignal } from '#core/data'

const KINDS: readonly unknown[] = ['receiver', 'processor', 'exporter', 'connector', 'extension']

/** What a module offers: definitions, and a sentence for each export that should be one and is not. */
export interface Offer {
  readonly definitions: readonly Definition[]
  readonly faults: readonly string[]
}

/**
 * The components among the exports of a module, each once: under any name, as its default, or as a list. Exports that do
 * not look like a definition are none of ours.
 */
export function definitionsIn(module: Readonly<Record<string, unknown>>): Offer {
  const found = new Map<unknown, string>()
  for (const [name, value] of Object.entries(module)) {
    for (const each of Array.isArray(value) ? value : [value, ...(name === 'default' ? membersOf(value) : [])]) {
      if (looksLikeOne(each) && !found.has(each)) found.set(each, name)
    }
  }
  const definitions: Definition[] = []
  const faults: string[] = []
  for (const [value, name] of found) {
    const wrong = faultsOf(value as Claim)
    if (wrong.length === 0) definitions.push(value as Definition)
    else faults.push(`its export "${name}" is not a component: ${wrong.join('; ')}`)
  }
  return { definitions, faults }
}

interface Claim {
  readonly [name: string]: unknown
}

/** A CommonJS module has its exports in its default. */
function membersOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null && !looksLikeOne(value) ? Object.values(value) : []
}

function looksLikeOne(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { kind, type, create } = value as Claim
  return typeof create === 'function' || (KINDS.includes(kind) && type !== undefined)
}

function faultsOf(claim: Claim): string[] {
  const { kind, type, aliases = [], description, config, create, stability } = claim
  const faults: string[] = []
  const must = (holds: boolean, sentence: string) => {
    if (!holds) faults.push(sentence)
  }
  must(
    KINDS.includes(kind),
    'it has no kind; pass it to defineReceiver, defineProcessor, defineExporter, defineConnector or defineExtension',
  )
  must(isType(type), `type must be a word of letters, digits and _ that begins with a letter, got ${shown(type)}`)
  must(Array.isArray(aliases) && aliases.every(isType), `aliases must be a list of such words, got ${shown(aliases)}`)
  must(
    typeof description === 'string' && description !== '',
    `description must be a sentence, got ${shown(description)}`,
  )
  must(isSection(config), `config must be made with t.section, got ${shown(config)}`)
  must(typeof create === 'function', `create must be a function, got ${shown(create)}`)
  must(isStability(kind, stability), `stability must ${stabilityOf(kind)}, got ${shown(stability)}`)
  for (const name of ['check', 'dependencies']) {
    must(
      claim[name] === undefined || typeof claim[name] === 'function',
      `${name} must be a function, got ${shown(claim[name])}`,
    )
  }
  return faults
}

function isType(type: unknown): boolean {
  try {
    return typeof type === 'string' && ComponentId.parse(type).name === '' && type === type.trim()
  } catch {
    return false
  }
}

function isSection(config: unknown): boolean {
  if (typeof config !== 'object' || config === null) return false
  const { type, properties } = config as { readonly type?: unknown; readonly properties?: unknown }
  return type === 'object' && typeof properties === 'object' && properties !== null
}

function isStability(kind: unknown, stability: unknown): boolean {
  if (kind === 'extension') return typeof stability === 'string'
  if (typeof stability !== 'object' || stability === null) return false
  const signals = Object.entries(stability)
  const isLevel = (value: unknown) => kind !== 'connector' || isStability('processor', value)
  return signals.length > 0 && signals.every(([signal, level]) => isSignal(signal) && isLevel(level))
}

function stabilityOf(kind: unknown): string {
  if (kind === 'extension') return 'be a level such as "beta"'
  const example = kind === 'connector' ? '{ traces: { metrics: "beta" } }' : '{ traces: "beta" }'
  return `name the signals it takes, such as ${example}`
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
