import type { LogFields, Logger } from '#core/component'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

/** A logger that remembers its lines; loggers made by `with` write to the same list. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[]
  readonly #fields: LogFields

  constructor(lines: LogLine[] = [], fields: LogFields = {}) {
    this.lines = lines
    this.#fields = fields
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields)
  }
  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields)
  }
  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields)
  }
  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields)
  }
  enabled(): boolean {
    return true
  }
  with(fields: LogFields): RecordingLogger {
    return new RecordingLogger(this.lines, { ...this.#fields, ...fields })
  }

  /** The messages, of one level when given. */
  messages(level?: LogLine['level']): string[] {
    return this.lines.filter(line => level === undefined || line.level === level).map(line => line.message)
  }

  #write(level: LogLine['level'], message: string, fields: LogFields = {}): void {
    this.lines.push({ level, message, fields: { ...this.#fields, ...fields } })
  }
}
