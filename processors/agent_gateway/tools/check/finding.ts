import { compareOrigins, type Fault, formatFault } from '#core/config'

/** What `gateway check` has to say about one place. */
export interface Finding extends Fault {
  /** An error: the gateway refuses the file, or nothing would be sent. A warning: it would not do what is wanted. */
  readonly severity: 'error' | 'warning'
  /** The rule's name, for example `unknown-key`. */
  readonly rule: string
}

/** `file:line:column  path: sentence (did you mean "x"?) [error: rule]`. */
export function printFinding(finding: Finding): string {
  return `${formatFault(finding)} [${finding.severity}: ${finding.rule}]`
}

/** By position, those without one first. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => {
    if (!a.origin || !b.origin) return Number(Boolean(a.origin)) - Number(Boolean(b.origin))
    return compareOrigins(a.origin, b.origin)
  })
}

/** Joins keys as the gateway writes paths: `plugins.entries.diagnostics-otel.config`. */
export function dotted(keys: readonly string[]): string {
  return keys.reduce((path, key) => {
    if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`
    return path === '' ? key : `${path}.${key}`
  }, '')
}
