import type { ConfigNode, Fault } from '#core/config'
import type { Survey } from './survey.ts'

/** Keys and, of items of lists, indexes down to something that is to go. */
export type Removal = readonly (string | number)[]

/** What becomes of a pipeline. */
export interface PrunedPipeline {
  readonly id: string
  /** `shorter`: it goes on without some components. */
  readonly state: 'runs' | 'shorter' | 'missing'
  /** Ids of the components that it has to do without, processors and others in the order of the pipeline. */
  readonly without: readonly string[]
}

/** A configuration without what cannot run. */
export interface Pruned {
  readonly pipelines: readonly PrunedPipeline[]
  readonly removals: readonly Removal[]
}

const PLACES = ['receivers', 'processors', 'exporters'] as const
type Place = (typeof PLACES)[number]

/** One mention of a component in a pipeline. */
interface Mention {
  readonly pipeline: string
  readonly place: Place
  readonly index: number
  readonly id: string
}

/**
 * Decides what must be taken out of a configuration for the rest to run: missing components, mentions of them, unknown
 * options, then pipelines with an end missing, then connectors that are left with one end, and so on.
 * @param root as written, references not expanded
 */
export function prune(root: ConfigNode, { components, faults }: Survey): Pruned {
  const missing = components.filter(one => one.state === 'missing')
  const mentions = mentionsIn(root)
  const gone = new Set(
    mentions.filter(mention =>
      isMissing(
        mention,
        missing.map(one => one.path.join('::')),
      ),
    ),
  )
  const pipelines = new Set(root.get(['service', 'pipelines'])?.keys ?? [])
  const connectors = new Set(root.get(['connectors'])?.keys ?? [])
  for (let before = -1; before !== gone.size + pipelines.size; ) {
    before = gone.size + pipelines.size
    const left = mentions.filter(mention => !gone.has(mention) && pipelines.has(mention.pipeline))
    for (const id of pipelines) if (!hasBothEnds(id, left, mentions)) pipelines.delete(id)
    for (const id of connectors) for (const mention of oneEnded(id, left)) gone.add(mention)
  }
  const lost = [...(root.get(['service', 'pipelines'])?.keys ?? [])].filter(id => !pipelines.has(id))
  return {
    pipelines: (root.get(['service', 'pipelines'])?.keys ?? []).map(id => stateOf(id, pipelines.has(id), [...gone])),
    removals: [
      ...missing.map(one => one.path),
      ...unknownOptions(root, [...components.flatMap(one => one.faults), ...faults]),
      ...enabledExtensions(
        root,
        missing.map(one => one.path.join('::')),
      ),
      ...lost.map(id => ['service', 'pipelines', id]),
      ...[...gone]
        .filter(({ pipeline }) => pipelines.has(pipeline))
        .map(({ pipeline, place, index }) => ['service', 'pipelines', pipeline, place, index]),
    ],
  }
}

function mentionsIn(root: ConfigNode): Mention[] {
  const pipelines = root.get(['service', 'pipelines'])
  return (pipelines?.keys ?? []).flatMap(pipeline =>
    PLACES.flatMap(place => {
      const list = pipelines?.get([pipeline, place])
      if (list?.kind !== 'list') return []
      return list.items.map((item, index) => ({ pipeline, place, index, id: textOf(item) }))
    }),
  )
}

function textOf(node: ConfigNode): string {
  return node.kind === 'scalar' ? String(node.value).trim() : ''
}

function isMissing({ place, id }: Mention, missing: readonly string[]): boolean {
  if (missing.includes(`${place}::${id}`)) return true
  return place !== 'processors' && missing.includes(`connectors::${id}`)
}

/** Whether a pipeline still has a receiver and an exporter. One that had none from the start is left to `validate`. */
function hasBothEnds(pipeline: string, left: readonly Mention[], all: readonly Mention[]): boolean {
  return (['receivers', 'exporters'] as const).every(place => {
    const isHere = (mention: Mention) => mention.pipeline === pipeline && mention.place === place
    return left.some(isHere) || !all.some(isHere)
  })
}

/** The mentions of a connector that is left with one end. */
function oneEnded(id: string, left: readonly Mention[]): Mention[] {
  const ends = left.filter(mention => mention.id === id && mention.place !== 'processors')
  return new Set(ends.map(({ place }) => place)).size === 1 ? ends : []
}

function stateOf(id: string, runs: boolean, gone: readonly Mention[]): PrunedPipeline {
  const without = [...new Set(gone.filter(({ pipeline }) => pipeline === id).map(mention => mention.id))]
  if (!runs) return { id, state: 'missing', without }
  return { id, state: without.length > 0 ? 'shorter' : 'runs', without }
}

/** The keys behind faults that say so. */
function unknownOptions(root: ConfigNode, faults: readonly Fault[]): Removal[] {
  return faults.flatMap(({ code, path, message }) => {
    const key = message.slice(message.indexOf(': ') + 2)
    const above = path === '' ? [] : path.split('::')
    return code === 'unknown-key' ? [withIndexes(root, [...above, key])] : []
  })
}

function withIndexes(root: ConfigNode, path: readonly string[]): Removal {
  return path.map((key, depth) => (root.get(path.slice(0, depth))?.kind === 'list' ? Number(key) : key))
}

function enabledExtensions(root: ConfigNode, missing: readonly string[]): Removal[] {
  const list = root.get(['service', 'extensions'])
  if (list?.kind !== 'list') return []
  return list.items.flatMap((item, index) =>
    missing.includes(`extensions::${textOf(item)}`) ? [['service', 'extensions', index]] : [],
  )
}
