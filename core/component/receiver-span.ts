import { isSpanContextValid, ROOT_CONTEXT, type Span, SpanStatusCode } from '@opentelemetry/api'
import { ITEM_NOUN, type Signal } from '#core/data'
import type { PipelineContext } from './component.ts'
import type { ConsumeContext } from './consumer.ts'
import { parentOf, TRACE_HEADERS, traceparentOf } from './trace-context.ts'

const OPERATION = {
  traces: 'TraceDataReceived',
  metrics: 'MetricsReceived',
  logs: 'LogsReceived',
  profiles: 'ProfilesReceived',
} as const satisfies Record<Signal, string>

/**
 * The collector's own span around one request that a receiver takes in, with the Collector's names and attributes.
 * Hand `context` on instead of the request's own, so that what follows belongs to the same trace.
 * Source: receiver/receiverhelper in open-telemetry/opentelemetry-collector
 */
export class ReceiverSpan {
  readonly context: ConsumeContext
  readonly #span: Span
  readonly #signal: Signal

  /**
   * @param receiver whose span it is
   * @param transport a word such as `grpc` or `http`
   * @param request what the request brought; a remote parent in `traceHeaders` is followed where
   *   `service::telemetry::traces::propagators` says so
   */
  constructor(
    receiver: Pick<PipelineContext, 'id' | 'tracer'>,
    signal: Signal,
    transport: string,
    request: ConsumeContext,
  ) {
    this.#signal = signal
    const { traceHeaders, traceparent } = request
    const parent =
      traceHeaders === undefined ? parentOf(traceparent) : ROOT_CONTEXT.setValue(TRACE_HEADERS, traceHeaders)
    const name = `receiver/${receiver.id}/${OPERATION[signal]}`
    this.#span = receiver.tracer.startSpan(name, { attributes: { transport } }, parent)
    const traced = isSpanContextValid(this.#span.spanContext())
    this.context = traced ? { ...request, traceparent: traceparentOf(this.#span) } : request
  }

  /**
   * Ends the span.
   * @param format how the request was written, for example `protobuf`
   * @param error what the sender is told, if anything failed
   */
  end(format: string, accepted: number, refused: number, error?: unknown): void {
    const span = this.#span
    if (!span.isRecording()) return
    const noun = ITEM_NOUN[this.#signal]
    span.setAttributes({ format, [`accepted_${noun}`]: accepted, [`refused_${noun}`]: refused, [`failed_${noun}`]: 0 })
    if (error !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
    }
    span.end()
  }
}
