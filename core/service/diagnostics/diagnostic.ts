import { type ConfigError, type Fault, redactUrls, type Warning } from '#core/config'

/**
 * A fault or warning as programs read it: editors, CI. The names of keys, severities and codes do not change; further
 * keys may come. Keys whose value is not known are left out.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** A `DiagnosticCode`; faults that have none carry the name of the stage that found them. */
  readonly code: string
  /** A sentence without path, position and full stop. */
  readonly message: string
  /** Keys joined by `::`; empty for the whole configuration. */
  readonly path: string
  /** As it was given, `env:NAME`, `--set KEY`, or a URL without credentials and query. */
  readonly file?: string
  /** Lines and columns count from 1, columns in UTF-16 code units as in the Language Server Protocol. */
  readonly line?: number
  readonly column?: number
  /** Right after the last character. */
  readonly endLine?: number
  readonly endColumn?: number
  /** The word that was probably meant. */
  readonly suggestion?: string
  /** What can be done, as a sentence. */
  readonly hint?: string
}

/** The faults of a configuration, in order of position. */
export function diagnosticsOf({ faults, stage }: ConfigError): Diagnostic[] {
  return faults.map(fault => diagnostic('error', stage ?? 'invalid', fault))
}

/** A fault of its own. */
export function diagnosticOf(fault: Fault): Diagnostic {
  return diagnostic('error', 'invalid', fault)
}

/** Warnings, without those that are for the log only. */
export function diagnosticsOfWarnings(warnings: readonly Warning[]): Diagnostic[] {
  return warnings
    .filter(({ level }) => level === 'warn')
    .map(warning => diagnostic('warning', 'other', inWords(warning)))
}

/** The structured fields of a log line, as words. */
function inWords({ message, fields, ...rest }: Warning): Partial<Fault> & Pick<Fault, 'message'> {
  const details = Object.entries(fields ?? {}).map(([name, value]) => ` ${name}=${value}`)
  return { ...rest, message: message + details.join('') }
}

function diagnostic(
  severity: Diagnostic['severity'],
  fallback: string,
  { code = undefined, message, path = '', origin, excerpt, suggestion, hint }: Partial<Fault> & Pick<Fault, 'message'>,
): Diagnostic {
  return {
    severity,
    code: code ?? fallback,
    message: redactUrls(message),
    path,
    ...(origin && { file: origin.file, line: origin.line, column: origin.column }),
    ...(excerpt && { endLine: excerpt.line, endColumn: excerpt.endColumn }),
    ...(suggestion !== undefined && { suggestion }),
    ...(hint !== undefined && { hint }),
  }
}
