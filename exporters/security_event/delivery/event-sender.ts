import { createHash, createHmac } from 'node:crypto'
import {
  Code,
  PartialError,
  PermanentError,
  type PipelineContext,
  type Recorders,
  Refusal,
  RetryableError,
} from '#core/component'
import type { Payload } from '#core/data'
import type { GiveUp, SendContext } from '#core/delivery'
import { codeOfHttp, type HttpClient, type HttpReply } from '#core/net'
import type { SecurityEventConfig } from '../config.ts'
import type { DeadLetters } from '../dead_letter/dead-letters.ts'
import type { Mapping } from '../mapping/security-event.ts'
import type { Target, Verdict } from '../targets/target.ts'
import type { securityEventInstruments } from '../telemetry.ts'
import type { AccessToken } from './access-token.ts'
import { bodyOf, type Pending, Progress } from './progress.ts'
import type { Secrets } from './secrets.ts'

export interface EventSenderOptions {
  readonly config: SecurityEventConfig
  readonly context: PipelineContext
  readonly target: Target
  readonly mapping: Mapping
  readonly client: HttpClient
  readonly secrets: Secrets
  readonly instruments: Recorders<typeof securityEventInstruments>
  readonly accessToken?: AccessToken | undefined
  readonly deadLetters?: DeadLetters | undefined
}

type Log = Payload<'logs'>

/**
 * Sends the events of payloads, in as many requests as the limits ask for. Whatever happens, each event is in one place
 * only: with the target, in the dead letter, or pending for the next attempt.
 */
export class EventSender {
  readonly #options: EventSenderOptions
  readonly #progress = new WeakMap<Log, Progress>()
  #refused = false

  constructor(options: EventSenderOptions) {
    this.#options = options
  }

  /**
   * Sends what of the payload has not arrived yet.
   * @throws {RetryableError} something is left for the next attempt
   * @throws {PartialError} everything is settled, some events are lost to the target
   * @throws {PermanentError} all are
   */
  async send(payload: Log, sending: SendContext): Promise<void> {
    const progress = await this.#begin(payload)
    const running = progress.running.then(() => this.#run(payload, progress, sending))
    progress.running = running.catch(() => {})
    await running
    this.#progress.delete(payload)
    if (progress.lost === 0) return
    if (progress.lost === progress.items) throw new PermanentError(progress.why)
    throw new PartialError(progress.lost, progress.why)
  }

  /** What of a payload has not arrived goes to the dead letter. */
  readonly giveUp: GiveUp = async (given, { reason, error }) => {
    const payload = given as Log
    // Nothing is pending after a permanent error: every event has been settled.
    if (reason === 'permanent_error') return undefined
    const progress = await this.#begin(payload)
    await progress.running
    const why = this.#options.secrets.hide(error.message)
    await this.#lose(payload, progress, progress.pending.splice(0), reason, () => why)
    this.#progress.delete(payload)
    return progress.lost < progress.items ? new PartialError(progress.lost, why) : undefined
  }

  async #begin(payload: Log): Promise<Progress> {
    const known = this.#progress.get(payload)
    if (known !== undefined) return known
    const { mapping, target, config, instruments } = this.#options
    const progress = new Progress(payload, mapping, target, config.max_event_bytes)
    this.#progress.set(payload, progress)
    if (progress.conflicts > 0) instruments.attributeConflicts.add(progress.conflicts)
    for (const { index, reason, why } of progress.unconvertible) {
      instruments.conversionErrors.add(1, { reason })
      await this.#lose(payload, progress, [{ index, id: '', text: '', bytes: 0 }], reason, () => why)
    }
    return progress
  }

