import { sql } from 'kysely'
import { TOPIC_STAGES } from '../../model/stages.ts'
import { count, counted } from '../counters.ts'
import type { OpenSession, Session } from '../session.ts'
import type { AnalysisResult, TopicTable } from '../store.ts'
import { lockSection } from './exclusive.ts'
import { feed } from './feed.ts'
import { enqueueJob, enqueueJobs } from './job-queue.ts'
import { newTopicRow, topicOf } from './topic-rows.ts'
import { moveTopic, type TopicChange } from './topic-stages.ts'
import { addTexts, setExtracted, withTexts } from './topic-texts.ts'

/** Topics that are written with one statement: a statement has no place for more than 32,766 values. */
const BATCH = 200

export function topicTable(session: Session): TopicTable {
  const { read } = session
  return {
    add: (found, categoryId, now, traceparent) =>
      session.write(async open => {
        // Two that add the same topics in another order would wait for each other.
        await lockSection(open, 'adding')
        const category = await existing(open, categoryId)
        let added = 0
        for (let from = 0; from < found.length; from += BATCH) {
          const batch = found.slice(from, from + BATCH)
          const inserted = await open.read
            .insertInto('topics')
            .values(batch.map(each => newTopicRow(each, category, now)))
            .onConflict(conflict => conflict.doNothing())
            .returning(['id', 'source_type', 'external_hash'])
            .execute()
          await addTexts(open, batch, inserted)
          for (const { source_type } of inserted) {
            count(open, 'topics', ['scanned', String(category ?? ''), source_type], 1)
          }
          const ids = inserted.map(row => row.id).sort((x, y) => x - y)
          await enqueueJobs(open, 'EXTRACT', ids, now, traceparent)
          added += inserted.length
        }
        return added
      }),

    feed: query => feed(session, query),

    async get(id) {
      const row = await withTexts(read).where('id', '=', id).executeTakeFirst()
      return row && topicOf(row)
    },

    async many(ids) {
      if (ids.length === 0) return []
      const rows = await withTexts(read)
        .where('id', 'in', [...ids])
        .execute()
      const byId = new Map(rows.map(row => [row.id, row]))
      return ids
        .map(id => byId.get(id))
        .filter(row => row !== undefined)
        .map(topicOf)
    },

    async ofGroup(groupId, limit) {
      const rows = await withTexts(read)
        .where('group_id', '=', groupId)
        .where('stage', '=', 'analyzed')
        .orderBy('quality_score', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(topicOf)
    },

    extracted: (id, { text, status }) =>
      session.write(async open => {
        await moveTopic(open, id, 'extracted', { extraction_status: status })
        await setExtracted(open, id, text)
      }),

    analyzed: (id, result) =>
      session.write(async open => {
        await moveTopic(open, id, 'analyzed', { ...changeOf(result), rejection_reason: null })
        await setBands(open, id, result.bands)
      }),

    rejected: (id, reason, result) =>
      session.write(async open => {
        await moveTopic(open, id, 'rejected', { ...changeOf(result), rejection_reason: reason })
        if (result.bands !== undefined) await setBands(open, id, result.bands)
      }),

    reanalyze: (id, now) =>
      session.write(async open => {
        const topic = await open.read.selectFrom('topics').select('stage').where('id', '=', id).executeTakeFirst()
        if (topic === undefined || topic.stage === 'scanned') return false
        if (topic.stage !== 'extracted') await moveTopic(open, id, 'extracted', { rejection_reason: null })
        await enqueueJob(open, 'ANALYZE', id, now)
        return true
      }),

    async sharingBands(id, bands, limit) {
      if (bands.length === 0) return []
      const rows = await read
        .selectFrom('topic_bands')
        .innerJoin('topics', 'topics.id', 'topic_bands.topic_id')
        .select('topics.id')
        .distinct()
        .where('topic_bands.band', 'in', [...new Set(bands)])
        .where('topics.id', '<>', id)
        .where('topics.stage', '<>', 'rejected')
        .orderBy('topics.id')
        .limit(limit)
        .execute()
      return rows.map(row => row.id)
    },

    async engagements(sourceType, since, limit) {
      const rows = await read
        .selectFrom('topics')
        .select('engagement_score')
        .where('source_type', '=', sourceType)
        .where('collected_at', '>=', since)
        .where('engagement_score', 'is not', null)
        .orderBy('collected_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(row => row.engagement_score!)
    },

    async byStage() {
      const counts = await counted(session, 'topics')
      return TOPIC_STAGES.map(stage => ({ stage, count: total(counts.filter(each => each.a === stage)) }))
    },

    async statistics(weekFrom) {
      const counts = await counted(session, 'topics')
      const categories = await read.selectFrom('categories').select(['id', 'name']).orderBy('id').execute()
      const week = await read
        .selectFrom('topics')
        .select(sql<number>`count(*)`.as('topics'))
        .where('stage', '=', 'analyzed')
        .where('collected_at', '>=', weekFrom)
        .executeTakeFirstOrThrow()
      const analyzed = counts.filter(each => each.a === 'analyzed')
      const sources = [...new Set(analyzed.map(each => each.c))].sort()
      return {
        total: total(analyzed),
        week: week.topics,
        byCategory: categories.map(({ id, name }) => ({
          name,
          id,
          count: total(analyzed.filter(each => each.b === String(id))),
        })),
        bySource: sources.map(name => ({ name, count: total(analyzed.filter(each => each.c === name)) })),
      }
    },
  }
}

/** The category, as long as it exists; it cannot go before the transaction ends. */
async function existing(open: OpenSession, categoryId: number | null): Promise<number | null> {
  if (categoryId === null) return null
  const query = open.read.selectFrom('categories').select('id').where('id', '=', categoryId)
  return (await (open.kind === 'postgres' ? query.forKeyShare() : query).executeTakeFirst())?.id ?? null
}

async function setBands(open: OpenSession, id: number, bands: readonly number[]): Promise<void> {
  await open.read.deleteFrom('topic_bands').where('topic_id', '=', id).execute()
  if (bands.length === 0) return
  const rows = [...new Set(bands)].map(band => ({ topic_id: id, band }))
  await open.read.insertInto('topic_bands').values(rows).execute()
}

function changeOf(result: Partial<AnalysisResult>): TopicChange {
  return {
    ...(result.qualityScore !== undefined && { quality_score: result.qualityScore }),
    ...(result.relevanceScore !== undefined && { relevance_score: result.relevanceScore }),
    ...(result.summary !== undefined && { summary: result.summary }),
    ...(result.tags !== undefined && { tags: JSON.stringify(result.tags) }),
    ...(result.language !== undefined && { language: result.language }),
    ...(result.groupId !== undefined && { group_id: result.groupId }),
    ...(result.reasons !== undefined && { reasons: JSON.stringify(result.reasons) }),
  }
}

function total(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, each) => sum + each.count, 0)
}
