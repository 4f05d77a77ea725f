import { describe, expect, it } from 'vitest'
import type { ScanOutcome } from '../../model/scan.ts'
import type { TestDatabase } from './place.test-support.ts'
import { CATEGORY, DAY, found, MINUTE, NOW } from './samples.test-support.ts'

const OUTCOME: ScanOutcome = {
  status: 'COMPLETED',
  topicsFound: 7,
  topicsNew: 3,
  errors: 1,
  errorDetails: 'One page was HTML',
  requests: 4,
  notModified: 2,
  quotaRemaining: 290,
}

/** Scans, memory, usage and transactions. */
export function describeRecords(database: TestDatabase): void {
  describe('scans', () => {
    it('run once for a category and source at a time', async () => {
      await using place = await database.create()
      const store = await place.open()
      const [one, two] = [await store.categories.create(CATEGORY, NOW), await store.categories.create(CATEGORY, NOW)]
      const run = await store.scans.begin(one, 'devto', NOW, NOW + MINUTE)
      expect(run).toBeDefined()
      expect(await store.scans.begin(one, 'devto', NOW + 1, NOW + DAY)).toBeUndefined()
      expect(await store.scans.begin(one, 'reddit', NOW + 1, NOW + MINUTE)).toBeDefined()
      expect(await store.scans.begin(two, 'devto', NOW + 2, NOW + MINUTE)).toBeDefined()
      expect(await store.scans.running(NOW + 2)).toBe(3)
      await store.scans.finish(run!, OUTCOME, NOW + 5)
      expect(await store.scans.running(NOW + 5)).toBe(2)
      expect(await store.scans.begin(one, 'devto', NOW + 6, NOW + DAY)).toBeDefined()
      expect(await store.scans.lastRuns(NOW + 6)).toEqual([
        { categoryId: one, source: 'devto', startedAt: NOW + 6 },
        { categoryId: one, source: 'reddit', startedAt: NOW + 1 },
        { categoryId: two, source: 'devto', startedAt: NOW + 2 },
      ])
    })

    it('from the future do not stand in the way once the clock is right', async () => {
      await using place = await database.create()
      const store = await place.open()
      const category = await store.categories.create(CATEGORY, NOW)
      const wrong = NOW + 365 * DAY
      const run = await store.scans.begin(category, 'devto', wrong, wrong + MINUTE)
      await store.scans.finish(run!, OUTCOME, wrong)
      expect(await store.scans.lastRuns(NOW)).toEqual([])
      expect(await store.scans.lastRuns(wrong)).toHaveLength(1)
    })

    it('begin at the same time in two processes only once', async () => {
      await using place = await database.create()
      const stores = [await place.open(), await place.open()]
      const category = await stores[0]!.categories.create(CATEGORY, NOW)
      const begun = await Promise.all(
        Array.from({ length: 10 }, (_, i) => stores[i % 2]!.scans.begin(category, 'devto', NOW, NOW + MINUTE)),
      )
      expect(begun.filter(id => id !== undefined)).toHaveLength(1)
    })

    it('whose process died give way to the next, and say so', async () => {
      await using place = await database.create()
      const store = await place.open()
      const category = await store.categories.create(CATEGORY, NOW)
      const dead = await store.scans.begin(category, 'devto', NOW, NOW + MINUTE)
      const next = await store.scans.begin(category, 'devto', NOW + MINUTE, NOW + DAY)
      await store.scans.finish(next!, OUTCOME, NOW + 2 * MINUTE)
      const run = { categoryId: category, categoryName: CATEGORY.name, source: 'devto' }
      expect(await store.scans.history(9)).toEqual([
        { ...run, ...OUTCOME, id: next, startedAt: NOW + MINUTE, completedAt: NOW + 2 * MINUTE },
        {
          ...run,
          id: dead,
          status: 'FAILED',
          topicsFound: 0,
          topicsNew: 0,
          errors: 1,
          errorDetails: 'Its process died or stood still',
          requests: 0,
          notModified: 0,
          quotaRemaining: null,
          startedAt: NOW,
          completedAt: NOW + MINUTE,
        },
      ])
      expect(await store.scans.history(1)).toHaveLength(1)
    })
  })

  describe('memory', () => {
    it('keeps JSON values by section and key', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.memory.set('etags', 'https://x', { etag: 'W/"1"', seen: [1, null] }, NOW)
      await store.memory.set('quota', 'https://x', 5, NOW)
      expect(await store.memory.get('etags', 'https://x')).toEqual({ etag: 'W/"1"', seen: [1, null] })
      await store.memory.set('etags', 'https://x', null, NOW + 1)
      expect(await store.memory.get('etags', 'https://x')).toBeNull()
      await store.memory.set('etags', 'y', 'young', NOW + 2)
      await store.memory.prune('etags', NOW + 2)
      expect(await store.memory.get('etags', 'https://x')).toBeUndefined()
      expect(await store.memory.get('etags', 'y')).toBe('young')
      await store.memory.delete('etags', 'y')
      expect(await store.memory.get('etags', 'y')).toBeUndefined()
      expect(await store.memory.get('quota', 'https://x')).toBe(5)
    })
  })

  describe('usage', () => {
    it('adds up tokens and costs', async () => {
      await using place = await database.create()
      const store = await place.open()
      const call = {
        task: 'RELEVANCE',
        provider: 'p',
        model: 'm',
        inputTokens: 10,
        outputTokens: 2,
        cost: 0.5,
        at: NOW,
      }
      expect(await store.usage.cost(0)).toBe(0)
      await store.usage.add(call)
      await store.usage.add({ ...call, topicId: 4, at: NOW + 1 })
      await store.usage.add({ ...call, task: 'GENERATION', cost: null, at: NOW + 1 })
      expect(await store.usage.cost(NOW)).toBe(1)
      expect(await store.usage.cost(NOW + 1)).toBe(0.5)
      expect(await store.usage.summary(NOW)).toEqual([
        { model: 'm', task: 'GENERATION', calls: 1, inputTokens: 10, outputTokens: 2, cost: 0 },
        { model: 'm', task: 'RELEVANCE', calls: 2, inputTokens: 20, outputTokens: 4, cost: 1 },
      ])
    })
  })

  describe('a transaction', () => {
    it('writes all or nothing, and nobody sees half of it', async () => {
      await using place = await database.create()
      const store = await place.open()
      const failed = store.transaction(async tables => {
        await tables.topics.add([found(1)], null, NOW)
        expect(await tables.topics.get(1)).toBeDefined()
        expect(await store.topics.get(1)).toBeUndefined()
        throw new Error('No')
      })
      await expect(failed).rejects.toThrow('No')
      expect(await store.topics.byStage()).toContainEqual({ stage: 'scanned', count: 0 })
      expect(await store.transaction(async tables => tables.topics.add([found(1)], null, NOW))).toBe(1)
    })

    it('is not waited for by its own writes: they are refused', async () => {
      await using place = await database.create()
      const store = await place.open()
      let later: Promise<unknown> | undefined
      const work = store.transaction(async tables => {
        await tables.memory.set('a', 'b', 1, NOW)
        // What begins here and writes when it has ended is a different matter.
        later = new Promise(resolve => setImmediate(resolve)).then(async () => {
          await work.catch(() => {})
          await store.memory.set('a', 'c', 1, NOW)
        })
        await store.memory.set('a', 'b', 2, NOW)
      })
      await expect(work).rejects.toThrow('a transaction is under way here')
      await later
      expect(await store.memory.get('a', 'b')).toBeUndefined()
      expect(await store.memory.get('a', 'c')).toBe(1)
    })

    it('is alone in a section that it has entered', async () => {
      await using place = await database.create()
      const stores = [await place.open(), await place.open()]
      await stores[0]!.memory.set('count', 'n', 0, NOW)
      const add = (i: number) =>
        stores[i % 2]!.transaction(async tables => {
          await tables.exclusive('grouping')
          const n = (await tables.memory.get('count', 'n')) as number
          await tables.memory.set('count', 'n', n + 1, NOW)
        })
      await Promise.all(Array.from({ length: 30 }, (_, i) => add(i)))
      expect(await stores[0]!.memory.get('count', 'n')).toBe(30)
    })
  })
}
