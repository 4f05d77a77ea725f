import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Category, NewCategory } from '../../model/category.ts'
import { count, counted } from '../counters.ts'
import type { CategoryRow } from '../schema.ts'
import type { OpenSession, Session } from '../session.ts'
import type { CategoryTable } from '../store.ts'

export function categoryTable(session: Session): CategoryTable {
  const { read } = session
  return {
    async list() {
      const rows = await read.selectFrom('categories').selectAll().orderBy('id').execute()
      const counts = await counted(session, 'topics')
      const topics = new Map<string, number>()
      for (const each of counts) topics.set(each.b, (topics.get(each.b) ?? 0) + each.count)
      return rows.map(row => ({ ...categoryOf(row), topicCount: topics.get(String(row.id)) ?? 0 }))
    },

    async get(id) {
      const row = await read.selectFrom('categories').selectAll().where('id', '=', id).executeTakeFirst()
      return row && categoryOf(row)
    },

    create: (category, now) =>
      session.write(async open => {
        const row = { ...columnsOf(category), created_at: now } as Insertable<CategoryRow>
        return (await open.read.insertInto('categories').values(row).returning('id').executeTakeFirstOrThrow()).id
      }),

    update: (id, patch) =>
      session.write(async open => {
        const columns = columnsOf(patch)
        if (Object.keys(columns).length === 0) return (await lock(open, id)) !== undefined
        const { numUpdatedRows } = await open.read
          .updateTable('categories')
          .set(columns)
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),

    delete: id =>
      session.write(async open => {
        if ((await lock(open, id)) === undefined) return false
        for (const { stage, source_type, topics } of await unlink(open, id)) {
          count(open, 'topics', [stage, String(id), source_type], -topics)
          count(open, 'topics', [stage, '', source_type], topics)
        }
        await open.read.updateTable('scans').set({ category_id: null }).where('category_id', '=', id).execute()
        await open.read.deleteFrom('categories').where('id', '=', id).execute()
        return true
      }),
  }
}

/** Nobody adds topics to it or deletes it until the end of the transaction. */
async function lock(open: OpenSession, id: number): Promise<number | undefined> {
  const query = open.read.selectFrom('categories').select('id').where('id', '=', id)
  return (await (open.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst())?.id
}

/** Takes all topics out of a category, and tells how many of each kind they were. */
async function unlink(
  open: OpenSession,
  id: number,
): Promise<{ stage: string; source_type: string; topics: number }[]> {
  const counts = sql<number>`count(*)`.as('topics')
  if (open.kind === 'postgres') {
    return await open.read
      .with('unlinked', db =>
        db
          .updateTable('topics')
          .set({ category_id: null })
          .where('category_id', '=', id)
          .returning(['stage', 'source_type']),
      )
      .selectFrom('unlinked')
      .select(['stage', 'source_type', counts])
      .groupBy(['stage', 'source_type'])
      .execute()
  }
  const kinds = await open.read
    .selectFrom('topics')
    .select(['stage', 'source_type', counts])
    .where('category_id', '=', id)
    .groupBy(['stage', 'source_type'])
    .execute()
  await open.read.updateTable('topics').set({ category_id: null }).where('category_id', '=', id).execute()
  return kinds
}

function columnsOf(category: Partial<NewCategory>): Updateable<CategoryRow> {
  const { name, description, keywords, negativeKeywords, sources, scanFrequency, scanCron, enabled } = category
  const columns: Record<keyof Omit<CategoryRow, 'id' | 'created_at'>, string | number | null | undefined> = {
    name,
    description,
    keywords: keywords && JSON.stringify(keywords),
    negative_keywords: negativeKeywords && JSON.stringify(negativeKeywords),
    sources: sources && JSON.stringify(sources),
    scan_frequency: scanFrequency,
    scan_cron: scanCron,
    enabled: enabled === undefined ? undefined : Number(enabled),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function categoryOf(row: Selectable<CategoryRow>): Category {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    keywords: JSON.parse(row.keywords),
    negativeKeywords: JSON.parse(row.negative_keywords),
    sources: JSON.parse(row.sources),
    scanFrequency: row.scan_frequency,
    scanCron: row.scan_cron,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
  }
}
