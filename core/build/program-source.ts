import { quoted } from './component-list.ts'

/** The file of the component list. */
export const LIST = 'components.ts'

/** What a generated program does beyond its components. */
export interface ProgramSource {
  /** Providers that configurations may come from; `undefined`: the usual ones. */
  readonly schemes: readonly string[] | undefined
  readonly defaultScheme: string
  /** Whether `config.yaml` stands beside the program. */
  readonly hasConfig: boolean
  /** Whether stacks name the sources, by the maps beside the bundle. */
  readonly readable: boolean
}

/** The main module of a generated distribution, as TypeScript that is bundled. */
export function programSource({ schemes, defaultScheme, hasConfig, readable }: ProgramSource): string {
  const settings = [
    ...(schemes === undefined ? [] : [`schemes: [${schemes.map(quoted).join(', ')}]`]),
    ...(defaultScheme === 'env' ? [] : [`defaultScheme: ${quoted(defaultScheme)}`]),
    ...(hasConfig ? ["defaultSources: [fileURLToPath(new URL('../config.yaml', import.meta.url))]"] : []),
  ]
  return `#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
${hasConfig ? "import { fileURLToPath } from 'node:url'\n" : ''}
// Before anything else is loaded, so that everything else comes from the cache at the second start.
enableCompileCache()
${readable ? 'process.setSourceMapsEnabled(true)\n' : ''}const [{ runProcess }, { distribution }] = await Promise.all([
  import('millrace/core/service'),
  import('../${LIST}'),
])
await runProcess(distribution, { ${settings.join(', ')} })
`
}
