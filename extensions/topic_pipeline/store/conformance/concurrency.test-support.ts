import { describe, expect, it } from 'vitest'
import type { TopicStore } from '../store.ts'
import type { TestDatabase } from './place.test-support.ts'
import { addAnalyzed, analysis, CATEGORY, claimOne, MINUTE, manyFound, NOW, recount } from './samples.test-support.ts'

const CLAIM = { stages: ['ANALYZE'], owner: 'a', now: NOW, leaseUntil: NOW + MINUTE, limit: 9 } as const

/** Several processes on one database; here several stores, which share nothing else. */
export function describeConcurrency(database: TestDatabase): void {
  describe('two stores on one database', () => {
    it('get each of 500 jobs exactly once', async () => {
      await using place = await database.create()
      const stores = [await place.open(), await place.open()]
      await stores[0]!.topics.add(manyFound(500), null, NOW)
      const claimed: number[] = []
      const finished: number[] = []
      await together(stores, 4, async (store, name) => {
        for (;;) {
          const options = { stages: ['EXTRACT'], owner: name, now: NOW, leaseUntil: NOW + MINUTE, limit: 7 } as const
          const jobs = await store.jobs.claim(options)
          if (jobs.length === 0) return
          claimed.push(...jobs.map(job => job.id))
          for (const job of jobs) if (await store.jobs.finish(job, NOW, async () => {})) finished.push(job.id)
        }
      })
      expect([claimed.length, new Set(claimed).size]).toEqual([500, 500])
      expect([finished.length, new Set(finished).size]).toEqual([500, 500])
      expect(await stores[0]!.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'COMPLETED', count: 500 }])
    })

    it('add the same topics once, in whatever order', async () => {
      await using place = await database.create()
      const stores = [await place.open(), await place.open()]
      const topics = manyFound(60)
      let added = 0
      await together(stores, 3, async (store, name) => {
        const mine = name.endsWith('1') ? topics : topics.toReversed()
        for (let i = 0; i < mine.length; i += 6) {
          const isNew = await store.topics.add(mine.slice(i, i + 20), null, NOW)
          added += isNew
        }
      })
      expect(added).toBe(60)
      expect((await stores[1]!.topics.feed({ page: 0, size: 1, stage: 'scanned', from: 0 })).total).toBe(60)
      expect(await stores[0]!.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'PENDING', count: 60 }])
    })

    it('end an analysis and ask for another at the same time, and none is lost or done twice', async () => {
      await using place = await database.create()
      const [one, two] = [await place.open(), await place.open()]
      const ids = await addAnalyzed(one, manyFound(25))
      for (const id of ids) {
        await one.topics.reanalyze(id, NOW)
        const job = await claimOne(one, 'ANALYZE')
        let again: Promise<unknown> | undefined
        const finished = await one.jobs.finish(job, NOW, async tables => {
          again = id % 2 === 0 ? two.jobs.enqueue('ANALYZE', id, NOW) : two.topics.reanalyze(id, NOW)
          await tables.topics.analyzed(id, analysis())
        })
        expect([finished, await again]).toEqual([true, expect.toSatisfy(Boolean)])
        for (const left of await one.jobs.claim(CLAIM)) await one.jobs.finish(left, NOW, async () => {})
        expect(['analyzed', 'extracted']).toContain((await one.topics.get(id))!.stage)
      }
      const open = (await one.jobs.counts()).filter(each => each.stage === 'ANALYZE' && each.status !== 'COMPLETED')
      expect(open).toEqual([])
    })

    it('count right while topics move and their category is deleted', async () => {
      await using place = await database.create()
      const stores = [await place.open(), await place.open()]
      const category = await stores[0]!.categories.create(CATEGORY, NOW)
      await stores[0]!.topics.add(manyFound(80), category, NOW)
      const more = manyFound(160, { sourceType: 'stackoverflow' }).slice(80)
      let next = 1
      await together(stores, 3, async (store, name) => {
        for (let id = next++; id <= 80; id = next++) {
          if (id === 40) await store.categories.delete(category)
          await store.topics.extracted(id, { text: null, status: 'FAILED' })
          if (id % 3 === 0) await store.topics.rejected(id, `length: too short for ${name}`, {})
          else await store.topics.analyzed(id, analysis())
          await store.topics.add([more[id - 1]!], category, NOW)
        }
      })
      const { counted, really } = await recount(stores[1]!)
      expect(counted).toEqual(really)
      expect((await stores[1]!.topics.many([1, 80, 81, 160])).map(topic => topic.categoryId)).toEqual([
        null,
        null,
        null,
        null,
      ])
    })
  })
}

/** Runs `work` several times in each store at once. */
async function together(
  stores: readonly TopicStore[],
  times: number,
  work: (store: TopicStore, name: string) => Promise<void>,
): Promise<void> {
  await Promise.all(stores.flatMap((store, s) => Array.from({ length: times }, (_, i) => work(store, `${i}-${s}`))))
}
