import { optionTable } from '#core/config'
import type { Chosen } from './mention.ts'
import { SECTIONS } from './read-manifest.ts'

/** What the README of a distribution tells beside its components. */
export interface ReadmeFacts {
  readonly name: string
  readonly description: string
  readonly version: string
  /** The package that it was built with, and its version. */
  readonly builder: string
  readonly hasPackages: boolean
  readonly hasConfig: boolean
  readonly ports: readonly number[]
  readonly schemes: readonly string[]
}

/** The README of a distribution: how to run it, and every option of exactly its components. */
export function distributionReadme(chosen: readonly Chosen[], facts: ReadmeFacts): string {
  const { name, description, version, builder, hasPackages, hasConfig, ports, schemes } = facts
  const config = hasConfig ? '' : ' --config config.yaml'
  const mount = hasConfig ? '' : ` -v $PWD/config.yaml:/etc/${name}/config.yaml`
  const published = ports.map(port => ` -p ${port}:${port}`).join('')
  const kinds = Object.entries(SECTIONS).flatMap(([section, kind]) => {
    const of = chosen.filter(each => each.kind === kind)
    return of.length === 0 ? [] : [[section, of] as const]
  })
  const rows = kinds.flatMap(([section, of]) =>
    of.map(
      ({ definition: { type, description } }) =>
        `| ${section} | [\`${type}\`](#${type}-${section.slice(0, -1)}) | ${description} |`,
    ),
  )
  const parts = kinds.flatMap(([section, of]) =>
    of.map(({ definition }) => {
      const { type, description, aliases = [], config } = definition
      const also = aliases.length === 0 ? '' : ` Also written ${aliases.map(each => `\`${each}\``).join(', ')}.`
      return `## \`${type}\` ${section.slice(0, -1)}\n\n${description}${also}\n\n${optionTable(config)}`
    }),
  )
  return `# ${name}

${description}. Version ${version}, built with ${builder}: run the builder again instead of changing these files.

\`\`\`sh
${hasPackages ? 'npm ci --omit=dev\n' : ''}node lib/main.js${config}
node lib/main.js validate${config}
node lib/main.js --help
\`\`\`

For completion in an editor, begin a configuration with \`# yaml-language-server: $schema=./config.schema.json\`.
Configurations may come from ${schemes.map(each => `\`${each}:\``).join(', ')}.

In a container, listen on \`0.0.0.0\`. The image runs as user 65532 and needs no writable file system.

\`\`\`sh
docker build -t ${name.toLowerCase()} .
docker run --read-only${published}${mount} ${name.toLowerCase()}
\`\`\`

## Components

| Kind | Type | What it does |
| --- | --- | --- |
${rows.join('\n')}

${parts.join('\n')}`
}
