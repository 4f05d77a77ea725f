import { ConfigError, formatFault, type Stage } from '#core/config'

/** What stands before the faults of each stage, as in the Collector. */
const PREFIXES: Readonly<Record<Stage, string>> = {
  resolve: 'failed to get config: cannot resolve the configuration',
  decode: 'failed to get config: cannot unmarshal the configuration',
  validate: 'invalid configuration',
  build: 'failed to build pipelines',
}

/**
 * What to print of an error: `Error: <sentence>`. One fault of a configuration stands behind its prefix, several below
 * it, a line each. Errors that only a mistake in the program can cause come with their stack.
 * @param bare leaves the prefix `invalid configuration` out, as the `validate` command does
 */
export function describeError(error: unknown, bare = false): string {
  if (error instanceof ConfigError) return `Error: ${describeFaults(error, bare)}\n`
  if (!(error instanceof Error)) return `Error: ${String(error)}\n`
  const mistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return `Error: ${(mistake && error.stack) || error.message}\n`
}

function describeFaults({ faults, stage }: ConfigError, bare: boolean): string {
  const prefix = stage === undefined || (bare && stage === 'validate') ? undefined : PREFIXES[stage]
  const lines = faults.map(formatFault)
  if (lines.length === 1) return prefix === undefined ? lines[0]! : `${prefix}: ${lines[0]}`
  return [`${prefix ?? `${lines.length} faults`}:`, ...lines.map(line => `  ${line}`)].join('\n')
}
