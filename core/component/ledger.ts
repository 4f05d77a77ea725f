import type { Signal } from '#core/data'

/**
 * Where a component that keeps or ends items writes down what became of them, so that for every pipeline
 * received = sent + queued + dropped by reason. Items that are passed on, or refused back to the sender, are counted by
 * the graph itself and need no entry.
 */
export interface Ledger {
  /** Items now waiting here although their sender was told that they are safe; negative when they leave again. */
  queued(signal: Signal, items: number): void
  /** Items that reached their destination. Exporters only. */
  sent(signal: Signal, items: number): void
  /** Items that ended here, and why: one or two words in snake case, the same for the same cause. */
  dropped(signal: Signal, items: number, reason: string): void
  /** Items made here: a connector's metrics, the second copy of a duplicated record. */
  created(signal: Signal, items: number): void
}
