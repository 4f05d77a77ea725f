import { randomBytes } from 'node:crypto'
import { type Route, RouteError } from '#core/component'
import { diff } from '../snapshots/diff.ts'
import { migrationOf } from '../snapshots/migration.ts'
import { type Snapshot, takeSnapshot } from '../snapshots/snapshot.ts'
import { summaryOf } from '../snapshots/snapshots.ts'
import { COUNT, list, object, query, TEXT, TIME } from './schemas.ts'
import type { View } from './view.ts'

/** What stands for the dictionary as it is now. */
const NOW = 'now'
const SUMMARY = object({ id: TEXT, created_at: TIME, entries: COUNT })
const ID = { type: 'object', properties: { id: TEXT } }
const CHANGES = list({ type: 'object' })

/** Snapshots, what changed between two, and how far the estate is with the renames of the conventions. */
export function snapshotRoutes(view: View): Route[] {
  const { snapshots, dictionary, classifier, clock } = view
  const find = (id: string): Snapshot => {
    const found = id === NOW ? takeSnapshot(NOW, dictionary, classifier, clock.now()) : snapshots.get(id)
    if (found === undefined) throw new RouteError(404, 'NOT_FOUND', `No snapshot ${JSON.stringify(id)}`)
    return found
  }
  return [
    {
      method: 'POST',
      path: '/api/v1/snapshots',
      summary: 'Keeps the dictionary as it is now',
      body: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: { id: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', not: { const: NOW } } },
      },
      responses: {
        201: { description: 'It is kept', schema: SUMMARY },
        409: { description: 'There is one of this id' },
      },
      async handle({ body }) {
        const created = clock.now()
        const id = (body as { readonly id?: string } | null | undefined)?.id ?? newId(created)
        if (snapshots.get(id) !== undefined)
          throw new RouteError(409, 'CONFLICT', `Snapshot ${JSON.stringify(id)} exists`)
        const snapshot = takeSnapshot(id, dictionary, classifier, created)
        await snapshots.add(snapshot).catch(error => view.logger.warn('Snapshot is kept in memory only', { id, error }))
        return { status: 201, headers: { location: `/api/v1/snapshots/${id}` }, body: summaryOf(snapshot) }
      },
    },
    {
      method: 'GET',
      path: '/api/v1/snapshots',
      summary: 'The snapshots that are kept, the oldest first',
      responses: { 200: { description: 'The snapshots', schema: object({ snapshots: list(SUMMARY) }) } },
      handle: () => ({ body: { snapshots: snapshots.list() } }),
    },
    {
      method: 'GET',
      path: '/api/v1/snapshots/:id',
      summary: 'One snapshot with its entries',
      params: ID,
      responses: { 200: { description: 'The snapshot' }, 404: { description: 'There is none' } },
      handle({ params }) {
        const snapshot = find(params.id!)
        const entries = snapshot.entries.map(each => ({ ...each, last_seen: new Date(each.last_seen).toISOString() }))
        return { body: { ...summaryOf(snapshot), entries } }
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/snapshots/:id',
      summary: 'Forgets a snapshot',
      params: ID,
      responses: { 204: { description: 'It is gone' }, 404: { description: 'There is none' } },
      async handle({ params }) {
        const id = params.id!
        if (!(await snapshots.delete(id))) throw new RouteError(404, 'NOT_FOUND', `No snapshot ${JSON.stringify(id)}`)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: '/api/v1/diff',
      summary: 'What changed between two snapshots',
      query: query({
        from: { ...TEXT, description: 'Id of the earlier snapshot.' },
        to: { ...TEXT, default: NOW, description: 'Id of the later one; `now` for the dictionary as it is.' },
      }),
      responses: {
        200: {
          description: 'Changes by kind of entry: added, removed, renamed, updated',
          schema: object({
            from: SUMMARY,
            to: SUMMARY,
            changes: object({ attributes: CHANGES, metrics: CHANGES, events: CHANGES }),
          }),
        },
        404: { description: 'There is no such snapshot' },
      },
      handle({ query }) {
        const { from, to } = query as { readonly from?: string; readonly to: string }
        if (from === undefined) throw new RouteError(400, 'BAD_REQUEST', 'Query parameter "from" is missing')
        const [before, after] = [find(from), find(to)]
        return { body: { from: summaryOf(before), to: summaryOf(after), changes: diff(before, after) } }
      },
    },
    {
      method: 'GET',
      path: '/api/v1/migration',
      summary: 'How much of the estate still sends old names, and what would rename them',
      responses: {
        200: {
          description: '`configuration` is a part of a Collector configuration',
          schema: object({
            migrated_pct: { type: 'number' },
            services_outstanding: list(TEXT),
            renames: CHANGES,
            configuration: TEXT,
          }),
        },
      },
      handle: () => ({ body: migrationOf(dictionary, classifier) }),
    },
  ]
}

/** Sorts by time. */
function newId(now: number): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return `${time}-${randomBytes(3).toString('hex')}`
}
