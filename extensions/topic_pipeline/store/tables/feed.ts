import { sql } from 'kysely'
import type { Topic } from '../../model/topic.ts'
import { counted } from '../counters.ts'
import type { Session } from '../session.ts'
import type { FeedQuery } from '../store.ts'
import { LIST_COLUMNS, topicOf } from './topic-rows.ts'

/** A page: first the ids, found in an index alone where no text is asked for, then those few topics. */
export async function feed(session: Session, query: FeedQuery): Promise<{ topics: Topic[]; total: number }> {
  const { ids, total = await totalOf(session, query) } = await page(session, query)
  if (ids.length === 0) return { topics: [], total }
  const rows = await session.read
    .selectFrom('topics')
    .select(LIST_COLUMNS)
    .where('id', 'in', ids)
    .orderBy('collected_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { topics: rows.map(topicOf), total }
}

async function page(session: Session, query: FeedQuery): Promise<{ ids: number[]; total?: number }> {
  const matching = filtered(session, query)
    .select('id')
    .orderBy('collected_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.size)
    .offset(query.page * query.size)
  if (!query.text) return { ids: (await matching.execute()).map(row => row.id) }
  // All topics are read for it anyway, so they are counted on the way.
  const rows = await matching.select(sql<number>`count(*) over ()`.as('total')).execute()
  return { ids: rows.map(row => row.id), ...(rows[0] !== undefined && { total: rows[0].total }) }
}

/** From the counters where they know it, else by counting. */
async function totalOf(session: Session, query: FeedQuery): Promise<number> {
  const { categoryId, sourceType, stage = 'analyzed' } = query
  if (query.from === undefined && query.before === undefined && query.minQuality === undefined && !query.text) {
    return (await counted(session, 'topics'))
      .filter(each => each.a === stage)
      .filter(each => categoryId === undefined || each.b === String(categoryId))
      .filter(each => sourceType === undefined || each.c === sourceType)
      .reduce((sum, each) => sum + each.count, 0)
  }
  const row = await filtered(session, query).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return row.total
}

function filtered({ kind, read }: Session, query: FeedQuery) {
  const { categoryId, sourceType, from, before, minQuality, text } = query
  let filter = read.selectFrom('topics').where('stage', '=', query.stage ?? 'analyzed')
  if (categoryId !== undefined) filter = filter.where('category_id', '=', categoryId)
  if (sourceType !== undefined) filter = filter.where('source_type', '=', sourceType)
  if (from !== undefined) filter = filter.where('collected_at', '>=', from)
  if (before !== undefined) filter = filter.where('collected_at', '<', before)
  if (minQuality !== undefined) filter = filter.where('quality_score', '>=', minQuality)
  // Without a pattern, in which % and _ would mean something.
  const position = sql.raw(kind === 'postgres' ? 'strpos' : 'instr')
  if (text) filter = filter.where(sql<boolean>`${position}(search_text, ${text.toLowerCase()}) > 0`)
  return filter
}
