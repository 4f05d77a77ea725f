import { Piscina } from 'piscina'
import type { Convention } from './convention.ts'
import { packageVersion } from './package-conventions.ts'

/** Where the standard can be kept between starts. */
export interface ConventionCache {
  get(name: string): Promise<Buffer | undefined>
  set(name: string, value: Uint8Array): Promise<void>
}

/** The standard by version, for all dictionaries of the process. */
const read = new Map<string, Convention[]>()

/**
 * Reads the registries at `paths` and the standard, in a thread; those at `paths` come first. The standard is kept by its
 * version, in this process and in `cache`.
 * @throws {Error} when a registry cannot be read; the message names it
 */
export async function loadConventions(paths: readonly string[], cache?: ConventionCache): Promise<Convention[]> {
  const version = packageVersion()
  const kept = read.get(version) ?? (await fromCache(version, cache))
  if (kept !== undefined && paths.length === 0) return kept
  const pool = new Piscina({
    filename: new URL('worker.ts', import.meta.url).href,
    maxThreads: 1,
    atomics: 'disabled',
  })
  try {
    const standard = kept ?? ((await pool.run(undefined, { name: 'standard' })) as Convention[])
    read.set(version, standard)
    if (kept === undefined) await cache?.set(keyOf(version), Buffer.from(JSON.stringify(standard))).catch(() => {})
    const own = paths.length === 0 ? [] : ((await pool.run(paths, { name: 'registries' })) as Convention[])
    return [...own, ...standard]
  } finally {
    await pool.destroy()
  }
}

async function fromCache(version: string, cache: ConventionCache | undefined): Promise<Convention[] | undefined> {
  try {
    const bytes = await cache?.get(keyOf(version))
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as Convention[])
  } catch {
    return undefined
  }
}

function keyOf(version: string): string {
  return `conventions/${version}`
}
