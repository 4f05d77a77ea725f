import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** What a plugin says of itself, as far as it matters here. */
export interface PluginManifest {
  readonly id: string
  /** Keys that its configuration may have; undefined when it may have any. */
  readonly configKeys: readonly string[] | undefined
}

/**
 * Reads `openclaw.plugin.json` of a plugin's folder.
 * @param path a folder, or a file in it
 * @returns undefined when there is no manifest with an id
 */
export function readPluginManifest(path: string): PluginManifest | undefined {
  for (const folder of [path, dirname(path)]) {
    const manifest = parse(join(folder, 'openclaw.plugin.json'))
    if (manifest !== undefined) return manifest
  }
  return undefined
}

/** Where an entry of `plugins.load.paths` points to, for a configuration in `folder`. */
export function pluginPath(entry: string, folder: string): string {
  const path = entry.startsWith('~/') ? join(homedir(), entry.slice(2)) : entry
  return isAbsolute(path) ? path : resolve(folder, path)
}

function parse(file: string): PluginManifest | undefined {
  try {
    const { id, configSchema } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly id?: unknown
      readonly configSchema?: { readonly additionalProperties?: unknown; readonly properties?: object }
    }
    if (typeof id !== 'string' || id === '') return undefined
    const strict = configSchema?.additionalProperties === false
    return { id, configKeys: strict ? Object.keys(configSchema.properties ?? {}) : undefined }
  } catch {
    return undefined
  }
}
