import {
  type ConsumeContext,
  type Consumer,
  PartialError,
  Refusal,
  RetryableError,
  type Transform,
} from '#core/component'
import { openDraft, type Payload } from '#core/data'
import { markDownstream } from './downstream.ts'
import { type Guard, nameOf } from './guard.ts'
import type { EdgeMeter, Failure } from './link.ts'

/** One transform of a chain, and who counts at its two sides. */
export interface Stage {
  /** Of the processor, as configured. */
  readonly id: string
  readonly transform: Transform
  readonly before: readonly EdgeMeter[]
  readonly after: readonly EdgeMeter[]
  readonly guard?: Guard
  /** Enters items that the transform left out. */
  dropped(items: number): void
}

/**
 * Neighbouring transforms over one draft: the payload is opened once, edited by each in turn, and its bytes are put
 * together once. When nothing is left it ends here.
 *
 * What was dropped is entered only once the rest is safe, since a sender that is refused still has everything. What a
 * transform throws is contained: the sender gets a refusal that names the processor, retryable unless the transform
 * threw a refusal of its own.
 */
export class TransformChain implements Consumer {
  readonly #stages: readonly Stage[]
  readonly #next: Consumer

  constructor(stages: readonly Stage[], next: Consumer) {
    this.#stages = stages
    this.#next = next
  }

  async consume(data: Payload, context: ConsumeContext): Promise<void> {
    const draft = openDraft(data)
    /** Items before the first stage, then after each. */
    const counts = [data.items]
    let sealed: Payload
    try {
      for (const stage of this.#stages) {
        for (const meter of stage.before) meter.begin?.(draft.items)
        const pending = stage.transform.transform(draft, context)
        if (pending !== undefined) await answer(pending, stage.guard)
        counts.push(draft.items)
        for (const meter of stage.after) meter.begin?.(draft.items)
      }
      sealed = draft.seal()
    } catch (error) {
      const at = Math.min(counts.length, this.#stages.length) - 1
      this.#stages[at]!.guard?.failed(error)
      const refusal = this.#refusal(error, this.#stages[at]!)
      this.#failed(counts, at, refusal)
      throw refusal
    }
    for (const { guard } of this.#stages) if (guard?.failing === true) guard.worked()
    if (sealed.items === 0 && data.items > 0) return this.#passed(counts)
    try {
      await this.#next.consume(sealed, context)
    } catch (error) {
      this.#failed(counts, undefined, error)
      throw error
    }
    this.#passed(counts)
  }

  /** A failure of sealing is laid at the door of the last stage. Nothing was passed on, so no refusal can be partial. */
  #refusal(error: unknown, stage: Stage): unknown {
    if (error instanceof Refusal && !(error instanceof PartialError)) return error
    const why = error instanceof Error ? error.message : String(error)
    return new RetryableError(`processor "${stage.id}" failed: ${why}`, { cause: error })
  }

  #passed(counts: readonly number[]): void {
    for (let at = 0; at < this.#stages.length; at++) {
      const stage = this.#stages[at]!
      for (const meter of stage.before) meter.passed?.(counts[at]!)
      for (const meter of stage.after) meter.passed?.(counts[at + 1]!)
      this.#enterDrops(stage, counts, at)
    }
  }

  /** @param failed the stage that failed, `undefined` when a component further down did */
  #failed(counts: readonly number[], failed: number | undefined, error: unknown): void {
    markDownstream(error)
    const partial = error instanceof PartialError ? error.rejected : Number.POSITIVE_INFINITY
    for (const [at, stage] of this.#stages.entries()) {
      if (failed !== undefined && at > failed) return
      settle(stage.before, counts[at]!, partial, at === failed ? 'failure' : 'refused')
      if (at === failed) return
      settle(stage.after, counts[at + 1]!, partial, 'refused')
      if (partial < Number.POSITIVE_INFINITY) this.#enterDrops(stage, counts, at)
    }
  }

  #enterDrops(stage: Stage, counts: readonly number[], at: number): void {
    const dropped = counts[at]! - counts[at + 1]!
    if (dropped > 0) stage.dropped(dropped)
  }
}

/** @throws {TypeError} when a transform answers anything but nothing: it may mean something by it that does not happen */
async function answer(pending: unknown, guard: Guard | undefined): Promise<void> {
  const isPromise = typeof (pending as Promise<unknown> | null)?.then === 'function'
  const answered = isPromise && guard?.timed === true ? guard.answered(pending as Promise<unknown>) : pending
  const value = await answered
  if (value !== undefined)
    throw new TypeError(`transform returned ${nameOf(value)}: it edits the draft and returns nothing`)
}

function settle(meters: readonly EdgeMeter[], items: number, rejected: number, why: Failure): void {
  const lost = Math.min(items, rejected)
  for (const meter of meters) {
    if (lost < items) meter.passed?.(items - lost)
    meter.failed?.(lost, why)
  }
}
