import {
  Code,
  type Component,
  type ConsumeContext,
  type Consumer,
  type Counter,
  type Host,
  type Labels,
  PartialError,
  PermanentError,
  type PipelineContext,
  type ReadinessPart,
  Refusal,
  type Route,
} from '#core/component'
import type { Payload, Signal } from '#core/data'
import type { Learner } from './learning/learner.ts'
import { passingInstruments } from './telemetry.ts'

/** Signals in the words of the metrics. */
const SIGNAL_TYPE = { metrics: 'metric', traces: 'trace', logs: 'log', profiles: 'profile' } as const

/** Hands payloads on untouched, counts what becomes of them, and lets the learner have a look. */
export class SemconvDictionaryProcessor implements Component, Consumer {
  readonly #learner: Learner
  readonly #next: Consumer
  readonly #context: PipelineContext
  readonly #labels: Labels
  readonly #received: Counter
  readonly #forwarded: Counter
  readonly #dropped: Counter
  readonly routes: readonly Route[]
  readonly readiness: readonly ReadinessPart[]

  constructor(learner: Learner, signal: Signal, next: Consumer, context: PipelineContext) {
    this.#learner = learner
    this.#next = next
    this.#context = context
    this.#labels = { signal_type: SIGNAL_TYPE[signal], protocol: protocolOf(context.pipelines) }
    const { received, forwarded, dropped } = context.meter.bind(passingInstruments)
    this.#received = received
    this.#forwarded = forwarded
    this.#dropped = dropped
    for (const counter of [received, forwarded, dropped]) counter.add(0, this.#labels)
    this.routes = learner.routes
    this.readiness = learner.readiness
  }

  start(host: Host): Promise<void> {
    return this.#learner.open(this, host)
  }

  shutdown(): Promise<void> {
    return this.#learner.close(this)
  }

  async consume(payload: Payload, context: ConsumeContext): Promise<void> {
    const { items } = payload
    this.#received.add(items, this.#labels)
    this.#log('Signal received', payload)
    if (items > 0) this.#learner.offer(payload)
    try {
      await this.#next.consume(payload, context)
    } catch (error) {
      const lost = rejectedOf(error, items)
      this.#dropped.add(lost, this.#labels)
      if (error instanceof PartialError) this.#forwarded.add(items - lost, this.#labels)
      throw error
    }
    this.#forwarded.add(items, this.#labels)
    this.#log('Signal forwarded', payload)
  }

  #log(message: string, { items, bytes }: Payload): void {
    const { logger } = this.#context
    if (logger.enabled('debug')) logger.debug(message, { ...this.#labels, items, bytes })
  }
}

/** Codes of a backend that has not answered: it is away, or too slow. Nothing is dropped then, the sender tries again. */
const NO_ANSWER: ReadonlySet<number | undefined> = new Set([
  undefined,
  Code.UNAVAILABLE,
  Code.DEADLINE_EXCEEDED,
  Code.CANCELLED,
])

/** How many of the items a backend has answered with an error. */
function rejectedOf(error: unknown, items: number): number {
  if (error instanceof PartialError) return Math.min(error.rejected, items)
  if (error instanceof PermanentError) return items
  return error instanceof Refusal && !NO_ANSWER.has(error.code) ? items : 0
}

/** A pipeline for each protocol, named after it, tells how data came: `traces/grpc`. */
function protocolOf(pipelines: readonly string[]): string {
  const name = pipelines[0]?.split('/')[1]
  return name === 'grpc' || name === 'http' ? name : 'otlp'
}
