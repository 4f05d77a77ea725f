import { relative, resolve } from 'node:path'
import type { Distribution } from '#core/component'
import { ConfigError, formatFault, type Warning } from '#core/config'
import { ComponentModules } from '#core/service'
import { BUNDLE, type Built, buildDistribution } from './build-distribution.ts'
import { choose } from './choose.ts'
import { driftOf, writeOutput } from './output-folder.ts'
import { readManifest } from './read-manifest.ts'

/** What a build is asked to do. */
export interface BuildRequest {
  /** The path of the manifest. */
  readonly config: string
  /** Instead of the manifest's. */
  readonly outputPath: string | undefined
  /** Writes nothing and compares. */
  readonly check: boolean
  /** Leaves out components of the Go Collector that are not here. */
  readonly skipMissing: boolean
  readonly verbose: boolean
}

interface Sinks {
  readonly stdout: { write(text: string): void }
  readonly stderr: { write(text: string): void }
}

/**
 * Builds a distribution from a manifest.
 * @param own the components of this package
 * @returns whether everything is as it should be
 * @throws {ConfigError} with every fault of the manifest
 */
export async function runBuild(own: Distribution, request: BuildRequest, { stdout, stderr }: Sinks): Promise<boolean> {
  const read = await readManifest(request.config)
  const choice = await choose(read, own, new ComponentModules())
  const { manifest } = read
  const faults = [...read.faults, ...choice.faults, ...(request.skipMissing ? [] : choice.missing)]
  if (manifest === undefined || faults.length > 0) throw new ConfigError(faults)
  const file = { ...read, manifest }
  const { dist } = manifest
  const out = request.outputPath === undefined ? resolve(file.folder, dist.output_path) : resolve(request.outputPath)
  const built = await buildDistribution(file, choice, out)
  const left = choice.missing.map(fault => ({
    ...fault,
    level: 'warn' as const,
    message: `left out: ${fault.message}`,
  }))
  for (const warning of [...file.warnings, ...choice.warnings, ...left, ...built.warnings])
    stderr.write(lineOf(warning))
  const place = relative('', out) || '.'
  if (request.check) {
    const drift = await driftOf(built, out)
    for (const line of drift) stderr.write(`Error: ${place}/${line}\n`)
    return drift.length === 0
  }
  await writeOutput(built, out)
  stdout.write(`${dist.name} ${dist.version} in ${place}: ${choice.components.length} components, ${size(built)}\n`)
  if (request.verbose) for (const [path, bytes] of built.files) stdout.write(`  ${path}  ${bytes.length}\n`)
  return true
}

function lineOf({ level, path = '', message, origin }: Warning): string {
  const text = formatFault({ path, message, ...(origin && { origin }) })
  return `${level === 'warn' ? 'Warning' : 'Note'}: ${text}\n`
}

function size({ files, packages }: Built): string {
  const code = [...files]
    .filter(([path]) => path.startsWith(`${BUNDLE}/`) && path.endsWith('.js'))
    .map(([, bytes]) => bytes.length)
  const megabytes = (code.reduce((sum, each) => sum + each, 0) / 1e6).toFixed(2)
  const beside = packages.filter(({ folder }) => folder !== undefined).length
  return `a bundle of ${megabytes} MB${beside === 0 ? '' : ` and ${beside} packages beside it`}`
}
