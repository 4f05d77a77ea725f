import { createHash } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { FoundTopic, Topic } from '../../model/topic.ts'
import type { TopicRow, TopicTextRow } from '../schema.ts'

/** The row of a topic that was just found. */
export function newTopicRow(found: FoundTopic, categoryId: number | null, now: number): Insertable<TopicRow> {
  return {
    category_id: categoryId,
    stage: 'scanned',
    collected_at: now,
    source_type: found.sourceType,
    quality_score: null,
    relevance_score: null,
    external_hash: externalHash(found),
    url_hash: hash(found.canonicalUrl ?? found.url),
    external_id: found.externalId,
    title: found.title,
    url: found.url,
    canonical_url: found.canonicalUrl ?? null,
    source_date: found.sourceDate ?? null,
    author: found.author ?? null,
    author_url: found.authorUrl ?? null,
    licence: found.licence ?? null,
    engagement: found.engagement === undefined ? null : JSON.stringify(found.engagement),
    engagement_score: found.engagement?.score ?? null,
    tags: JSON.stringify(found.tags ?? []),
    complete: Number(found.complete ?? false),
    extraction_status: 'PENDING',
    language: null,
    group_id: null,
    rejection_reason: null,
    reasons: null,
    summary: null,
    search_text: searchText(found.title, null),
  }
}

/** The columns of a list: without texts. */
export const LIST_COLUMNS = [
  'id',
  'category_id',
  'stage',
  'collected_at',
  'source_type',
  'quality_score',
  'relevance_score',
  'external_id',
  'title',
  'url',
  'canonical_url',
  'source_date',
  'author',
  'author_url',
  'licence',
  'engagement',
  'tags',
  'complete',
  'extraction_status',
  'language',
  'group_id',
  'rejection_reason',
  'reasons',
  'summary',
] as const satisfies readonly (keyof TopicRow)[]

type ListRow = Pick<Selectable<TopicRow>, (typeof LIST_COLUMNS)[number]>

/** Optional fields that are not known are absent. */
export function topicOf(row: ListRow & Partial<Pick<TopicTextRow, 'content' | 'extracted_content'>>): Topic {
  const optional = {
    canonicalUrl: row.canonical_url,
    sourceDate: row.source_date,
    content: row.content ?? null,
    author: row.author,
    authorUrl: row.author_url,
    licence: row.licence,
    engagement: row.engagement === null ? null : JSON.parse(row.engagement),
  }
  return {
    id: row.id,
    categoryId: row.category_id,
    collectedAt: row.collected_at,
    stage: row.stage,
    sourceType: row.source_type,
    externalId: row.external_id,
    title: row.title,
    url: row.url,
    complete: row.complete === 1,
    tags: JSON.parse(row.tags),
    extractionStatus: row.extraction_status,
    extractedContent: row.extracted_content ?? null,
    language: row.language,
    qualityScore: row.quality_score,
    relevanceScore: row.relevance_score,
    summary: row.summary,
    groupId: row.group_id,
    rejectionReason: row.rejection_reason,
    reasons: row.reasons === null ? null : JSON.parse(row.reasons),
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)) as Partial<Topic>),
  }
}

/** What a source's own id is known by. */
export function externalHash({ sourceType, externalId }: Pick<FoundTopic, 'sourceType' | 'externalId'>): string {
  return hash(JSON.stringify([sourceType, externalId]))
}

/** What a text filter looks into. */
export function searchText(title: string, summary: string | null): string {
  return `${title}\n${summary ?? ''}`.toLowerCase()
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
