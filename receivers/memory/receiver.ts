import {
  type BuildInfo,
  type Component,
  type ConsumeContext,
  type Consumer,
  type Consumers,
  PartialError,
  PermanentError,
  type PipelineContext,
  ReceiverTelemetry,
} from '#core/component'
import type { Payload } from '#core/data'
import type { Inlet, Inlets } from './inlets.ts'

/** Hands on what the program pushes, from start to shutdown; waits at shutdown for what is under way. */
export class MemoryInlet implements Component, Inlet {
  readonly id: string
  readonly build: BuildInfo
  readonly #inlets: Inlets
  readonly #next: Consumers
  readonly #telemetry: ReceiverTelemetry
  readonly #underWay = new Set<Promise<void>>()

  constructor(inlets: Inlets, next: Consumers, context: PipelineContext) {
    this.id = String(context.id)
    this.build = context.build
    this.#inlets = inlets
    this.#next = next
    this.#telemetry = new ReceiverTelemetry(context.meter, 'memory')
  }

  async start(): Promise<void> {
    this.#inlets.open(this)
  }

  async shutdown(): Promise<void> {
    this.#inlets.close(this)
    await Promise.allSettled(this.#underWay)
  }

  async consume(payload: Payload, context: ConsumeContext): Promise<void> {
    if (payload.items === 0) return
    const next = this.#next[payload.signal] as Consumer | undefined
    if (next === undefined) {
      throw new PermanentError(
        `Cannot take ${payload.signal} in: no pipeline of ${payload.signal} receives from "${this.id}"`,
      )
    }
    const handed = next.consume(payload, context)
    this.#underWay.add(handed)
    try {
      await handed
      this.#telemetry.accepted(payload.signal, payload.items)
    } catch (error) {
      const refused = error instanceof PartialError ? Math.min(error.rejected, payload.items) : payload.items
      this.#telemetry.refused(payload.signal, refused)
      this.#telemetry.accepted(payload.signal, payload.items - refused)
      throw error
    } finally {
      this.#underWay.delete(handed)
    }
  }
}
