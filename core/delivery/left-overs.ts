import type { Ledger } from '#core/component'
import type { Signal } from '#core/data'

/**
 * Items that a closed queue left in storage and that are still in the ledger as queued: they were never anything else.
 * A queue opened later in the same process (after a reload) finds them again and must not enter them twice.
 */
const LEFT = new WeakMap<Ledger, Map<Signal, number>>()

/** A queue is closed with `items` in it. */
export function leaveInStorage(ledger: Ledger, signal: Signal, items: number): void {
  const left = LEFT.get(ledger) ?? new Map<Signal, number>()
  left.set(signal, (left.get(signal) ?? 0) + items)
  LEFT.set(ledger, left)
}

/**
 * A queue is opened and finds `items`. Those that the ledger does not know come from an earlier process: they are
 * entered as created here and queued.
 */
export function findInStorage(ledger: Ledger, signal: Signal, items: number): void {
  const known = LEFT.get(ledger)?.get(signal) ?? 0
  LEFT.get(ledger)?.delete(signal)
  if (items === known) return
  ledger.queued(signal, items - known)
  if (items > known) ledger.created(signal, items - known)
  else ledger.dropped(signal, known - items, 'lost_in_storage')
}
