import { type Selectable, sql } from 'kysely'
import type { ScanRun } from '../../model/scan.ts'
import type { ScanRow } from '../schema.ts'
import type { Session } from '../session.ts'
import type { ScanTable } from '../store.ts'

/** Why a run that nobody ended is FAILED. */
const DIED = 'Its process died or stood still'

/** Milliseconds that clocks of processes may differ. What began later still began by a clock that was wrong. */
const AHEAD = 3_600_000

export function scanTable(session: Session): ScanTable {
  const { read } = session
  return {
    begin: (categoryId, source, now, leaseUntil) =>
      session.write(async open => {
        // Its row is the lock: two cannot begin a run of one category at the same time.
        const query = open.read.selectFrom('categories').select('name').where('id', '=', categoryId)
        const category = await (open.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
        if (category === undefined) return undefined
        const running = await open.read
          .selectFrom('scans')
          .select(['id', 'lease_until'])
          .where('status', '=', sql.lit('RUNNING'))
          .where('source', '=', source)
          .where('category_id', '=', categoryId)
          .execute()
        if (running.some(run => run.lease_until > now)) return undefined
        for (const { id } of running) {
          await open.read
            .updateTable('scans')
            .set({ status: 'FAILED', errors: 1, error_details: DIED, completed_at: now })
            .where('id', '=', id)
            .execute()
        }
        const row = await open.read
          .insertInto('scans')
          .values({
            category_id: categoryId,
            category_name: category.name,
            source,
            status: 'RUNNING',
            error_details: null,
            quota_remaining: null,
            lease_until: leaseUntil,
            started_at: now,
            completed_at: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        return row.id
      }),

    finish: (id, outcome, now) =>
      session.write(async open => {
        await open.read
          .updateTable('scans')
          .set({
            status: outcome.status,
            topics_found: outcome.topicsFound,
            topics_new: outcome.topicsNew,
            errors: outcome.errors,
            error_details: outcome.errorDetails,
            requests: outcome.requests,
            not_modified: outcome.notModified,
            quota_remaining: outcome.quotaRemaining,
            completed_at: now,
          })
          .where('id', '=', id)
          .execute()
      }),

    renew: (id, leaseUntil) =>
      session.write(async open => {
        await open.read.updateTable('scans').set({ lease_until: leaseUntil }).where('id', '=', id).execute()
      }),

    abandon: now =>
      session.write(async open => {
        const { numUpdatedRows } = await open.read
          .updateTable('scans')
          .set({ status: 'FAILED', errors: 1, error_details: DIED, completed_at: now, lease_until: 0 })
          .where('status', '=', sql.lit('RUNNING'))
          .executeTakeFirstOrThrow()
        return Number(numUpdatedRows)
      }),

    async history(limit) {
      const rows = await read
        .selectFrom('scans')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(scanOf)
    },

    async running(now) {
      const row = await read
        .selectFrom('scans')
        .select(sql<number>`count(*)`.as('runs'))
        .where('status', '=', sql.lit('RUNNING'))
        .where('lease_until', '>', now)
        .executeTakeFirstOrThrow()
      return row.runs
    },

    async lastRuns(now) {
      const rows = await read
        .selectFrom('scans')
        .select(['category_id', 'source', sql<number>`max(started_at)`.as('started_at')])
        .where('category_id', 'is not', null)
        .where(either => either.or([either('status', '!=', sql.lit('RUNNING')), either('lease_until', '>', now)]))
        .where(either => either.or([either('error_details', 'is', null), either('error_details', '!=', DIED)]))
        .where('started_at', '<=', now + AHEAD)
        .groupBy(['category_id', 'source'])
        .orderBy('category_id')
        .orderBy('source')
        .execute()
      return rows.map(row => ({ categoryId: row.category_id!, source: row.source, startedAt: row.started_at }))
    },
  }
}

function scanOf(row: Selectable<ScanRow>): ScanRun {
  return {
    id: row.id,
    categoryId: row.category_id,
    categoryName: row.category_name,
    source: row.source,
    status: row.status,
    topicsFound: row.topics_found,
    topicsNew: row.topics_new,
    errors: row.errors,
    errorDetails: row.error_details,
    requests: row.requests,
    notModified: row.not_modified,
    quotaRemaining: row.quota_remaining,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  }
}
