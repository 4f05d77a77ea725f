import type { Ledger } from '#core/component'
import type { Signal } from '#core/data'

/** A ledger whose entries tests can read, summed over the signals. */
export class RecordingLedger implements Ledger {
  /** Every entry in order. */
  readonly entries: {
    readonly what: string
    readonly signal: Signal
    readonly items: number
    readonly reason?: string
  }[] = []

  queued(signal: Signal, items: number): void {
    this.entries.push({ what: 'queued', signal, items })
  }
  sent(signal: Signal, items: number): void {
    this.entries.push({ what: 'sent', signal, items })
  }
  dropped(signal: Signal, items: number, reason: string): void {
    this.entries.push({ what: 'dropped', signal, items, reason })
  }
  created(signal: Signal, items: number): void {
    this.entries.push({ what: 'created', signal, items })
  }

  /** The balance of one kind of entry: items waiting, sent, dropped (for `reason` when given), created. */
  total(what: 'queued' | 'sent' | 'dropped' | 'created', reason?: string): number {
    return this.entries
      .filter(entry => entry.what === what && (reason === undefined || entry.reason === reason))
      .reduce((sum, entry) => sum + entry.items, 0)
  }
}
