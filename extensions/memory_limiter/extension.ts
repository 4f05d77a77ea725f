import type { Component, Context, Recorders, Refusal } from '#core/component'
import { MemoryLimiter, type MemoryLimiterConfig, type MemoryLimiterServices, memoryRefusal } from '#core/memory'
import type { Admission, Release } from '#core/net'
import { memoryLimiterInstruments } from './telemetry.ts'

/**
 * Asked by servers for room before they read a body. Counted in full are the bytes of all bodies still on their way:
 * memory does not show them yet, and a sender may take its time.
 */
export class MemoryLimiterExtension implements Component, Admission {
  readonly #limiter: MemoryLimiter
  readonly #report: Context['report']
  readonly #instruments: Recorders<typeof memoryLimiterInstruments>
  readonly #stopping: (() => void)[] = []
  #expected = 0

  constructor(config: MemoryLimiterConfig, context: Context, memory: Pick<MemoryLimiterServices, 'memory'> = {}) {
    const { logger, clock, meter } = context
    this.#limiter = new MemoryLimiter(config, { logger, clock, ...memory })
    this.#report = context.report
    this.#instruments = meter.bind(memoryLimiterInstruments)
  }

  async start(): Promise<void> {
    this.#limiter.start()
    this.#stopping.push(
      () => this.#limiter.stop(),
      this.#instruments.used.observe(() => this.#limiter.used),
      this.#instruments.expected.observe(() => this.#expected),
      this.#limiter.onChange(refusing => {
        if (refusing) this.#report('RecoverableError', memoryRefusal(this.#limiter.retryAfter))
        else this.#report('OK')
      }),
    )
  }

  async shutdown(): Promise<void> {
    for (const stop of this.#stopping.splice(0)) stop()
  }

  admit(bytes: number): Release | Refusal {
    const limiter = this.#limiter
    const fits = bytes === 0 || this.#expected + bytes <= limiter.room
    if (!fits) limiter.press()
    if (limiter.refusing || !fits) {
      this.#instruments.refused.add(1)
      return memoryRefusal(limiter.retryAfter)
    }
    if (bytes === 0) return nothing
    this.#expected += bytes
    let onItsWay = true
    // A body that is given up half way has left in memory what had come of it.
    const settle = () => {
      if (!onItsWay) return
      onItsWay = false
      this.#expected -= bytes
      limiter.took(bytes)
    }
    return Object.assign(settle, { arrived: settle })
  }
}

function nothing(): void {}
