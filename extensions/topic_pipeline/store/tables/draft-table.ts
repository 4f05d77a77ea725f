import { type Kysely, type Selectable, sql } from 'kysely'
import type { GenerationOrder } from '../../model/job.ts'
import type { OutputFormat } from '../../model/stages.ts'
import type { Draft, NewDraft } from '../../model/writing.ts'
import type { DraftRow, Schema } from '../schema.ts'
import type { Session } from '../session.ts'
import type { DraftFilter, DraftTable } from '../store.ts'
import { lockSection } from './exclusive.ts'
import { targetOf } from './job-rows.ts'

/** A deleted draft loses its texts and stays in the count of revisions. */
export function draftTable(session: Session): DraftTable {
  const { read } = session
  return {
    create: (draft, now) =>
      session.write(async open => {
        // Two at once would get the same revision.
        await lockSection(open, 'generation')
        const earlier = await open.read
          .selectFrom('drafts')
          .select(sql<number>`count(*)`.as('drafts'))
          .where('target', '=', targetOf(draft))
          .where('format', '=', draft.format)
          .executeTakeFirstOrThrow()
        const row = await open.read
          .insertInto('drafts')
          .values(rowOf(draft, earlier.drafts, now))
          .returning('id')
          .executeTakeFirstOrThrow()
        return row.id
      }),

    async get(id) {
      const row = await existing(read).where('drafts.id', '=', id).executeTakeFirst()
      return row && draftOf(row)
    },

    async list({ limit, offset, ...filter }) {
      const rows = await filtered(existing(read), filter)
        .orderBy('drafts.created_at', 'desc')
        .orderBy('drafts.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      const { total } = await filtered(existing(read), filter)
        .clearSelect()
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow()
      return { drafts: rows.map(draftOf), total }
    },

    delete: id =>
      session.write(async open => {
        const { numUpdatedRows } = await open.read
          .updateTable('drafts')
          .set({ deleted: 1, text: '', prompt_used: '', feedback: null, sources: '[]', references: '[]', checks: '[]' })
          .set({ style_match: null })
          .where('id', '=', id)
          .where('deleted', '=', 0)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),

    setFeedback: (id, feedback) =>
      session.write(async open => {
        await open.read.updateTable('drafts').set({ feedback }).where('id', '=', id).execute()
      }),

    regenerations: order => regenerations(read, order),
  }
}

/** Both counts in one statement: a job that becomes a draft meanwhile is counted once. */
async function regenerations(
  db: Kysely<Schema>,
  order: Pick<GenerationOrder, 'topicId' | 'groupId' | 'format'>,
): Promise<number> {
  const target = targetOf(order)
  const { rows } = await sql<{ total: number }>`select
      (select count(*) from drafts where target = ${target} and format = ${order.format} and parent_id is not null)
    + (select count(*) from jobs where target = ${target} and format = ${order.format} and regenerates = 1
         and status in ('PENDING', 'PROCESSING')) as total`.execute(db)
  return rows[0]!.total
}

function existing(db: Kysely<Schema>) {
  return db
    .selectFrom('drafts')
    .leftJoin('topics', 'topics.id', 'drafts.topic_id')
    .selectAll('drafts')
    .select('topics.title as topic_title')
    .where('drafts.deleted', '=', 0)
}

function filtered(
  drafts: ReturnType<typeof existing>,
  { topicId, groupId, format }: Omit<DraftFilter, 'limit' | 'offset'>,
) {
  let filter = drafts
  if (topicId !== undefined) filter = filter.where('drafts.topic_id', '=', topicId)
  if (groupId !== undefined) filter = filter.where('drafts.group_id', '=', groupId)
  if (format !== undefined) filter = filter.where('drafts.format', '=', format)
  return filter
}

function rowOf(draft: NewDraft, revision: number, now: number) {
  return {
    target: targetOf(draft),
    topic_id: draft.topicId,
    group_id: draft.groupId,
    format: draft.format,
    model: draft.model,
    feedback: null,
    parent_id: draft.parentId,
    revision,
    sources: JSON.stringify(draft.sources),
    references: JSON.stringify(draft.references),
    usage: draft.usage === null ? null : JSON.stringify(draft.usage),
    cost: draft.cost,
    checks: JSON.stringify(draft.checks),
    style_match: draft.styleMatch === null ? null : JSON.stringify(draft.styleMatch),
    created_at: now,
    prompt_used: draft.promptUsed.slice(0, 5000),
    text: draft.text,
  }
}

function draftOf(row: Selectable<DraftRow> & { readonly topic_title: string | null }): Draft {
  return {
    id: row.id,
    topicId: row.topic_id,
    groupId: row.group_id,
    format: row.format as OutputFormat,
    text: row.text,
    model: row.model,
    feedback: row.feedback,
    parentId: row.parent_id,
    revision: row.revision,
    sources: JSON.parse(row.sources),
    references: JSON.parse(row.references),
    usage: row.usage === null ? null : JSON.parse(row.usage),
    cost: row.cost,
    checks: JSON.parse(row.checks),
    styleMatch: row.style_match === null ? null : JSON.parse(row.style_match),
    promptUsed: row.prompt_used,
    createdAt: row.created_at,
    topicTitle: row.topic_title,
  }
}
