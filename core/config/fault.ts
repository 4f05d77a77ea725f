import type { Excerpt } from './excerpt.ts'
import type { DiagnosticCode } from './fault-code.ts'
import { compareOrigins, formatOrigin, type Origin } from './origin.ts'
import { redactUrls } from './redacted.ts'

/** Something in a configuration that keeps it from being used. Never quotes the value of a secret. */
export interface Fault {
  /** Keys joined by `::`; empty for the whole configuration. */
  readonly path: string
  /** A sentence without path and full stop, in the Collector's words where it has them. */
  readonly message: string
  readonly origin?: Origin
  /** The nearest valid word for the one that is not. */
  readonly suggestion?: string
  readonly code?: DiagnosticCode
  /** What can be done about it, as a sentence. */
  readonly hint?: string
  /** The line at `origin`, without secrets. */
  readonly excerpt?: Excerpt
}

/** Something worth a line in the log that does not keep a configuration from being used. */
export interface Warning {
  readonly level: 'warn' | 'info'
  readonly message: string
  /** Structured fields of the log line. */
  readonly fields?: { readonly [name: string]: string }
  readonly path?: string
  readonly origin?: Origin
  readonly code?: DiagnosticCode
  /** The line at `origin`, without secrets. */
  readonly excerpt?: Excerpt
  /** Told to whoever checks a configuration, but not worth a line at each start. */
  readonly quiet?: boolean
}

/** Which step of loading a configuration found the faults; each has its own prefix on the command line. */
export type Stage = 'resolve' | 'decode' | 'validate' | 'build'

/** A configuration that cannot be used: every fault at once, in order of position. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly faults: readonly Fault[]
  readonly stage: Stage | undefined
  /** What was worth mentioning before the faults were found, and may explain them: variables that are not set. */
  readonly warnings: readonly Warning[]

  /** @param faults at least one */
  constructor(
    faults: readonly Fault[],
    options: ErrorOptions & { readonly stage?: Stage; readonly warnings?: readonly Warning[] } = {},
  ) {
    const sorted = sortFaults(faults)
    super(sorted.map(formatFault).join('\n'), options)
    this.faults = sorted
    this.stage = options.stage
    this.warnings = options.warnings ?? []
  }
}

/** `file:line:column  path: sentence (did you mean "x"?)`, leaving out what is not known. */
export function formatFault(fault: Fault): string {
  const place = fault.origin ? `${formatOrigin(fault.origin)}  ` : ''
  const path = fault.path === '' ? '' : `${fault.path}: `
  const hint = fault.suggestion === undefined ? '' : ` (did you mean "${fault.suggestion}"?)`
  return place + visible(path + redactUrls(fault.message) + hint)
}

/** With characters that would steer a terminal or turn the text around written out. Line breaks stay. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, char => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const INVISIBLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** By position, those without one first; equal positions keep their order. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => {
    if (!a.origin || !b.origin) return Number(Boolean(a.origin)) - Number(Boolean(b.origin))
    return compareOrigins(a.origin, b.origin)
  })
}

/** Joins keys as the Collector does in messages. */
export function joinPath(path: readonly string[]): string {
  return path.join('::')
}
