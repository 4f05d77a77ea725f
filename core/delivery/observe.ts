import { type Span, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { Code, type ConsumeContext, type Labels, PermanentError, type PipelineContext, Refusal } from '#core/component'
import { ITEM_NOUN, type Payload, type Signal } from '#core/data'
import type { Failed, Outcome } from './outcome.ts'
import type { Retry } from './retry.ts'
import { bindExporterInstruments } from './telemetry.ts'
import { parentOf, spanContextOf, traceparentOf } from './trace-context.ts'

/** Counts, times and traces what is sent, all attempts of a request as one. */
export class Observed {
  readonly #retry: Retry
  readonly #signal: Signal
  readonly #context: PipelineContext
  readonly #tracer: Tracer
  readonly #instruments: ReturnType<typeof bindExporterInstruments>
  readonly #spanName: string
  readonly #spanOptions: { readonly attributes: { readonly exporter: string; readonly data_type: string } }

  constructor(retry: Retry, signal: Signal, context: PipelineContext, labels: Labels, batching: boolean) {
    this.#retry = retry
    this.#signal = signal
    this.#context = context
    this.#tracer = context.tracer
    this.#instruments = bindExporterInstruments(context.meter, signal, labels, batching)
    this.#spanName = `exporter/${context.id}/${signal}`
    this.#spanOptions = { attributes: { exporter: String(context.id), data_type: signal } }
  }

  /**
   * Delivers one request or batch; never rejects. `signal` as in `Retry`; `origins` are the trace contexts of the
   * requests merged into a batch.
   */
  async run(
    payload: Payload,
    context: ConsumeContext,
    signal?: AbortSignal,
    origins: readonly string[] = [],
  ): Promise<Outcome> {
    const { inFlight, batch, detailed } = this.#instruments
    inFlight.add(1)
    if (batch !== undefined) {
      batch.size.record(payload.items)
      if (detailed) batch.bytes.record(payload.bytes)
    }
    const span = this.#tracer.startSpan(this.#spanName, this.#spanOptions, parentOf(context.traceparent))
    const recording = span.isRecording()
    if (recording) link(span, origins)
    const sent = recording ? { ...context, traceparent: traceparentOf(span) } : context
    const outcome = await this.#retry.run(payload, sent, signal)
    inFlight.add(-1)
    const failedItems = this.#count(payload, outcome)
    if (recording) endSpan(span, payload.items - failedItems, failedItems, outcome)
    return outcome
  }

  /** Returns how many items did not arrive. */
  #count(payload: Payload, outcome: Outcome): number {
    const { sent, sendFailed, detailed } = this.#instruments
    const failedItems = outcome.ok ? Math.min(outcome.rejected, payload.items) : payload.items
    if (failedItems < payload.items) sent.add(payload.items - failedItems)
    if (failedItems > 0) sendFailed.add(failedItems, detailed ? failureLabels(outcome) : undefined)
    if (outcome.ok && outcome.rejected > 0) {
      this.#context.logger.warn('Partial success response', {
        message: outcome.why,
        [`dropped_${DROPPED_NOUN[this.#signal]}`]: outcome.rejected,
      })
    }
    return failedItems
  }
}

/** As the Collector's OTLP exporters name them in the log. */
const DROPPED_NOUN: Record<Signal, string> = { ...ITEM_NOUN, metrics: 'data_points' }

function link(span: Span, origins: readonly string[]): void {
  for (const origin of origins) {
    const context = spanContextOf(origin)
    if (context !== undefined) span.addLink({ context })
  }
}

function endSpan(span: Span, sent: number, failedItems: number, outcome: Outcome): void {
  span.setAttributes({ 'items.sent': sent, 'items.failed': failedItems })
  if (!outcome.ok) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error.message })
  span.end()
}

/** The same object for the same labels: recorders look series up by it. */
const LABELS = new Map<string, Labels>()

function failureLabels(outcome: Outcome): Labels {
  const type = outcome.ok ? '_OTHER' : errorType(outcome)
  const permanent = outcome.ok || outcome.error instanceof PermanentError ? 'true' : 'false'
  const key = `${type} ${permanent}`
  let labels = LABELS.get(key)
  if (labels === undefined) {
    labels = { 'error.type': type, 'error.permanent': permanent }
    LABELS.set(key, labels)
  }
  return labels
}

/** The values the Collector gives to `error.type`: gRPC codes by the names Go gives them. */
function errorType({ reason, error }: Failed): string {
  if (reason === 'shutdown') return 'Shutdown'
  if (reason === 'cancelled') return 'Canceled'
  if (!(error instanceof Refusal) || error.code === undefined) return '_OTHER'
  return error.code === Code.DEADLINE_EXCEEDED ? 'Deadline_Exceeded' : (GO_NAME.get(error.code) ?? '_OTHER')
}

const GO_NAME: ReadonlyMap<number, string> = new Map(
  Object.entries(Code)
    .filter(([, code]) => code !== Code.OK)
    .map(([name, code]) => [code, code === Code.CANCELLED ? 'Canceled' : pascal(name)]),
)

function pascal(name: string): string {
  return name
    .split('_')
    .map(word => word[0] + word.slice(1).toLowerCase())
    .join('')
}
