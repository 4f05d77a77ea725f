import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OpenSession, Session } from '../session.ts'
import type { GroupTable } from '../store.ts'
import { bytesOf, vectorOf } from '../vectors/bytes.ts'
import { nearest } from '../vectors/nearest.ts'
import { setVector } from '../vectors/set-vector.ts'

/** A group's size is the number of topics that name it; its vector is the mean direction of those that joined. */
export function groupTable(session: Session): GroupTable {
  const { read } = session
  return {
    create: (model, centroid, members, now) =>
      session.write(async open => {
        const id = randomUUID()
        const sum = centroid.map(value => value * members.length)
        const { seq } = await open.read
          .insertInto('topic_groups')
          .values({ id, model, sum: bytesOf(sum), created_at: now })
          .returning('seq')
          .executeTakeFirstOrThrow()
        for (const member of members) await belong(open, member, id)
        await setVector(open, { subject: 'group', ref: seq, model, vector: centroid, setAt: now })
        return id
      }),

    join: (groupId, topicId, vector, now) =>
      session.write(async open => {
        const query = open.read.selectFrom('topic_groups').select(['seq', 'model', 'sum']).where('id', '=', groupId)
        const group = await (open.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
        if (group === undefined || !(await belong(open, topicId, groupId))) return
        const sum = vectorOf(group.sum)
        if (sum.length !== vector.length) return
        for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!
        const { seq, model } = group
        await open.read
          .updateTable('topic_groups')
          .set({ sum: bytesOf(sum) })
          .where('seq', '=', seq)
          .execute()
        await setVector(open, { subject: 'group', ref: seq, model, vector: unit(sum), setAt: now })
      }),

    async nearest(model, vector, since, limit) {
      const ids = new Map<number, string>()
      const found = await nearest(session, { subject: 'group', model, vector, since, limit }, async refs => {
        const rows = await read.selectFrom('topic_groups').select(['seq', 'id']).where('seq', 'in', refs).execute()
        for (const { seq, id } of rows) ids.set(seq, id)
        return new Set(rows.map(row => row.seq))
      })
      return found.map(({ ref, similarity }) => ({ id: ids.get(ref)!, similarity }))
    },

    async get(groupId) {
      const row = await read
        .selectFrom('topic_groups')
        .select('id')
        .select(db =>
          db.selectFrom('topics').select(sql<number>`count(*)`.as('size')).where('group_id', '=', groupId).as('size'),
        )
        .where('id', '=', groupId)
        .executeTakeFirst()
      return row && { id: row.id, size: row.size ?? 0 }
    },
  }
}

/** @returns `false` when the topic was of the group already, or does not exist */
async function belong(open: OpenSession, topicId: number, groupId: string): Promise<boolean> {
  const { numUpdatedRows } = await open.read
    .updateTable('topics')
    .set({ group_id: groupId })
    .where('id', '=', topicId)
    .where(db => db.or([db('group_id', 'is', null), db('group_id', '<>', groupId)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map(value => value / length)
}
