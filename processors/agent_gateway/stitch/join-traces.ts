import { mayBeOne, type Origin } from '../origin.ts'
import type { RecentTrace, RecentTraces } from './recent-traces.ts'
import type { SpanNames } from './span-names.ts'
import type { KeyIndex, Landmark, WaitingTrace } from './waiting-trace.ts'

/** What two traces have in common. */
export type JoinedBy = 'run' | 'session' | 'time'

/** Traces that are one, the first of them the one that was asked for. */
export interface Joined<R> {
  readonly traces: readonly WaitingTrace<R>[]
  /** For each but the first, in order. */
  readonly by: readonly JoinedBy[]
}

/** Traces looked at for a fit in time; with more of them waiting, times say nothing any more. */
const MOST_BY_TIME = 200

/** Traces of one session looked at; with more of them waiting it is no conversation. */
const MOST_BY_SESSION = 500

/** The traces that wait, by id and by key. */
export interface Waiting<R> {
  readonly traces: ReadonlyMap<string, WaitingTrace<R>>
  readonly index: KeyIndex<R>
}

/**
 * The traces that wait and are one with `first`: by a run key, by a session key when they overlap in time and are not of
 * different runs, by time where names leave one possibility. Also those that are one with these. Traces that were taken
 * before are left out.
 */
export function joinTraces<R>(
  first: WaitingTrace<R>,
  waiting: Waiting<R>,
  recent: RecentTraces,
  names: SpanNames,
  taken: ReadonlySet<WaitingTrace<R>>,
): Joined<R> {
  const joined = new Set([first])
  const by: JoinedBy[] = []
  if (first.id === '') return { traces: [first], by }
  const group = new Group(first, recent)
  const asked = new Set<string>()
  for (const trace of joined) {
    for (const [other, reason] of neighbours(trace, waiting, names, asked)) {
      if (joined.has(other) || taken.has(other) || !group.mayTake(other)) continue
      group.take(other)
      joined.add(other)
      by.push(reason)
    }
  }
  return { traces: [...joined], by }
}

/**
 * What a trace must agree with: traces that left under different ids stay apart, and so do two that hold spans that are
 * not to be changed, and two machines.
 */
class Group<R> {
  readonly #recent: RecentTraces
  readonly #origins = new Map<string, Origin>()
  #hasForeign = false
  #left: RecentTrace | undefined

  constructor(first: WaitingTrace<R>, recent: RecentTraces) {
    this.#recent = recent
    this.take(first)
  }

  mayTake({ id, origin, hasForeign }: WaitingTrace<R>): boolean {
    if (hasForeign && this.#hasForeign) return false
    if (origin !== undefined) for (const each of this.#origins.values()) if (!mayBeOne(each, origin)) return false
    const left = this.#recent.find(id)
    return left === undefined || this.#left === undefined || left === this.#left
  }

  take({ id, origin, hasForeign }: WaitingTrace<R>): void {
    this.#hasForeign ||= hasForeign
    this.#left ??= this.#recent.find(id)
    if (origin !== undefined) this.#origins.set(JSON.stringify(origin), origin)
  }
}

function* neighbours<R>(
  trace: WaitingTrace<R>,
  waiting: Waiting<R>,
  names: SpanNames,
  asked: Set<string>,
): Iterable<[WaitingTrace<R>, JoinedBy]> {
  for (const key of trace.runKeys) {
    if (asked.has(key)) continue
    asked.add(key)
    for (const other of waiting.index.of(key)) yield [other, 'run']
  }
  for (const key of trace.sessionKeys) {
    const same = waiting.index.of(key)
    if (same.size > MOST_BY_SESSION) continue
    for (const other of same) if (isOneTurn(trace, other)) yield [other, 'session']
  }
  if (trace.strays.length === 0 && trace.anchors.length === 0) return
  for (const other of sameByTime(trace, waiting, names)) yield [other, 'time']
}

function isOneTurn<R>(a: WaitingTrace<R>, b: WaitingTrace<R>): boolean {
  const differentRuns = a.runKeys.size > 0 && b.runKeys.size > 0
  return !differentRuns && a.start <= b.end && b.start <= a.end
}

function* sameByTime<R>(trace: WaitingTrace<R>, waiting: Waiting<R>, names: SpanNames): Iterable<WaitingTrace<R>> {
  if (waiting.traces.size > MOST_BY_TIME) return
  const all = [...waiting.traces.values()]
  const strays = all.flatMap(owner => owner.strays.map(stray => ({ owner, stray })))
  if (strays.length > MOST_BY_TIME) return
  for (const { owner, stray } of strays) {
    const home = homeOf(stray, owner, all, strays, names)
    if (home === undefined) continue
    if (owner === trace) yield home
    else if (home === trace) yield owner
  }
}

/** The one trace that a stray can belong to. */
function homeOf<R>(
  stray: Landmark,
  owner: WaitingTrace<R>,
  all: readonly WaitingTrace<R>[],
  strays: readonly { readonly stray: Landmark }[],
  names: SpanNames,
): WaitingTrace<R> | undefined {
  const { anchor: name, outer } = names.strays.get(stray.name)!
  const belong = (a: Landmark) => a.name === name && (outer ? fits(stray, a) : fits(a, stray))
  const homes = all.filter(trace => trace !== owner && trace.anchors.some(belong))
  const [home] = homes
  if (home === undefined || homes.length > 1 || owner.anchors.some(belong)) return undefined
  if (!outer) return home
  const anchors = home.anchors.filter(belong)
  const rivals = strays.filter(other => other.stray.name === stray.name && anchors.some(a => fits(other.stray, a)))
  return rivals.length === 1 ? home : undefined
}

function fits(outer: Landmark, inner: Landmark): boolean {
  if (outer.start > inner.start || outer.end < inner.end || !mayBeOne(outer.origin, inner.origin)) return false
  return outer.common.every(
    (each, i) => each === undefined || inner.common[i] === undefined || each === inner.common[i],
  )
}
