import type { Chosen } from './mention.ts'
import { SECTIONS, type Section } from './read-manifest.ts'

/** What a list of components says of its distribution, as TypeScript expressions where they are not plain words. */
export interface ListHead {
  /** The name of the constant. */
  readonly constant: string
  readonly command: string
  readonly description: string
  /** An expression. */
  readonly version: string
  /** Imports beside those of the components. */
  readonly imports: readonly string[]
  /** The comment above the constant. */
  readonly comment: string
  /** The module of the type `Distribution`. */
  readonly contracts: string
  /** The line at the top. */
  readonly banner: string
}

/**
 * The list of components of a distribution as a TypeScript module.
 * @param specifierOf what to import a component from
 */
export function componentList(
  chosen: readonly Chosen[],
  { constant, command, description, version, imports, comment, contracts, banner }: ListHead,
  specifierOf: (chosen: Chosen) => string,
): string {
  const names = localNames(chosen)
  const lines = new Map<string, Map<string, string>>()
  for (const one of chosen) {
    const specifier = specifierOf(one)
    const taken = lines.get(specifier) ?? new Map<string, string>()
    const { local } = names.get(one)!
    taken.set(one.name === local ? local : `${one.name} as ${local}`, one.name)
    lines.set(specifier, taken)
  }
  const own = [...lines].map(
    ([specifier, taken]) => `import { ${[...taken.keys()].sort().join(', ')} } from '${specifier}'`,
  )
  const module = (line: string) => /from '(.*?)'/.exec(line)![1]!
  const all = [...own, ...imports].sort((a, b) => (module(a) < module(b) ? -1 : 1))
  const lists = (Object.entries(SECTIONS) as [Section, string][]).map(([section, kind]) => {
    const members = chosen.filter(one => one.kind === kind).map(one => names.get(one)!.expression)
    return list(section, members)
  })
  return [
    `// ${banner}`,
    `import type { Distribution } from '${contracts}'`,
    ...all,
    '',
    `/** ${comment} */`,
    `export const ${constant} = {`,
    `  command: ${quoted(command)},`,
    `  description: ${quoted(description)},`,
    `  version: ${version},`,
    ...lists,
    '} satisfies Distribution',
    '',
  ].join('\n')
}

/** On one line while it is short, as the formatter would have it. */
function list(name: string, members: readonly string[]): string {
  const line = `  ${name}: [${members.join(', ')}],`
  return line.length <= 120 ? line : [`  ${name}: [`, ...members.map(each => `    ${each},`), '  ],'].join('\n')
}

export function quoted(text: string): string {
  const json = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${json.replaceAll("'", "\\'")}'`
}

/** A name of its own for each export, and how the component is reached from it. */
function localNames(chosen: readonly Chosen[]): Map<Chosen, { readonly local: string; readonly expression: string }> {
  const owners = new Map<string, string>()
  return new Map(
    chosen.map(one => {
      const wanted = one.name === 'default' ? camelCase(`${one.definition.type}_${one.kind}`) : one.name
      const owner = `${one.specifier} ${one.name}`
      let local = wanted
      for (let i = 2; (owners.get(local) ?? owner) !== owner; i++) local = `${wanted}${i}`
      owners.set(local, owner)
      return [one, { local, expression: local + one.member }]
    }),
  )
}

export function camelCase(words: string): string {
  return words.replace(/[-_.](\w)/g, (_, letter: string) => letter.toUpperCase())
}
