import { cyclesOf } from './cycles.ts'
import { homeOf, isComponent, isTest, type ResolvedImport, type Source } from './tree.ts'

/** A rule of STYLE's table. Breaches are lines `file -> what it must not reach`. */
export interface Rule {
  readonly name: string
  /** Which files it holds for: all, or all that are not tests (tests may use anything). */
  readonly for: 'all' | 'product'
  /** Breaches of one file. */
  readonly file?: (source: Source, tree: Tree) => Iterable<string>
  /** Breaches that several files make together. */
  readonly whole?: (sources: readonly Source[]) => Iterable<string>
}

export type Tree = ReadonlyMap<string, Source>

/** A room imports only rooms with a lower number. `core/testing` stands to the right of all. */
export const ROOMS: Readonly<Record<string, number>> = {
  'core/data': 0,
  'core/config': 1,
  'core/component': 2,
  'core/storage': 3,
  'core/net': 3,
  'core/memory': 3,
  'core/transform': 3,
  'core/delivery': 4,
  'core/pipeline': 5,
  'core/service': 6,
  'core/library': 7,
  'core/build': 7,
  'core/testing': 8,
}

/** Who may import a library or a built-in module. Libraries that are not listed may not be imported at all. */
export const OWNERS: Readonly<Record<string, readonly string[] | 'anyone' | 'tests'>> = {
  '@humanwhocodes/momoa': ['processors/agent_gateway'],
  '@mozilla/readability': ['extensions/topic_pipeline'],
  ajv: ['core/config'],
  bcryptjs: ['extensions/basicauth'],
  yaml: ['core/config'],
  'node:http': ['core/net'],
  'node:http2': ['core/net'],
  'node:https': ['core/net'],
  'node:net': ['core/net'],
  'node:tls': ['core/net'],
  'robots-parser': ['extensions/topic_pipeline'],
  undici: ['core/net'],
  fastify: ['extensions/api'],
  croner: ['extensions/topic_pipeline'],
  esbuild: ['core/build', 'distributions/agent-gateway'],
  feedsmith: ['extensions/topic_pipeline'],
  'ipaddr.js': ['core/net'],
  jose: ['extensions/oidc'],
  kysely: ['extensions/topic_pipeline'],
  linkedom: ['extensions/topic_pipeline'],
  lmdb: ['extensions/file_storage'],
  'node:sqlite': ['extensions/topic_pipeline'],
  pg: ['extensions/topic_pipeline'],
  'prom-client': ['core/service'],
  '@opentelemetry/otlp-transformer': ['core/service'],
  '@opentelemetry/resources': ['core/service'],
  '@opentelemetry/sdk-trace': ['core/service'],
  '@opentelemetry/semantic-conventions': ['processors/semconv_dictionary'],
  '@opentelemetry/api': 'anyone',
  piscina: 'anyone',
  '@grpc/grpc-js': 'tests',
  'fast-check': 'tests',
  protobufjs: 'tests',
  vitest: 'tests',
}

export const RULES: readonly Rule[] = [
  {
    name: '1 The core knows no component',
    for: 'product',
    file: source => (source.path.startsWith('core/') ? reaching(source, target => outside(target)) : []),
  },
  {
    name: '2 Components do not know each other',
    for: 'product',
    file: source =>
      isComponent(source.path) ? reaching(source, target => outside(target) && homeOf(target) !== source.home) : [],
  },
  {
    name: '3 A room is entered by its door',
    for: 'product',
    file: source => source.imports.filter(each => each.own && !byTheDoor(source, each)).map(line(source)),
  },
  {
    name: '4 Rooms have an order',
    for: 'product',
    file: source =>
      reaching(source, target => {
        const [from, to] = [ROOMS[source.home], ROOMS[homeOf(target)]]
        return from !== undefined && to !== undefined && homeOf(target) !== source.home && to >= from
      }),
  },
  {
    name: '5 Components build no pipelines',
    for: 'product',
    file: source =>
      isComponent(source.path)
        ? reaching(source, target => ['core/pipeline', 'core/service'].includes(homeOf(target)))
        : [],
  },
  {
    name: '6 Tests are imported by tests only',
    for: 'product',
    file: source => reaching(source, target => isTest(target)),
  },
  {
    name: '7 One owner a library',
    for: 'product',
    file: source => source.imports.filter(each => !each.own && !mayUse(source, each.target)).map(line(source)),
  },
  {
    name: '8 The process belongs to the executable',
    for: 'product',
    file: source => processUses(source),
  },
  {
    name: '9 No cycles',
    for: 'all',
    whole: sources => cyclesOf(sources),
  },
  {
    name: '9 No default exports, enums, parameter properties',
    for: 'all',
    file: source =>
      SYNTAX.filter(([, pattern]) => pattern.test(source.code)).map(([what]) => `${source.path} -> ${what}`),
  },
  {
    name: '9 import type for types',
    for: 'all',
    file: typesTakenAsValues,
  },
  {
    name: '9 Extensions are written in imports',
    for: 'all',
    file: source =>
      source.imports
        .filter(each => each.specifier.startsWith('.') && !/\.(ts|json)$/.test(each.specifier))
        .map(each => `${source.path} -> ${each.specifier}`),
  },
  {
    name: '10 No source file above 400 lines, no test above 500',
    for: 'all',
    file: source => {
      const lines = source.text.replace(/\n$/, '').split('\n').length
      return lines > (source.test ? 500 : 400) ? [`${source.path} -> ${lines} lines`] : []
    },
  },
]

