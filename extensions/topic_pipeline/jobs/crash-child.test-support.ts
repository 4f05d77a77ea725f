/**
 * A process that scans, extracts and analyses until all is done or it is killed:
 * `node crash-child.test-support.ts '{"options":…,"topics":…,"owner":…}'`. Prints `working` once it has a
 * job, and `done` in the end.
 * @module
 */
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '#core/component'
import { RecordingLogger } from '#core/testing'
import type { Place } from '../store/conformance/place.test-support.ts'
import { analysis, CATEGORY, found, RULES } from '../store/conformance/samples.test-support.ts'
import { openStore } from '../store/open-store.ts'
import { JobRunner } from './job-runner.ts'

export interface CrashOrder {
  readonly options: Place['options']
  readonly topics: number
  readonly owner: string
}

const { options, topics, owner } = JSON.parse(process.argv[2]!) as CrashOrder
const logger = new RecordingLogger()
const store = await openStore({ ...options, logger })
let working = false
const runner = new JobRunner({
  store,
  clock: systemClock,
  logger,
  owner,
  lease: 2000,
  pollInterval: 200,
  rules: { ...RULES, maxStalls: 1000, random: Math.random },
  grace: 0,
  classify: error => {
    console.error(error)
    return { kind: 'retry', message: String(error) }
  },
  handle: async job => {
    const id = job.topicId!
    if (!working) console.log('working')
    working = true
    await setTimeout(Math.random() * 5)
    return async tables => {
      // Counted in the transaction, so that an effect that is written twice shows.
      const done = ((await tables.memory.get(job.stage, String(id))) as number | undefined) ?? 0
      await tables.memory.set(job.stage, String(id), done + 1, Date.now())
      if (job.stage === 'EXTRACT') {
        await tables.topics.extracted(id, { text: `Text ${id}`, status: 'COMPLETED' })
        await tables.jobs.enqueue('ANALYZE', id, Date.now())
      } else if ((await tables.topics.get(id))!.externalId.endsWith('5'))
        await tables.topics.rejected(id, 'quality: too low', {})
      else await tables.topics.analyzed(id, analysis())
    }
  },
})
await runner.start()
const [category] = await store.categories.list()
const categoryId = category?.id ?? (await store.categories.create(CATEGORY, Date.now()))
// Each process finds everything again, in small scans: what is known is not added twice.
for (let from = 0; from < topics; from += 10) {
  await store.topics.add(
    Array.from({ length: 10 }, (_, i) => found(from + i)),
    categoryId,
    Date.now(),
  )
}
for (;;) {
  const open = (await store.jobs.counts()).filter(each => each.status !== 'COMPLETED')
  if (open.length === 0) break
  await setTimeout(20)
}
console.log('done')
await runner.stop()
await store.close()
