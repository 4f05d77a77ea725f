import { sql } from 'kysely'
import type { Session } from '../session.ts'
import type { UsageTable } from '../store.ts'

export function usageTable(session: Session): UsageTable {
  const { read } = session
  return {
    add: record =>
      session.write(async open => {
        await open.read
          .insertInto('model_calls')
          .values({
            task: record.task,
            provider: record.provider,
            model: record.model,
            input_tokens: record.inputTokens,
            output_tokens: record.outputTokens,
            cost: record.cost,
            topic_id: record.topicId ?? null,
            at: record.at,
          })
          .execute()
      }),

    async cost(since) {
      const row = await read
        .selectFrom('model_calls')
        .select(sql<number>`coalesce(sum(cost), 0)`.as('cost'))
        .where('at', '>=', since)
        .executeTakeFirstOrThrow()
      return row.cost
    },

    async summary(since) {
      return await read
        .selectFrom('model_calls')
        .select(['model', 'task', sql<number>`count(*)`.as('calls')])
        .select(sql<number>`cast(sum(input_tokens) as bigint)`.as('inputTokens'))
        .select(sql<number>`cast(sum(output_tokens) as bigint)`.as('outputTokens'))
        .select(sql<number>`coalesce(sum(cost), 0)`.as('cost'))
        .where('at', '>=', since)
        .groupBy(['model', 'task'])
        .orderBy('model')
        .orderBy('task')
        .execute()
    },
  }
}
