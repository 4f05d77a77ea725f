import { setImmediate } from 'node:timers/promises'
import { type PrintOptions, type PrintSource, printGroup } from './print-group.ts'
import { type Selection, selectGroups } from './select-groups.ts'

/** Groups that are printed before the event loop gets a turn. */
const SLICE = 25

/**
 * A dictionary as a registry file: the groups of `selection`, in the order of their ids, as pieces of YAML text. The same
 * dictionary gives the same text.
 */
export async function* exportRegistry(
  source: PrintSource,
  selection: Selection,
  options: PrintOptions,
): AsyncIterable<string> {
  let text = ''
  let groups = 0
  for (const group of selectGroups(source.dictionary, selection)) {
    if (groups === 0) text = 'groups:\n'
    text += printGroup(group, source, options)
    if (++groups % SLICE !== 0) continue
    yield text
    text = ''
    await setImmediate()
  }
  yield groups === 0 ? 'groups: []\n' : text
}
