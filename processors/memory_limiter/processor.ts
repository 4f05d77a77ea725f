import type { Component, ConsumeContext, Consumer, Counter, PipelineContext } from '#core/component'
import type { Payload, Signal } from '#core/data'
import { MemoryLimiter, type MemoryLimiterConfig, memoryRefusal } from '#core/memory'
import { accepted, refused, usageInstruments } from './telemetry.ts'

/** The processor of one pipeline; those of one id share a limiter. */
export function createMemoryLimiter(
  config: MemoryLimiterConfig,
  signal: Signal,
  next: Consumer,
  context: PipelineContext,
): MemoryLimiterProcessor {
  const { limiter } = context.shared(() => sharedLimiter(config, context))
  return new MemoryLimiterProcessor(limiter, signal, next, context)
}

/** One limiter, and the gauge that shows what it reads. */
function sharedLimiter(config: MemoryLimiterConfig, { logger, clock, meter }: PipelineContext) {
  const limiter = new MemoryLimiter(config, { logger, clock })
  const { used } = meter.bind(usageInstruments)
  return { limiter, [Symbol.dispose]: used.observe(() => limiter.used) }
}

/** Hands on what comes while memory lasts, and refuses it otherwise. */
export class MemoryLimiterProcessor implements Component, Consumer {
  readonly #limiter: MemoryLimiter
  readonly #next: Consumer
  readonly #report: PipelineContext['report']
  readonly #accepted: Counter
  readonly #refused: Counter
  #unsubscribe: (() => void) | undefined

  constructor(limiter: MemoryLimiter, signal: Signal, next: Consumer, context: PipelineContext) {
    this.#limiter = limiter
    this.#next = next
    this.#report = context.report
    this.#accepted = context.meter.bind({ items: accepted[signal] }).items
    this.#refused = context.meter.bind({ items: refused[signal] }).items
  }

  async start(): Promise<void> {
    this.#limiter.start()
    this.#unsubscribe = this.#limiter.onChange(refusing => {
      if (refusing) this.#report('RecoverableError', memoryRefusal(this.#limiter.retryAfter))
      else this.#report('OK')
    })
  }

  async shutdown(): Promise<void> {
    if (this.#unsubscribe === undefined) return
    this.#unsubscribe()
    this.#unsubscribe = undefined
    this.#limiter.stop()
  }

  async consume(payload: Payload, context: ConsumeContext): Promise<void> {
    this.#limiter.took(payload.bytes)
    if (this.#limiter.refusing) {
      this.#refused.add(payload.items)
      throw memoryRefusal(this.#limiter.retryAfter)
    }
    this.#accepted.add(payload.items)
    return this.#next.consume(payload, context)
  }
}
