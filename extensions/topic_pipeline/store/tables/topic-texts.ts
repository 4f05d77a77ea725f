import { type Kysely, sql } from 'kysely'
import type { FoundTopic } from '../../model/topic.ts'
import type { Schema } from '../schema.ts'
import type { OpenSession } from '../session.ts'
import { externalHash, LIST_COLUMNS } from './topic-rows.ts'

/** Topics with their texts. */
export function withTexts(db: Kysely<Schema>) {
  return db
    .selectFrom('topics')
    .leftJoin('topic_texts', 'topic_texts.topic_id', 'topics.id')
    .select(LIST_COLUMNS)
    .select(['content', 'extracted_content'])
}

/** Keeps what sources gave of topics that were just added. */
export async function addTexts(
  open: OpenSession,
  found: readonly FoundTopic[],
  added: readonly { readonly id: number; readonly external_hash: string }[],
): Promise<void> {
  const ids = new Map(added.map(row => [row.external_hash, row.id]))
  const rows = found.flatMap(each => {
    const hash = externalHash(each)
    const topic_id = ids.get(hash)
    // Of two with the same id the first was added.
    ids.delete(hash)
    if (topic_id === undefined || each.content === undefined) return []
    return [{ topic_id, content: each.content, extracted_content: null }]
  })
  if (rows.length > 0) await open.read.insertInto('topic_texts').values(rows).execute()
}

/** Keeps what extraction has found. */
export async function setExtracted(
  open: OpenSession,
  topic_id: number,
  extracted_content: string | null,
): Promise<void> {
  await open.read
    .insertInto('topic_texts')
    .values({ topic_id, content: null, extracted_content })
    .onConflict(conflict =>
      conflict.column('topic_id').doUpdateSet({ extracted_content: sql<string | null>`excluded.extracted_content` }),
    )
    .execute()
}
