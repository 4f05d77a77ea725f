import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Distribution } from '#core/component'
import { ConfigError, type Warning } from '#core/config'
import { load } from '#core/service'
import { portsIn } from './ports.ts'
import type { Described } from './read-manifest.ts'

/** The configuration that a distribution uses when none is given. */
export interface DefaultConfiguration {
  readonly text: string
  /** Ports that it opens; `undefined` when that depends on the environment. */
  readonly ports: readonly number[] | undefined
  readonly warnings: readonly Warning[]
}

/**
 * Reads `dist.config` and holds it against the distribution. What may be otherwise where it runs, because the environment
 * is, is a warning.
 * @throws {ConfigError} when no environment could make it right
 */
export async function defaultConfiguration(
  { manifest: { dist }, node, folder }: Described,
  distribution: Distribution,
): Promise<DefaultConfiguration | undefined> {
  if (dist.config === undefined) return undefined
  const path = resolve(folder, dist.config)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const origin = node.originAt(['dist', 'config'])
    const message = `cannot read ${path}: ${(cause as Error).message.split(',')[0]}`
    throw new ConfigError([{ path: 'dist::config', message, ...(origin && { origin }) }], { cause })
  }
  try {
    const { plan } = await load(distribution, { sources: [path] })
    const { receivers, extensions } = plan.configuration
    const used = [...receivers.values(), ...extensions.values()].map(each => each.config)
    return { text, ports: portsIn(used), warnings: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const certain = error.stage === 'validate' ? [] : error.faults.filter(({ origin }) => origin?.via === undefined)
    if (certain.length > 0) throw new ConfigError(certain, { cause: error })
    return { text, ports: undefined, warnings: error.faults.map(fault => ({ level: 'warn', ...fault })) }
  }
}
