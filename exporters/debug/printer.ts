import type { LogFields, Logger, PipelineContext } from '#core/component'
import { type Payload, type Signal, toJson } from '#core/data'
import type { DebugConfig } from './config.ts'
import { countsOf, TITLE } from './counts.ts'
import { detailedLogs, detailedMetrics, detailedTraces } from './detailed.ts'
import { normalLogs, normalMetrics, normalTraces } from './normal.ts'
import { internalLog, type Output, PathOutput } from './output.ts'
import { Sampler } from './sampler.ts'

/** The text of a request given as OTLP/JSON. */
type Text = (request: object) => string

const TEXTS: Record<'normal' | 'detailed', Partial<Record<Signal, Text>>> = {
  normal: { traces: normalTraces, metrics: normalMetrics, logs: normalLogs },
  detailed: { traces: detailedTraces, metrics: detailedMetrics, logs: detailedLogs },
}

/** Prints requests as the configuration says. */
export class Printer {
  readonly #texts: Partial<Record<Signal, Text>>
  readonly #output: Output
  readonly #sampler: Sampler
  readonly #loggers: ReadonlyMap<Signal, Logger>

  constructor(config: DebugConfig, { signals, logger, clock }: PipelineContext) {
    this.#texts = config.verbosity === 'basic' ? {} : TEXTS[config.verbosity]
    this.#output = config.use_internal_logger ? internalLog : new PathOutput(config.output_paths ?? ['stdout'])
    this.#sampler = new Sampler(config.sampling_initial, config.sampling_thereafter, clock)
    this.#loggers = new Map(signals.map(signal => [signal, logger.with({ 'otelcol.signal': signal })]))
  }

  open(): Promise<void> {
    return this.#output.open()
  }

  /** The summary line, then the text if one is wanted. */
  async print(payload: Payload): Promise<void> {
    await this.#write(payload.signal, TITLE[payload.signal], countsOf(payload))
    const text = this.#texts[payload.signal]
    if (text !== undefined) await this.#write(payload.signal, text(JSON.parse(toJson(payload))))
  }

  close(): Promise<void> {
    return this.#output.close()
  }

  async #write(signal: Signal, message: string, fields?: LogFields): Promise<void> {
    if (this.#sampler.allows(message)) await this.#output.write(this.#loggers.get(signal)!, message, fields)
  }
}
