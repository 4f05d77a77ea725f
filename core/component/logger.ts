export type LogFields = { readonly [name: string]: unknown }

/** Structured logs. Fields that hold an `Error` are printed with message and cause, secrets never. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Whether lines of this level are printed: asks before building an expensive field. */
  enabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean
  /** A logger that adds `fields` to each line. */
  with(fields: LogFields): Logger
}