/** Every breach of `rule` in the tree. */
export function breachesOf(rule: Rule, sources: readonly Source[]): string[] {
  const judged = rule.for === 'all' ? sources : sources.filter(source => !source.test)
  const tree = new Map(sources.map(source => [source.path, source]))
  return [...judged.flatMap(source => [...(rule.file?.(source, tree) ?? [])]), ...(rule.whole?.(judged) ?? [])]
}

function line(source: Source): (each: ResolvedImport) => string {
  return each => `${source.path} -> ${each.target}`
}

function reaching(source: Source, forbidden: (target: string) => boolean): string[] {
  return source.imports.filter(each => each.own && forbidden(each.target)).map(line(source))
}

/** What stands outside the core: components and distributions. */
function outside(target: string): boolean {
  return isComponent(target) || target.startsWith('distributions/')
}

/** Inside a home relative, core from outside only as `#core/<room>`, components and distributions by `index.ts`. */
function byTheDoor(source: Source, each: ResolvedImport): boolean {
  const inside = homeOf(each.target) === source.home
  if (each.specifier.startsWith('#')) return !inside && /^#core\/[a-z]+$/.test(each.specifier)
  if (inside) return true
  if (each.target.startsWith('core/')) return false
  return each.target.endsWith('.json') || /^[a-z]+\/[a-z0-9_-]+\/index\.ts$/.test(each.target)
}

function mayUse(source: Source, library: string): boolean {
  const owners = OWNERS[library]
  if (owners === undefined) return library.startsWith('node:') && library !== 'node:process'
  return owners === 'anyone' || (owners !== 'tests' && owners.includes(source.home))
}

function processUses(source: Source): string[] {
  const executable = /^distributions\/[^/]+\/main\.ts$|^core\/service\/cli(\/|[.-])/.test(source.path)
  const used = [...source.code.matchAll(/(?<![.\w$])process\s*(?:\?\.|\.)\s*(\w+)/g)].map(match => match[1]!)
  const whole = /\}\s*=\s*process\b(?!\s*\.)/.test(source.code) ? ['destructured'] : []
  return [...new Set([...used, ...whole])]
    .filter(member => {
      if (member === 'env') return source.home !== 'core/config'
      return !executable && EXECUTABLE_ONLY.includes(member)
    })
    .map(member => `${source.path} -> process.${member}`)
}

/** `on` and its kin are how signals are caught. */
const EXECUTABLE_ONLY = 'argv argv0 execArgv exit exitCode abort kill on once addListener off destructured'.split(' ')

const SYNTAX: readonly (readonly [string, RegExp])[] = [
  ['export default', /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/],
  ['enum', /(^|[\n;{}]|\b(export|const|declare))\s*enum\s+\w+\s*\{/],
  [
    'parameter property',
    /\bconstructor\s*\((?:[^)]*,)?\s*(?:(?:public|private|protected|readonly|override)\s+)+[\w$]+\s*[?:=]/,
  ],
]

function* typesTakenAsValues(source: Source, tree: Tree): Iterable<string> {
  for (const each of source.imports) {
    if (!each.own) continue
    for (const { name, type } of each.names) {
      if (!type && isType(name, each.target, tree)) yield `${source.path} -> ${name} of ${each.target}`
    }
  }
}

/** Whether a module exports `name` as a type and not as a value; follows `export *`. */
function isType(name: string, path: string, tree: Tree, seen = new Set<string>()): boolean {
  const source = tree.get(path)
  if (source === undefined || seen.has(path) || !/^[\w$]+$/.test(name)) return false
  seen.add(path)
  const value = new RegExp(
    `\\bexport\\s+(declare\\s+)?(abstract\\s+)?(async\\s+)?(const|let|class|function\\*?)\\s+${name}\\b`,
  )
  if (value.test(source.code)) return false
  if (new RegExp(`\\bexport\\s+(declare\\s+)?(interface|type)\\s+${name}\\b`).test(source.code)) return true
  return source.imports
    .filter(each => each.again && each.own && each.names.some(taken => taken.name === '*' || taken.name === name))
    .some(each => isType(name, each.target, tree, seen))
}
