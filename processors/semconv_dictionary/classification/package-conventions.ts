import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { EntryKind } from '../analysis/vocabulary.ts'
import type { Convention } from './convention.ts'

const PACKAGE = '@opentelemetry/semantic-conventions'
const KINDS: readonly (readonly [EntryKind, string])[] = [
  ['attribute', 'attributes'],
  ['metric', 'metrics'],
  ['event', 'events'],
]
/** A constant with its comment, as the package's typings declare it. */
const DECLARATION =
  /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*(?:export )?declare const (\w+): ("[^"]*"|-?[\d.]+|\(key: string\) => string)/g
/** How the package's code makes names from templates. */
const TEMPLATE = /const (\w+) = \(key\) => `([^`$]*)\$\{key\}`/g

/** Version of the installed package. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }
  return manifest.version
}

/**
 * Reads the standard from the installed package: names, briefs, stability and deprecations, and types as far as enumerated
 * values and examples leave no doubt. Units and instruments are not in the package. Takes some tenths of a second.
 */
export function readPackageConventions(): Convention[] {
  return KINDS.flatMap(([kind, plural]) => [
    ...readFile(kind, `stable_${plural}`, true),
    ...readFile(kind, `experimental_${plural}`, false),
  ])
}

function packageFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), '..')
}

function readFile(kind: EntryKind, file: string, stable: boolean): Convention[] {
  const path = join(packageFolder(), 'dist', file)
  const declarations = [...readFileSync(`${path}.d.mts`, 'utf8').matchAll(DECLARATION)]
  const templates = new Map<string, string>()
  for (const [, constant, name] of readFileSync(`${path}.mjs`, 'utf8').matchAll(TEMPLATE))
    templates.set(constant!, name!)
  const enumerated = new Map<string, string>()
  for (const [, comment, , value] of declarations) {
    const owner = /Enum value .* for attribute \{@link (\w+)\}/.exec(comment!)?.[1]
    if (owner !== undefined) enumerated.set(owner, value!.startsWith('"') ? 'string' : 'int')
  }
  const conventions: Convention[] = []
  for (const [, comment, constant, value] of declarations) {
    if (!/^(ATTR|METRIC|EVENT)_/.test(constant!)) continue
    const template = templates.get(constant!)
    if (template === undefined && !value!.startsWith('"')) continue
    const name = template ?? value!.slice(1, -1)
    const type =
      kind === 'attribute' && template === undefined ? (enumerated.get(constant!) ?? typeOf(comment!)) : undefined
    conventions.push({
      kind,
      name,
      stable,
      brief: briefOf(comment!),
      ...(template === undefined ? {} : { template: true }),
      ...(type === undefined ? {} : { type }),
      ...deprecation(comment!),
    })
  }
  return conventions
}

/** The first paragraph of a comment. */
function briefOf(comment: string): string {
  const lines = comment.split('\n').map(line => line.replace(/^\s*\* ?/, '').trim())
  const start = lines.findIndex(line => line !== '')
  const end = lines.findIndex((line, index) => index > start && (line === '' || line.startsWith('@')))
  return lines.slice(start, end < 0 ? undefined : end).join(' ')
}

/** The type that examples prove; numbers prove nothing, since texts may look like them. */
function typeOf(comment: string): string | undefined {
  const examples = [...comment.matchAll(/@example (.+)/g)].map(([, text]) => text!.trim())
  if (examples.some(text => text.startsWith('["'))) return 'string[]'
  const plain = examples.some(text => Number.isNaN(Number(text)) && !/^(true|false|\[.*\]|\{.*\})$/.test(text))
  return plain ? 'string' : undefined
}

function deprecation(comment: string): Pick<Convention, 'deprecated' | 'moved'> {
  const note = /@deprecated ([\s\S]*?)(?=\n\s*\*\s*(?:@|$|\n)|$)/
    .exec(comment)?.[1]
    ?.replace(/\s*\n\s*\*?\s*/g, ' ')
    .trim()
  if (note === undefined) return {}
  if (note.startsWith('Moved to ')) return { moved: true }
  const replacement = /^Replaced by `([^`]+)`(?:\.?$|, which has moved to )/.exec(note)?.[1]
  return { deprecated: { note, ...(replacement === undefined ? {} : { replacement }) } }
}
