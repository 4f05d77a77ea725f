import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PLUGIN_ID, PLUGIN_NAME, PLUGIN_VERSION } from './identity.ts'

/** The folder that the gateway loads. */
export const PLUGIN_FOLDER = join(import.meta.dirname, '../plugin')

const DESCRIPTION = 'Exports each request, agent turn, model call and tool call as one connected OpenTelemetry trace'

/** The generated files of the folder: name to text. Nothing in them depends on the machine. */
export async function pluginFiles(): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { plugin as default } from './plugin.ts'",
      resolveDir: import.meta.dirname,
      sourcefile: 'entry.ts',
      loader: 'ts',
    },
    absWorkingDir: import.meta.dirname,
    bundle: true,
    charset: 'utf8',
    format: 'esm',
    legalComments: 'none',
    platform: 'node',
    target: 'node22',
    write: false,
    banner: { js: '// Generated from ../tracing-plugin by `npm run plugin`. Changes belong there.' },
  })
  const manifest = {
    id: PLUGIN_ID,
    name: PLUGIN_NAME,
    description: DESCRIPTION,
    version: PLUGIN_VERSION,
    activation: { onStartup: true },
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
  }
  const entry = './index.mjs'
  const pack = {
    name: PLUGIN_ID,
    version: PLUGIN_VERSION,
    description: DESCRIPTION,
    license: 'Apache-2.0',
    type: 'module',
    main: entry,
    files: ['index.mjs', 'openclaw.plugin.json', 'README.md'],
    openclaw: { extensions: [entry], runtimeExtensions: [entry], compat: { pluginApi: '>=2026.2.0' } },
  }
  return new Map([
    ['index.mjs', outputFiles[0]!.text],
    ['openclaw.plugin.json', `${JSON.stringify(manifest, undefined, 2)}\n`],
    ['package.json', `${JSON.stringify(pack, undefined, 2)}\n`],
  ])
}

if (import.meta.main) {
  for (const [name, text] of await pluginFiles()) writeFileSync(join(PLUGIN_FOLDER, name), text)
}
