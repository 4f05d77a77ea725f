import { type Kysely, type Selectable, sql } from 'kysely'
import type { ContentType } from '../../model/stages.ts'
import type { Upload } from '../../model/writing.ts'
import type { Schema, UploadRow } from '../schema.ts'
import type { Session } from '../session.ts'
import type { UploadTable } from '../store.ts'

export function uploadTable(session: Session): UploadTable {
  const { read } = session
  return {
    create: ({ title, content, contentType, sourceUrl, wordCount }, now) =>
      session.write(async open => {
        const row = await open.read
          .insertInto('uploads')
          .values({
            title,
            content_type: contentType,
            source_url: sourceUrl,
            word_count: wordCount,
            profile: null,
            analyzed_at: null,
            created_at: now,
            content,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        return row.id
      }),

    async get(id) {
      const row = await read.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
      return row && (await uploadsOf(session, read, [row]))[0]
    },

    async list(limit, offset) {
      const rows = await read
        .selectFrom('uploads')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      const { total } = await read
        .selectFrom('uploads')
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow()
      return { uploads: await uploadsOf(session, read, rows), total }
    },

    delete: id =>
      session.write(async open => {
        await session.vectors.delete(open.read, 'upload', id)
        const { numDeletedRows } = await open.read.deleteFrom('uploads').where('id', '=', id).executeTakeFirst()
        return numDeletedRows > 0n
      }),

    setProfile: (id, profile, now) =>
      session.write(async open => {
        await open.read
          .updateTable('uploads')
          .set({ profile: JSON.stringify(profile), analyzed_at: now })
          .where('id', '=', id)
          .execute()
      }),

    async analyzed(limit) {
      const rows = await read
        .selectFrom('uploads')
        .selectAll()
        .where('analyzed_at', 'is not', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return await uploadsOf(session, read, rows)
    },

    async composite() {
      const row = await read.selectFrom('composite_profile').selectAll().executeTakeFirst()
      return row && { profile: JSON.parse(row.profile), madeOf: row.made_of }
    },

    setComposite: ({ profile, madeOf }, now) =>
      session.write(async open => {
        const row = { profile: JSON.stringify(profile), made_of: madeOf, set_at: now }
        await open.read
          .insertInto('composite_profile')
          .values({ id: 1, ...row })
          .onConflict(conflict => conflict.column('id').doUpdateSet(row))
          .execute()
      }),
  }
}

async function uploadsOf(
  { vectors }: Session,
  read: Kysely<Schema>,
  rows: readonly Selectable<UploadRow>[],
): Promise<Upload[]> {
  const ids = rows.map(row => row.id)
  const models = vectors.available && ids.length > 0 ? await vectors.models(read, 'upload', ids) : new Map()
  return rows.map(row => ({
    id: row.id,
    title: row.title,
    content: row.content,
    contentType: row.content_type as ContentType,
    sourceUrl: row.source_url,
    wordCount: row.word_count,
    profile: row.profile === null ? null : JSON.parse(row.profile),
    analyzedAt: row.analyzed_at,
    embeddingModel: models.get(row.id) ?? null,
    createdAt: row.created_at,
  }))
}
