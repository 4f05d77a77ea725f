import type { FormatName } from '../mapping/format.ts'
import type { SecurityEvent } from '../mapping/security-event.ts'

/** An answer, as far as targets look at it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** What an answer means for the events of a request. Reasons are sentences. */
export type Verdict =
  | { readonly kind: 'accepted' }
  /** None was taken; all may be later, after `after` milliseconds where the target says so. */
  | { readonly kind: 'retry'; readonly why: string; readonly after?: number }
  /** None was taken, and none ever will be. */
  | { readonly kind: 'rejected'; readonly why: string }
  /** None was taken because there are too many of them. */
  | { readonly kind: 'too_large'; readonly why: string }
  /** All were taken but those that are `rejected` for good and those to `resend`, by their index. */
  | {
      readonly kind: 'partial'
      readonly why: string
      readonly rejected: ReadonlyMap<number, string>
      readonly resend: ReadonlySet<number>
      /** Whether what is to be sent again can be at once. */
      readonly again: 'now' | 'later'
    }

/** What stands around and between the events of a body. */
export interface Frame {
  readonly open: string
  readonly between: string
  readonly close: string
}

/** A receiver of security events: how requests to it look, and what its answers mean. */
export interface Target {
  /** Where requests go. */
  readonly url: string
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly format: FormatName
  readonly frame: Frame
  /** Of one body before compression, envelope included. */
  readonly maxBytes: number
  readonly maxEvents: number
  /** Of one event in its envelope. */
  readonly maxEventBytes: number
  /** An event as it stands in a body. */
  readonly envelope: (event: SecurityEvent) => string
  /** @param now milliseconds since the epoch */
  readonly judge: (answer: Answer, count: number, now: number) => Verdict
}
