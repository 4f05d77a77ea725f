import { sql } from 'kysely'
import type { Session } from '../session.ts'
import type { VectorTable } from '../store.ts'
import { nearest } from '../vectors/nearest.ts'
import { setVector } from '../vectors/set-vector.ts'

export function vectorTable(session: Session): VectorTable {
  const { read, vectors } = session
  return {
    available: vectors.available,

    set: (of, id, model, vector, now) =>
      session.write(async open => {
        await setVector(open, { subject: of, ref: id, model, vector, setAt: now })
      }),

    get: (of, id) => vectors.get(read, of, id),

    nearest: async (of, model, vector, limit, since = 0) => {
      const found = await nearest(session, { subject: of, model, vector, limit, since }, refs => present(of, refs))
      return found.map(({ ref, similarity }) => ({ id: ref, similarity }))
    },

    async missing(of, model, limit) {
      if (!vectors.available) return []
      const subjects = of === 'topic' ? ('topics' as const) : ('uploads' as const)
      const rows = await read
        .selectFrom(subjects)
        .select('id')
        .where('id', 'not in', sql<number>`(select ref from vectors where subject = ${of} and model = ${model})`)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(row => row.id)
    },
  }

  async function present(of: 'topic' | 'upload', refs: readonly number[]): Promise<Set<number>> {
    const rows =
      of === 'topic'
        ? await read.selectFrom('topics').select('id').where('id', 'in', refs).where('stage', '=', 'analyzed').execute()
        : await read.selectFrom('uploads').select('id').where('id', 'in', refs).execute()
    return new Set(rows.map(row => row.id))
  }
}
