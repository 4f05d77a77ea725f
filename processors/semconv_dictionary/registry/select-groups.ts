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

/** Signals in the order of the ids that begin with them; events have groups of their own. */
const ORDER = ['event', 'log', 'metric', 'trace'] as const

/**
 * The groups of a dictionary in the order of their ids: all of one signal after another, each in the order of names. They
 * are found as they are asked for.
 */
export function* selectGroups(dictionary: Dictionary, selection: Selection): IterableIterator<Group> {
  const { prefix = '' } = selection
  const entries = dictionary.sorted()
  for (const start of ORDER) {
    for (const entry of entries) {
      if (entry.removed || !entry.name.startsWith(prefix)) continue
      const group = groupOf(start, entry, dictionary, selection)
      if (group !== undefined) yield { id: `${start}.${entry.name}`, entry, ...group }
    }
  }
}

const METRIC = bit(SIGNAL_TYPES, 'metric')
const TRACE = bit(SIGNAL_TYPES, 'trace')
const LOG = bit(SIGNAL_TYPES, 'log')
const DATA_POINT = bit(PLACES, 'data_point')

/** The group of an entry whose id begins with `start`, if it has one. */
function groupOf(
  start: (typeof ORDER)[number],
  { kind, name, signals, places }: Entry,
  dictionary: Dictionary,
  { type, events = false }: Selection,
): Pick<Group, 'signal' | 'kind'> | undefined {
  const signal = start === 'event' ? 'log' : start
  if (type !== undefined && type !== signal) return undefined
  if (start === 'event') return events && kind === 'event' ? { signal, kind } : undefined
  if (kind === 'metric') return start === 'metric' ? { signal, kind } : undefined
  if (kind === 'event') return undefined
  if (start === 'trace') return (signals & TRACE) !== 0 ? { signal, kind: 'span' } : undefined
  if (start === 'log') return (signals & LOG) !== 0 ? { signal, kind: 'attribute_group' } : undefined
  // Attributes of data points stand in the groups of their metrics; and no attribute may be defined in two attribute
  // groups, so those of resources and scopes have a group of their own only when no other defines them.
  const inLogs = (signals & LOG) !== 0 && type === undefined
  const aside = (signals & METRIC) !== 0 && (places & DATA_POINT) === 0 && !inLogs
  return aside && dictionary.get('metric', name) === undefined ? { signal, kind: 'attribute_group' } : undefined
}
