import {
  Code,
  type ConsumeContext,
  type Consumer,
  type Consumers,
  PartialError,
  PermanentError,
  type PipelineContext,
  ReceiverSpan,
  ReceiverTelemetry,
  type Recorders,
} from '#core/component'
import { admit, admitJson, Malformed, type Payload, SIGNALS, type Signal } from '#core/data'
import { otlpReceiverInstruments } from './telemetry.ts'

/** How a request's body is written. */
export type Format = 'protobuf' | 'json'

/** Takes export requests of one transport in: checks, counts, hands on. */
export class Intake {
  readonly #next: Consumers
  readonly #invalidUtf8: 'repair' | 'refuse'
  readonly #telemetry: ReceiverTelemetry
  readonly #instruments: Recorders<typeof otlpReceiverInstruments>
  readonly #transport: { readonly transport: string }
  readonly #receiver: PipelineContext

  constructor(next: Consumers, invalidUtf8: 'repair' | 'refuse', receiver: PipelineContext, transport: string) {
    const { meter } = receiver
    this.#receiver = receiver
    this.#next = next
    this.#invalidUtf8 = invalidUtf8
    this.#telemetry = new ReceiverTelemetry(meter, transport)
    this.#instruments = meter.bind(otlpReceiverInstruments)
    this.#transport = { transport }
  }

  /** The signals that some pipeline takes from this receiver. */
  get signals(): readonly Signal[] {
    return SIGNALS.filter(signal => this.#next[signal] !== undefined)
  }

  /**
   * Hands one request to its pipeline and waits for the outcome, whatever becomes of the sender meanwhile. An empty
   * request succeeds without the pipeline.
   * @returns what the pipeline did not take for good, when it took the rest
   * @throws {PermanentError} INVALID_ARGUMENT when the bytes are not OTLP
   * @throws what the pipeline rejects with
   */
  async take<S extends Signal>(
    signal: S,
    bytes: Buffer,
    format: Format,
    context: ConsumeContext,
  ): Promise<PartialError | undefined> {
    const payload = this.#admit(signal, bytes, format)
    if (payload.items === 0) return undefined
    const telemetry = this.#telemetry
    const span = new ReceiverSpan(this.#receiver, signal, this.#transport.transport, context)
    try {
      await (this.#next[signal] as Consumer).consume(payload, span.context)
    } catch (error) {
      const refused = error instanceof PartialError ? Math.min(error.rejected, payload.items) : payload.items
      telemetry.refused(signal, refused)
      span.end(format, payload.items - refused, refused, error)
      if (!(error instanceof PartialError)) throw error
      telemetry.accepted(signal, payload.items - refused)
      return error
    }
    telemetry.accepted(signal, payload.items)
    span.end(format, payload.items, 0)
    return undefined
  }

  #admit<S extends Signal>(signal: S, bytes: Buffer, format: Format): Payload<S> {
    try {
      const door = format === 'json' ? admitJson : admit
      const { payload, repairedStrings } = door(signal, bytes, { invalidUtf8: this.#invalidUtf8 })
      if (repairedStrings > 0) this.#instruments.repaired.add(repairedStrings)
      return payload
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.#instruments.malformed.add(1, this.#transport)
      throw new PermanentError(error.message, { code: Code.INVALID_ARGUMENT, cause: error })
    }
  }
}
