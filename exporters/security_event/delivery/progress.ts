import { openDraft, type Payload } from '#core/data'
import { fromLogRecord, type Mapping } from '../mapping/security-event.ts'
import { SourceReader } from '../mapping/source.ts'
import type { Target } from '../targets/target.ts'

/** An event that has not arrived yet. */
export interface Pending {
  /** Position of its record in the payload. */
  readonly index: number
  readonly id: string
  /** As it stands in a body, envelope included. */
  readonly text: string
  /** Of `text` in UTF-8. */
  readonly bytes: number
}

/** A record of which no event could be made. */
export interface Unconvertible {
  readonly index: number
  readonly reason: 'event_too_large' | 'not_convertible'
  readonly why: string
}

/** How far the delivery of one payload has come; kept over its attempts, so that what arrived is not sent again. */
export class Progress {
  readonly items: number
  /** In order. */
  pending: Pending[]
  readonly unconvertible: readonly Unconvertible[]
  readonly conflicts: number
  /** Most events in a request, lowered when the target finds one too large. */
  limit = Number.POSITIVE_INFINITY
  /** Events that will not arrive, and the last reason why. */
  lost = 0
  why = ''
  /** The attempt under way: an attempt that was given up may have an answer still. */
  running: Promise<void> = Promise.resolve()

  constructor(payload: Payload<'logs'>, mapping: Mapping, target: Target, maxEventBytes: number) {
    const pending: Pending[] = []
    const unconvertible: Unconvertible[] = []
    const sources = new SourceReader()
    const most = Math.min(maxEventBytes, target.maxEventBytes)
    let conflicts = 0
    let index = 0
    for (const record of openDraft(payload).logs()) {
      try {
        const event = fromLogRecord(record, record.resource, record.scope, mapping, sources)
        const text = target.envelope(event)
        const bytes = Buffer.byteLength(text)
        conflicts += event.conflicts
        if (bytes <= most) pending.push({ index, id: event.id, text, bytes })
        else {
          const why = `The event has ${bytes} bytes, at most ${most} are allowed`
          unconvertible.push({ index, reason: 'event_too_large', why })
        }
      } catch (error) {
        unconvertible.push({
          index,
          reason: 'not_convertible',
          why: `The record could not be converted: ${String(error)}`,
        })
      }
      index++
    }
    this.items = payload.items
    this.pending = pending
    this.unconvertible = unconvertible
    this.conflicts = conflicts
  }

  /** How many of the pending events fit into the next request. */
  next(target: Target, maxEvents: number, maxBytes: number): number {
    const { open, between, close } = target.frame
    const events = Math.min(this.pending.length, maxEvents, target.maxEvents, this.limit)
    const bytes = Math.min(maxBytes, target.maxBytes) - Buffer.byteLength(open + close)
    let size = 0
    for (let n = 0; n < events; n++) {
      size += this.pending[n]!.bytes + (n === 0 ? 0 : between.length)
      if (size > bytes) return Math.max(n, 1)
    }
    return events
  }
}

/** The body of a request. */
export function bodyOf(target: Target, events: readonly Pending[]): Buffer {
  const { open, between, close } = target.frame
  let bytes = Buffer.byteLength(open + close) + between.length * Math.max(0, events.length - 1)
  for (const event of events) bytes += event.bytes
  // Events are written one by one: joined as one string first, they would be copied twice more.
  const body = Buffer.allocUnsafeSlow(bytes)
  let at = body.write(open)
  for (let i = 0; i < events.length; i++) {
    if (i > 0 && between !== '') at += body.write(between, at)
    at += body.write(events[i]!.text, at)
  }
  body.write(close, at)
  return body
}
