import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../session.ts'

/** Tables and indexes as described in `schema.ts`. */
export function initial(kind: DatabaseKind): Migration {
  return {
    // biome-ignore lint/suspicious/noExplicitAny: a migration stands for a state of the schema that types no longer describe
    async up(db: Kysely<any>) {
      for (const table of tables(db, kind)) await table.execute()
      if (kind === 'sqlite') await embeddedVectors(db)
      else await sql`create sequence counter_slots`.execute(db)
      for (const index of INDEXES) await sql.raw(`create ${index}`).execute(db)
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function tables(db: Kysely<any>, kind: DatabaseKind): CreateTableBuilder<string, never>[] {
  const bytes = kind === 'postgres' ? sql`bytea` : sql`blob`
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const counter = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  /** Ids grow and are never given twice. */
  const create = (name: string, id = 'id') =>
    db.schema.createTable(name).addColumn(id, kind === 'postgres' ? 'bigint' : 'integer', column =>
      // SQLite has the words in the other order: primary key, then autoincrement.
      kind === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement(),
    )
  return [
    create('categories')
      .addColumn('name', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('keywords', 'text', required)
      .addColumn('negative_keywords', 'text', required)
      .addColumn('sources', 'text', required)
      .addColumn('scan_frequency', 'bigint', required)
      .addColumn('scan_cron', 'text')
      .addColumn('enabled', 'integer', required)
      .addColumn('created_at', 'bigint', required),
    create('topics')
      .addColumn('category_id', 'bigint', column => column.references('categories.id').onDelete('set null'))
      .addColumn('stage', 'text', required)
      .addColumn('collected_at', 'bigint', required)
      .addColumn('source_type', 'text', required)
      .addColumn('quality_score', 'double precision')
      .addColumn('relevance_score', 'double precision')
      .addColumn('external_hash', 'text', required)
      .addColumn('url_hash', 'text', required)
      .addColumn('external_id', 'text', required)
      .addColumn('title', 'text', required)
      .addColumn('url', 'text', required)
      .addColumn('canonical_url', 'text')
      .addColumn('source_date', 'bigint')
      .addColumn('author', 'text')
      .addColumn('author_url', 'text')
      .addColumn('licence', 'text')
      .addColumn('engagement', 'text')
      .addColumn('engagement_score', 'double precision')
      .addColumn('tags', 'text', required)
      .addColumn('complete', 'integer', required)
      .addColumn('extraction_status', 'text', required)
      .addColumn('language', 'text')
      .addColumn('group_id', 'text')
      .addColumn('rejection_reason', 'text')
      .addColumn('reasons', 'text')
      .addColumn('summary', 'text')
      .addColumn('search_text', 'text', required),
    db.schema
      .createTable('topic_texts')
      .addColumn('topic_id', kind === 'postgres' ? 'bigint' : 'integer', column => column.primaryKey())
      .addColumn('content', 'text')
      .addColumn('extracted_content', 'text'),
    db.schema
      .createTable('topic_bands')
      .addColumn('topic_id', 'bigint', required)
      .addColumn('band', 'bigint', required)
      .addPrimaryKeyConstraint('topic_bands_key', ['band', 'topic_id'] as never),
    create('topic_groups', 'seq')
      .addColumn('id', 'text', column => column.notNull().unique())
      .addColumn('model', 'text', required)
      .addColumn('sum', bytes, required)
      .addColumn('created_at', 'bigint', required),
    create('jobs')
      .addColumn('stage', 'text', required)
      .addColumn('status', 'text', required)
      .addColumn('topic_id', 'bigint')
      .addColumn('generation_order', 'text')
      .addColumn('target', 'text')
      .addColumn('format', 'text')
      .addColumn('regenerates', 'integer', counter)
      .addColumn('attempts', 'integer', counter)
      .addColumn('stalls', 'integer', counter)
      .addColumn('run_at', 'bigint', required)
      .addColumn('lease_until', 'bigint')
      .addColumn('fence', 'bigint', counter)
      .addColumn('owner', 'text')
      .addColumn('error_message', 'text')
      .addColumn('traceparent', 'text')
      .addColumn('created_at', 'bigint', required)
      .addColumn('completed_at', 'bigint'),
    create('scans')
      .addColumn('category_id', 'bigint', column => column.references('categories.id').onDelete('set null'))
      .addColumn('category_name', 'text')
      .addColumn('source', 'text', required)
      .addColumn('status', 'text', required)
      .addColumn('topics_found', 'integer', counter)
      .addColumn('topics_new', 'integer', counter)
      .addColumn('errors', 'integer', counter)
      .addColumn('error_details', 'text')
      .addColumn('requests', 'integer', counter)
      .addColumn('not_modified', 'integer', counter)
      .addColumn('quota_remaining', 'bigint')
      .addColumn('lease_until', 'bigint', required)
      .addColumn('started_at', 'bigint', required)
      .addColumn('completed_at', 'bigint'),
    db.schema
      .createTable('memory')
      .addColumn('section', 'text', required)
      .addColumn('key', 'text', required)
      .addColumn('value', 'text', required)
      .addColumn('set_at', 'bigint', required)
      .addPrimaryKeyConstraint('memory_key', ['section', 'key'] as never),
    create('uploads')
      .addColumn('title', 'text', required)
      .addColumn('content_type', 'text', required)
      .addColumn('source_url', 'text')
      .addColumn('word_count', 'integer', required)
      .addColumn('profile', 'text')
      .addColumn('analyzed_at', 'bigint')
      .addColumn('created_at', 'bigint', required)
      .addColumn('content', 'text', required),
    db.schema
      .createTable('composite_profile')
      .addColumn('id', 'integer', column => column.primaryKey())
      .addColumn('profile', 'text', required)
      .addColumn('made_of', 'text', required)
      .addColumn('set_at', 'bigint', required),
    create('drafts')
      .addColumn('target', 'text', required)
      .addColumn('topic_id', 'bigint')
      .addColumn('group_id', 'text')
      .addColumn('format', 'text', required)
      .addColumn('model', 'text', required)
      .addColumn('feedback', 'text')
      .addColumn('parent_id', 'bigint')
      .addColumn('revision', 'integer', required)
      .addColumn('sources', 'text', required)
      .addColumn('references', 'text', required)
      .addColumn('usage', 'text')
      .addColumn('cost', 'double precision')
      .addColumn('checks', 'text', required)
      .addColumn('style_match', 'text')
      .addColumn('created_at', 'bigint', required)
      .addColumn('deleted', 'integer', counter)
      .addColumn('prompt_used', 'text', required)
      .addColumn('text', 'text', required),
    create('model_calls')
      .addColumn('task', 'text', required)
      .addColumn('provider', 'text', required)
      .addColumn('model', 'text', required)
      .addColumn('input_tokens', 'bigint', required)
      .addColumn('output_tokens', 'bigint', required)
      .addColumn('cost', 'double precision')
      .addColumn('topic_id', 'bigint')
      .addColumn('at', 'bigint', required),
    db.schema
      .createTable('counters')
      .addColumn('kind', 'text', required)
      .addColumn('a', 'text', required)
      .addColumn('b', 'text', required)
      .addColumn('c', 'text', required)
      .addColumn('slot', 'bigint', required)
      .addColumn('count', 'bigint', required)
      .addPrimaryKeyConstraint('counters_key', ['kind', 'a', 'b', 'c', 'slot'] as never),
  ]
}

/** PostgreSQL keeps vectors with an extension that it may or may not have, see `vectors/pgvector-index.ts`. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function embeddedVectors(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('vectors')
    .addColumn('version', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('ref', 'bigint', column => column.notNull())
    .addColumn('model', 'text', column => column.notNull())
    .addColumn('set_at', 'bigint', column => column.notNull())
    .addColumn('embedding', sql`blob`, column => column.notNull())
    .execute()
  await sql`create unique index vectors_key on vectors (subject, ref)`.execute(db)
  await sql`create index vectors_changes on vectors (subject, model, version)`.execute(db)
}

/** The feed's index holds all that its filters ask for, so that neither pages nor counts read the topics themselves. */
const INDEXES = [
  'unique index topics_external on topics (external_hash)',
  'unique index topics_url on topics (url_hash)',
  'index topics_feed on topics (stage, collected_at desc, id desc, category_id, source_type, quality_score)',
  'index topics_category on topics (category_id, stage, collected_at desc, id desc)',
  'index topics_source on topics (source_type, collected_at desc, engagement_score)',
  'index topics_group on topics (group_id, quality_score) where group_id is not null',
  'index topic_bands_topic on topic_bands (topic_id)',
  "index jobs_pending on jobs (stage, run_at, id) where status = 'PENDING'",
  "index jobs_leases on jobs (lease_until) where status = 'PROCESSING'",
  "index jobs_failed on jobs (completed_at desc, id desc) where status = 'FAILED'",
  "index jobs_completed on jobs (completed_at) where status = 'COMPLETED'",
  'index jobs_target on jobs (target, format) where target is not null',
  `unique index jobs_open on jobs (stage, topic_id)
     where status in ('PENDING', 'PROCESSING') and target is null and topic_id is not null`,
  'index scans_newest on scans (started_at desc, id desc)',
  'index scans_category on scans (category_id, source, started_at desc)',
  "index scans_running on scans (source, lease_until) where status = 'RUNNING'",
  'index memory_age on memory (section, set_at)',
  'index drafts_target on drafts (target, format)',
  'index drafts_newest on drafts (created_at desc, id desc) where deleted = 0',
  'index drafts_topic on drafts (topic_id) where topic_id is not null',
  'index model_calls_at on model_calls (at)',
]
