import { type Route, RouteError } from '#core/component'
import { bit, ENTRY_KINDS, type EntryKind, SIGNAL_TYPES, type SignalType } from '../analysis/vocabulary.ts'
import { CLASSIFICATIONS } from '../classification/classify.ts'
import type { Entry } from '../dictionary/entry.ts'
import { nameMatcher } from './match-name.ts'
import { COUNT, FLAG, list, object, query, SIGNAL, TEXT, TIME } from './schemas.ts'
import { showEntry, showWholeEntry } from './show-entry.ts'
import type { View } from './view.ts'

const SORTS = ['name', 'cardinality', 'count', 'first_seen', 'last_seen'] as const

interface ListQuery {
  readonly q?: string
  readonly type?: SignalType
  readonly kind?: EntryKind
  readonly classification?: string
  readonly status?: string
  readonly service?: string
  readonly sort: (typeof SORTS)[number]
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/** What was learned: a list to filter, sort and page through, and single entries. */
export function dictionaryRoutes(view: View): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/dictionary',
      summary: 'The attributes, metrics and events that were seen',
      query: query({
        q: { ...TEXT, description: 'Name pattern: `http.*` for a beginning, without `*` a part of the name.' },
        type: SIGNAL,
        kind: { enum: ENTRY_KINDS },
        classification: { enum: CLASSIFICATIONS },
        status: { enum: ['active', 'stale', 'expired'] },
        service: { ...TEXT, description: 'Only what this service sends.' },
        sort: { enum: SORTS, default: 'name' },
        order: { enum: ['asc', 'desc'], default: 'asc' },
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
        offset: { type: 'integer', minimum: 0, default: 0 },
      }),
      responses: {
        200: {
          description: '`total` counts the entries that the filters leave, `dictionary_entries` all',
          schema: object({
            total: COUNT,
            dictionary_entries: COUNT,
            offset: COUNT,
            limit: COUNT,
            entries: list(ENTRY),
          }),
        },
      },
      handle({ query }) {
        const asked = query as unknown as ListQuery
        const found = select(view, asked)
        const page = found.slice(asked.offset, asked.offset + asked.limit)
        return {
          body: {
            total: found.length,
            dictionary_entries: view.dictionary.size,
            offset: asked.offset,
            limit: asked.limit,
            entries: page.map(entry => showEntry(entry, view)),
          },
        }
      },
    },
    {
      method: 'GET',
      path: '/api/v1/dictionary/:name',
      summary: 'One attribute, metric or event with all there is to tell',
      params: { type: 'object', properties: { name: TEXT } },
      query: query({ kind: { enum: ENTRY_KINDS, description: 'Which one, when several have the name.' } }),
      responses: { 200: { description: 'The entry', schema: ENTRY }, 404: { description: 'There is none' } },
      handle({ params, query }) {
        const name = params.name!
        const kinds = query.kind === undefined ? ENTRY_KINDS : [query.kind as EntryKind]
        for (const kind of kinds) {
          const entry = view.dictionary.get(kind, name)
          if (entry !== undefined) return { body: showWholeEntry(entry, view) }
        }
        throw new RouteError(
          404,
          'NOT_FOUND',
          `No ${kinds.length === 1 ? kinds[0] : 'entry'} named ${JSON.stringify(name)}`,
        )
      },
    },
  ]
}

function select({ dictionary, classifier }: View, asked: ListQuery): Entry[] {
  const { q, type, kind, classification, status, service } = asked
  const matches = q === undefined ? () => true : nameMatcher(q)
  const signal = type === undefined ? 0 : bit(SIGNAL_TYPES, type)
  const found: Entry[] = []
  for (const entry of dictionary.sorted()) {
    if (kind !== undefined && entry.kind !== kind) continue
    if (signal !== 0 && (entry.signals & signal) === 0) continue
    if (!matches(entry.name)) continue
    if (service !== undefined && !entry.services.has(service)) continue
    if (status !== undefined && dictionary.status(entry) !== status) continue
    if (classification !== undefined && classifier.verdict(entry)?.classification !== classification) continue
    found.push(entry)
  }
  const direction = asked.order === 'desc' ? -1 : 1
  if (asked.sort === 'name') return direction > 0 ? found : found.reverse()
  const value = VALUE[asked.sort]
  const ranked = found.map(entry => ({ entry, value: value(entry) }))
  // Sorting is stable, so entries with the same value stay in the order of names.
  return ranked.sort((a, b) => direction * (a.value - b.value)).map(({ entry }) => entry)
}

const VALUE: { readonly [S in Exclude<(typeof SORTS)[number], 'name'>]: (entry: Entry) => number } = {
  cardinality: entry => entry.sketch.cardinality,
  count: entry => entry.count,
  first_seen: entry => entry.firstSeen,
  last_seen: entry => entry.lastSeen,
}

const ENTRY = object(
  {
    name: TEXT,
    kind: { enum: ENTRY_KINDS },
    classification: { enum: [...CLASSIFICATIONS, null] },
    signal_types: list({ enum: SIGNAL_TYPES }),
    status: TEXT,
    cardinality: COUNT,
    estimated: FLAG,
    overflowed: FLAG,
    count: COUNT,
    services: list({}),
    first_seen: TIME,
    last_seen: TIME,
    type: TEXT,
    instrument: { type: ['string', 'null'] },
    unit: TEXT,
    attributes: list(TEXT),
    replacement: TEXT,
    suggestion: TEXT,
  },
  ['type', 'instrument', 'unit', 'attributes', 'replacement', 'suggestion'],
)
