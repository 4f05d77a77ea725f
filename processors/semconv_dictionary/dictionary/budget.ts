import type { Entry } from './entry.ts'

/** Milliseconds for which an entry counts as just seen. */
const JUST_SEEN = 60_000
/** Hashes kept one by one from which the 4 KiB of an estimate are worth it. */
const WORTH_AN_ESTIMATE = 16
/** Part of the budget that is used after space was made, so that there is room for a while. */
const TARGET = 0.9

/** Why an entry left the dictionary. */
export type EvictionReason = 'expired' | 'budget'

/** What making room may do. */
export interface Room {
  /** Slots used: entries and hashes kept one by one. */
  readonly used: number
  demote(entry: Entry): void
  evict(entry: Entry, reason: EvictionReason): void
}

/**
 * Makes room in stages until nine tenths of the budget are used: first entries not seen for longer than `purgeAfter` go,
 * then hashes kept one by one become estimates, where there are most of them first and nowhere below 16, and only then go entries that are
 * alive: custom ones before standard ones, those seen once before others (so that a flood of names displaces itself), those
 * not seen in the last minute before others, the longest unseen first.
 */
export function makeRoom(
  entries: Iterable<Entry>,
  room: Room,
  options: { readonly budget: number; readonly purgeAfter: number; readonly now: number },
  isStandard: (entry: Entry) => boolean,
): void {
  const { budget, purgeAfter, now } = options
  const target = Math.floor(budget * TARGET)
  const alive: Entry[] = []
  for (const entry of entries) {
    if (now - entry.lastSeen > purgeAfter) room.evict(entry, 'expired')
    else alive.push(entry)
  }
  if (room.used <= target) return
  const exact = alive.filter(entry => entry.sketch.exactHashes >= WORTH_AN_ESTIMATE)
  for (const entry of exact.sort((a, b) => b.sketch.exactHashes - a.sketch.exactHashes)) {
    if (room.used <= target) return
    room.demote(entry)
  }
  if (room.used <= target) return
  const ranked = alive.map(entry => ({ entry, rank: rankOf(entry, now, isStandard) }))
  ranked.sort((a, b) => a.rank - b.rank || a.entry.lastSeen - b.entry.lastSeen)
  for (const { entry } of ranked) {
    if (room.used <= target) return
    room.evict(entry, 'budget')
  }
}

/** The higher, the longer it stays. */
function rankOf(entry: Entry, now: number, isStandard: (entry: Entry) => boolean): number {
  const standard = isStandard(entry) ? 4 : 0
  const repeated = entry.count > 1 ? 2 : 0
  return standard + repeated + (now - entry.lastSeen <= JUST_SEEN ? 1 : 0)
}
