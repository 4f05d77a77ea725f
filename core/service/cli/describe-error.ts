import {
  ConfigError,
  type Fault,
  formatExcerpt,
  formatFault,
  formatOrigin,
  type Stage,
  visible,
  type Warning,
} from '#core/config'

/** What stands before the faults of each stage, as in the Collector. */
const PREFIXES: Readonly<Record<Stage, string>> = {
  resolve: 'failed to get config: cannot resolve the configuration',
  decode: 'failed to get config: cannot unmarshal the configuration',
  validate: 'invalid configuration',
  build: 'failed to build pipelines',
}

/**
 * What to print of an error: `Error: <sentence>`. One fault of a configuration stands behind its prefix, several below
 * it, a line each; under each the line of the file that it is about, as far as it is known. Errors that only a mistake
 * in the program can cause come with their stack.
 * @param bare leaves the prefix `invalid configuration` out, as the `validate` command does
 */
export function describeError(error: unknown, bare = false): string {
  if (error instanceof ConfigError) return `Error: ${describeFaults(error, bare)}\n`
  if (!(error instanceof Error)) return `Error: ${String(error)}\n`
  const mistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return `Error: ${(mistake && error.stack) || error.message}\n`
}

/** Lines to print before an error: what was worth mentioning before it, and may explain it. */
export function describeWarningsOf(error: unknown): string {
  if (!(error instanceof ConfigError)) return ''
  const told = error.warnings.filter(({ level }) => level === 'warn')
  return told.map(warning => `Warning: ${describeWarning(warning)}\n`).join('')
}

function describeFaults({ faults, stage }: ConfigError, bare: boolean): string {
  const prefix = stage === undefined || (bare && stage === 'validate') ? undefined : PREFIXES[stage]
  const [first, ...others] = faults
  if (first !== undefined && others.length === 0) {
    return `${prefix === undefined ? '' : `${prefix}: `}${formatFault(first)}${detailsOf(first, '  ')}`
  }
  const lines = faults.map(fault => `\n  ${formatFault(fault)}${detailsOf(fault, '    ')}`)
  return `${prefix ?? `${faults.length} faults`}:${lines.join('')}`
}

/** What `validate` prints of a warning, without `Warning: `. */
export function describeWarning(warning: Warning): string {
  const { message, fields, path, origin } = warning
  const place = origin === undefined ? '' : `${formatOrigin(origin)}  `
  const about = path === undefined || message.includes(path) ? '' : `${path}: `
  const details = Object.entries(fields ?? {}).map(([name, value]) => ` ${name}=${value}`)
  return place + visible(about + message + details.join('')) + detailsOf(warning, '  ')
}

/** What stands below a fault: the line that it is about, and what can be done. */
function detailsOf({ excerpt, hint }: Pick<Fault, 'excerpt' | 'hint'>, indent: string): string {
  const line = excerpt === undefined ? '' : `\n${formatExcerpt(excerpt, indent)}`
  return line + (hint === undefined ? '' : `\n${indent}${hint}`)
}
