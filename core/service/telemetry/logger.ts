import { type Clock, type LogFields, type Logger, systemClock } from '#core/component'
import { consoleLine, jsonLine, type LogEntry, type LogLevel } from './log-line.ts'
import { LogSampler, type SamplingConfig } from './log-sampling.ts'

const SEVERITY = { debug: 0, info: 1, warn: 2, error: 3, none: 4 } as const

/** What loggers of one collector share. */
export interface LogConfig {
  /** The least severe level printed. */
  readonly level: keyof typeof SEVERITY
  readonly encoding: 'console' | 'json'
  /** Whether lines name the file and line that logged. */
  readonly caller: boolean
  /** Whether lines with an error carry its stack, from `warn` (development) or `error` on; `undefined` for never. */
  readonly stackFrom: 'warn' | 'error' | undefined
  readonly sampling: SamplingConfig | undefined
  /** Receives whole lines. */
  readonly write: (line: string) => void
  /** Receives each entry that is printed, for export. */
  readonly observe?: (entry: LogEntry) => void
  readonly clock?: Clock
}

/** A root logger; derive others with `with`. */
export function createLogger(config: LogConfig, fields: LogFields = {}): Logger {
  const clock = config.clock ?? systemClock
  const sampler = config.sampling === undefined ? undefined : new LogSampler(config.sampling, clock)
  return new CollectorLogger(config, clock, sampler, fields)
}

class CollectorLogger implements Logger {
  readonly #config: LogConfig
  readonly #clock: Clock
  readonly #sampler: LogSampler | undefined
  readonly #fields: LogFields
  readonly #threshold: number

  constructor(config: LogConfig, clock: Clock, sampler: LogSampler | undefined, fields: LogFields) {
    this.#config = config
    this.#clock = clock
    this.#sampler = sampler
    this.#fields = fields
    this.#threshold = SEVERITY[config.level]
  }

  debug(message: string, fields?: LogFields): void {
    if (this.enabled('debug')) this.#log('debug', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    if (this.enabled('info')) this.#log('info', message, fields)
  }

  warn(message: string, fields?: LogFields): void {
    if (this.enabled('warn')) this.#log('warn', message, fields)
  }

  error(message: string, fields?: LogFields): void {
    if (this.enabled('error')) this.#log('error', message, fields)
  }

  enabled(level: LogLevel): boolean {
    return SEVERITY[level] >= this.#threshold
  }

  with(fields: LogFields): Logger {
    return new CollectorLogger(this.#config, this.#clock, this.#sampler, { ...this.#fields, ...fields })
  }

  #log(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (this.#sampler !== undefined && !this.#sampler.admits(level, message)) return
    const { stackFrom } = this.#config
    const all: Record<string, unknown> = { ...this.#fields, ...fields }
    if (stackFrom !== undefined && SEVERITY[level] >= SEVERITY[stackFrom] && all.error instanceof Error) {
      all.stacktrace = all.error.stack
    }
    const caller = this.#config.caller ? callerOf() : undefined
    const entry: LogEntry = { level, time: this.#clock.now(), message, fields: all, ...(caller && { caller }) }
    this.#config.write(this.#config.encoding === 'json' ? jsonLine(entry) : consoleLine(entry))
    this.#config.observe?.(entry)
  }
}

/** The last two path segments and the line of whoever called the logger: frame 0 is here, 1 `#log`, 2 the level's method. */
function callerOf(): string | undefined {
  const frame = new Error().stack?.split('\n')[4]
  return frame?.match(/([^/\\(]+[/\\][^/\\]+:\d+):\d+\)?$/)?.[1]
}