  async #run(payload: Log, progress: Progress, sending: SendContext): Promise<void> {
    const { config, target } = this.#options
    const maxEvents = config.batch?.max_events ?? Number.POSITIVE_INFINITY
    const maxBytes = config.batch?.max_bytes ?? Number.POSITIVE_INFINITY
    let renewed = false
    while (progress.pending.length > 0) {
      if (sending.signal.aborted) throw sending.signal.reason
      const batch = progress.pending.slice(0, progress.next(target, maxEvents, maxBytes))
      const reply = await this.#post(batch, sending)
      if (reply.status === 401 && this.#options.accessToken !== undefined && !renewed) {
        renewed = true
        this.#options.accessToken.renew()
        continue
      }
      this.#tellHealth(reply)
      await this.#settle(
        payload,
        progress,
        batch,
        target.judge(reply, batch.length, this.#options.context.clock.now()),
        reply,
      )
    }
  }

  /** Moves the events of a request to where the answer sends them; throws when some must wait. */
  async #settle(payload: Log, progress: Progress, batch: Pending[], verdict: Verdict, reply: HttpReply): Promise<void> {
    const { instruments, secrets } = this.#options
    const why = verdict.kind === 'accepted' ? '' : secrets.hide(verdict.why)
    switch (verdict.kind) {
      case 'accepted':
        progress.pending.splice(0, batch.length)
        instruments.eventsExported.add(batch.length)
        return
      case 'retry': {
        const after = verdict.after === undefined ? {} : { after: verdict.after }
        throw new RetryableError(why, {
          code: reply.status < 300 ? Code.UNAVAILABLE : codeOfHttp(reply.status),
          ...after,
        })
      }
      case 'rejected':
        progress.pending.splice(0, batch.length)
        return this.#lose(payload, progress, batch, 'rejected', () => why)
      case 'too_large':
        progress.limit = Math.ceil(batch.length / 2)
        if (batch.length > 1) return
        progress.pending.shift()
        return this.#lose(payload, progress, batch, 'too_large', () => why)
      case 'partial': {
        const { rejected, resend } = verdict
        const rest = batch.filter((_, at) => resend.has(at))
        progress.pending.splice(0, batch.length, ...rest)
        instruments.eventsExported.add(batch.length - rest.length - rejected.size)
        const whyOf = new Map([...rejected].map(([at, text]) => [batch[at]!, secrets.hide(text)]))
        await this.#lose(payload, progress, [...whyOf.keys()], 'rejected', event => whyOf.get(event)!)
        if (rest.length > 0 && verdict.again === 'later') throw new RetryableError(why, { code: Code.UNAVAILABLE })
      }
    }
  }

  async #lose(
    payload: Log,
    progress: Progress,
    events: readonly Pending[],
    reason: string,
    whyOf: (event: Pending) => string,
  ): Promise<void> {
    if (events.length === 0) return
    const { deadLetters, instruments } = this.#options
    progress.lost += events.length
    progress.why = whyOf(events[0]!)
    instruments.eventsFailed.add(events.length, { reason })
    if (deadLetters === undefined) return
    const kept = await deadLetters.add(
      payload,
      events.map(event => ({ index: event.index, id: event.id, event: event.text, reason, why: whyOf(event) })),
    )
    if (kept > 0) instruments.deadLetters.add(kept, { reason })
  }

  async #post(batch: readonly Pending[], sending: SendContext): Promise<HttpReply> {
    const { target, client, instruments, accessToken, context, secrets } = this.#options
    const body = bodyOf(target, batch)
    const headers = { ...target.headers, ...this.#bodyHeaders(body, batch), ...traceOf(sending) }
    const begun = context.clock.monotonic()
    const timed = () => instruments.httpDuration.record((context.clock.monotonic() - begun) / 1000)
    try {
      const token = accessToken && { authorization: `Bearer ${await accessToken.get(sending.signal)}` }
      instruments.batchEvents.record(batch.length)
      instruments.batchBytes.record(body.length)
      const options = { signal: sending.signal, sender: sending }
      const reply = await client.post(target.url, [body], { ...headers, ...token }, options)
      timed()
      instruments.httpRequests.add(1, statusLabel(reply.status))
      if (reply.status >= 300) instruments.httpErrors.add(1, { kind: `${Math.floor(reply.status / 100)}xx` })
      return reply
    } catch (error) {
      timed()
      const timeout = error instanceof Refusal && error.code === Code.DEADLINE_EXCEEDED
      instruments.httpErrors.add(1, { kind: timeout ? 'timeout' : 'network' })
      throw withoutSecrets(error, secrets)
    }
  }

  /** The key is the same for the same events, so that a target can tell a request that it has seen. */
  #bodyHeaders(body: Buffer, batch: readonly Pending[]): Record<string, string> {
    const { config } = this.#options
    const { preset, signing } = config
    const headers: Record<string, string> = {}
    if (preset === 'webhook') {
      const hash = createHash('sha256')
      for (const { id } of batch) hash.update(id)
      headers['idempotency-key'] = hash.digest('hex').slice(0, 32)
    }
    if (signing !== undefined) {
      headers[signing.header.toLowerCase()] =
        `sha256=${createHmac('sha256', signing.secret).update(body).digest('hex')}`
    }
    return headers
  }

  /** A target that does not let us in is a matter for whoever looks after the collector. */
  #tellHealth({ status }: HttpReply): void {
    const { context } = this.#options
    const refused = status === 401 || status === 403
    if (refused === this.#refused) return
    this.#refused = refused
    if (refused) context.report('RecoverableError', new Error(`The target does not let us in, it answers ${status}`))
    else context.report('OK')
  }
}

/** The same error without secrets in its sentence; what the client was given as cause may tell them and is left out. */
function withoutSecrets(error: unknown, secrets: Secrets): unknown {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Refusal && error.code !== undefined ? { code: error.code } : {}
  const hidden = secrets.hide(message)
  return error instanceof PermanentError ? new PermanentError(hidden, code) : new RetryableError(hidden, code)
}

function traceOf({ traceparent }: SendContext): Record<string, string> {
  return traceparent === undefined ? {} : { traceparent }
}

const STATUS_LABELS = new Map<number, { readonly status_code: string }>()

/** The same object for the same status: recorders look series up by it. */
function statusLabel(status: number): { readonly status_code: string } {
  const known = STATUS_LABELS.get(status) ?? { status_code: String(status) }
  STATUS_LABELS.set(status, known)
  return known
}
