import { mayBeOne } from '../origin.ts'
import type { RecentTraces } from './recent-traces.ts'
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
  for (const trace of joined) {
    for (const [other, reason] of neighbours(trace, waiting, names)) {
      if (joined.has(other) || taken.has(other) || ![...joined].every(member => mayJoin(member, other, recent)))
        continue
      joined.add(other)
      by.push(reason)
    }
  }
  return { traces: [...joined], by }
}

function* neighbours<R>(
  trace: WaitingTrace<R>,
  waiting: Waiting<R>,
  names: SpanNames,
): Iterable<[WaitingTrace<R>, JoinedBy]> {
  for (const key of trace.runKeys) for (const other of waiting.index.of(key)) yield [other, 'run']
  for (const key of trace.sessionKeys) {
    for (const other of waiting.index.of(key)) if (isOneTurn(trace, other)) yield [other, 'session']
  }
  if (trace.strays.length === 0 && trace.anchors.length === 0) return
  for (const other of sameByTime(trace, waiting, names)) yield [other, 'time']
}

/** Traces that left under different ids stay apart, and so do two that hold spans that are not to be changed. */
function mayJoin<R>(a: WaitingTrace<R>, b: WaitingTrace<R>, recent: RecentTraces): boolean {
  if (a.hasForeign && b.hasForeign) return false
  if (a.origin !== undefined && b.origin !== undefined && !mayBeOne(a.origin, b.origin)) return false
  const left = recent.find(a.id)
  const right = recent.find(b.id)
  return left === undefined || right === undefined || left === right
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
