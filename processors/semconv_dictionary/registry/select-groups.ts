import { setImmediate } from 'node:timers/promises'
import { bit, PLACES, SIGNAL_TYPES, type SignalType } from '../analysis/vocabulary.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { Entry } from '../dictionary/entry.ts'

/** One group of the exported registry, before it is printed. */
export interface Group {
  /** `<signal type>.<name>`. */
  readonly id: string
  readonly entry: Entry
  readonly signal: SignalType
  readonly kind: 'metric' | 'span' | 'attribute_group' | 'event'
}

/** Which groups are wanted. */
export interface Selection {
  readonly type?: SignalType | undefined
  /** What names begin with. */
  readonly prefix?: string | undefined
  /** Also groups for events, which are none of the four group types that the API promises. */
  readonly events?: boolean | undefined
}

/** Groups sorted at a time. */
const RUN = 1000

/**
 * The groups of a dictionary in the order of their ids. They are sorted in runs and merged as they are asked for, so
 * that no step blocks the event loop for long.
 */
export async function* selectGroups(dictionary: Dictionary, selection: Selection): AsyncIterable<Group> {
  const runs: Group[][] = []
  let run: Group[] = []
  for (const entry of dictionary.entries()) {
    run.push(...groupsOf(entry, dictionary, selection))
    if (run.length < RUN) continue
    runs.push(run.sort(byId))
    run = []
    await setImmediate()
  }
  runs.push(run.sort(byId))
  const heads = runs.filter(each => each.length > 0).map(items => ({ items, at: 0 }))
  while (heads.length > 0) {
    let least = 0
    for (let i = 1; i < heads.length; i++) {
      if (byId(heads[i]!.items[heads[i]!.at]!, heads[least]!.items[heads[least]!.at]!) < 0) least = i
    }
    const head = heads[least]!
    yield head.items[head.at++]!
    if (head.at === head.items.length) heads.splice(least, 1)
  }
}

const METRIC = bit(SIGNAL_TYPES, 'metric')
const TRACE = bit(SIGNAL_TYPES, 'trace')
const LOG = bit(SIGNAL_TYPES, 'log')
const DATA_POINT = bit(PLACES, 'data_point')

function* groupsOf(entry: Entry, dictionary: Dictionary, selection: Selection): Iterable<Group> {
  const { kind, name, signals, places } = entry
  const { type, prefix = '', events = false } = selection
  if (!name.startsWith(prefix)) return
  const wants = (signal: SignalType) => type === undefined || type === signal
  if (kind === 'metric') {
    if (wants('metric')) yield { id: `metric.${name}`, entry, signal: 'metric', kind: 'metric' }
  } else if (kind === 'event') {
    if (events && wants('log')) yield { id: `event.${name}`, entry, signal: 'log', kind: 'event' }
  } else {
    if (signals & TRACE && wants('trace')) yield { id: `trace.${name}`, entry, signal: 'trace', kind: 'span' }
    const inLogs = (signals & LOG) !== 0 && wants('log')
    if (inLogs) yield { id: `log.${name}`, entry, signal: 'log', kind: 'attribute_group' }
    // Attributes of data points stand in the groups of their metrics; and no attribute may be defined in two
    // attribute groups, so those of resources and scopes have a group of their own only when no other defines them.
    const aside = (signals & METRIC) !== 0 && (places & DATA_POINT) === 0 && wants('metric') && !inLogs
    if (aside && dictionary.get('metric', name) === undefined) {
      yield { id: `metric.${name}`, entry, signal: 'metric', kind: 'attribute_group' }
    }
  }
}

function byId(a: Group, b: Group): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
