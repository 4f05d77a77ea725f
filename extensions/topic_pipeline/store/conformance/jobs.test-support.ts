import { describe, expect, it } from 'vitest'
import type { ClaimedJob } from '../../model/job.ts'
import type { TopicStore } from '../store.ts'
import type { TestDatabase } from './place.test-support.ts'
import { analysis, claimOne, DAY, found, MINUTE, manyFound, NOW, RULES } from './samples.test-support.ts'

/** Jobs: who holds them, how they end, and when they come back. */
export function describeJobs(database: TestDatabase): void {
  describe('jobs', () => {
    it('are claimed when due, oldest first, by stage and up to a limit', async () => {
      await using place = await database.create()
      const store = await place.open()
      const late = await store.jobs.enqueue('EXTRACT', 1, NOW, { runAt: NOW + 10 })
      const second = await store.jobs.enqueue('ANALYZE', 2, NOW + 5)
      const first = await store.jobs.enqueue('EXTRACT', 3, NOW)
      const third = await store.jobs.enqueue('EXTRACT', 4, NOW + 5)
      const claim = async (stages: ClaimedJob['stage'][], now: number, limit: number) =>
        (await store.jobs.claim({ stages, owner: 'a', now, leaseUntil: now + MINUTE, limit })).map(job => job.id)
      expect(await claim(['EXTRACT', 'ANALYZE'], NOW - 1, 9)).toEqual([])
      expect(await claim(['GENERATE'], NOW + 10, 9)).toEqual([])
      expect(await claim([], NOW + 10, 9)).toEqual([])
      expect(await claim(['EXTRACT', 'ANALYZE'], NOW + 5, 2)).toEqual([first, second])
      expect(await claim(['EXTRACT', 'ANALYZE'], NOW + 10, 9)).toEqual([third, late])
      expect(await claim(['EXTRACT', 'ANALYZE'], NOW + DAY, 9)).toEqual([])
    })

    it('say who holds them and since which claim', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.jobs.enqueue('EXTRACT', 1, NOW, { traceparent: 't' })
      const pending = {
        id,
        stage: 'EXTRACT',
        status: 'PENDING',
        topicId: 1,
        order: null,
        attempts: 0,
        stalls: 0,
        runAt: NOW,
        leaseUntil: null,
        fence: 0,
        owner: null,
        errorMessage: null,
        traceparent: 't',
        createdAt: NOW,
        completedAt: null,
      }
      expect(await store.jobs.get(id)).toEqual(pending)
      const job = await claimOne(store)
      expect(job).toEqual({ ...pending, status: 'PROCESSING', owner: 'a', leaseUntil: NOW + MINUTE, fence: 1 })
      expect(await store.jobs.get(id)).toEqual(job)
      expect(await store.jobs.get(id + 1)).toBeUndefined()
    })

    it('are at most one open of a stage and topic, GENERATE apart', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.jobs.enqueue('ANALYZE', 1, NOW)
      expect(await store.jobs.enqueue('ANALYZE', 1, NOW)).toBe(id)
      const job = await claimOne(store, 'ANALYZE')
      expect(await store.jobs.enqueue('ANALYZE', 1, NOW)).toBe(id)
      await store.jobs.finish(job, NOW, async () => {})
      expect(await store.jobs.enqueue('ANALYZE', 1, NOW)).not.toBe(id)
      const order = { topicId: 1, groupId: null, format: 'newsletter' } as const
      const drafts = [await store.jobs.enqueue('GENERATE', 1, NOW, { order })]
      drafts.push(
        await store.jobs.enqueue('GENERATE', 1, NOW, { order: { ...order, parentId: 4, feedback: 'Shorter' } }),
      )
      expect(new Set(drafts).size).toBe(2)
      expect((await store.jobs.get(drafts[1]!))?.order).toEqual({ ...order, parentId: 4, feedback: 'Shorter' })
    })

    it('end together with what they did', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1)], null, NOW)
      const job = await claimOne(store)
      const ended = await store.jobs.finish(job, NOW + 1, async tables => {
        await tables.topics.extracted(1, { text: 'x', status: 'COMPLETED' })
        await tables.jobs.enqueue('ANALYZE', 1, NOW + 1)
        expect(await tables.topics.byStage()).toContainEqual({ stage: 'extracted', count: 1 })
        expect(await tables.jobs.counts()).toContainEqual({ stage: 'EXTRACT', status: 'COMPLETED', count: 1 })
      })
      expect(ended).toBe(true)
      expect(await store.jobs.get(job.id)).toMatchObject({ status: 'COMPLETED', completedAt: NOW + 1, owner: null })
      expect(await store.jobs.counts()).toEqual([
        { stage: 'ANALYZE', status: 'PENDING', count: 1 },
        { stage: 'EXTRACT', status: 'COMPLETED', count: 1 },
      ])
    })

    it('do nothing at all when a part of it fails', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1)], null, NOW)
      const job = await claimOne(store)
      const finish = store.jobs.finish(job, NOW, async tables => {
        await tables.topics.extracted(1, { text: 'x', status: 'COMPLETED' })
        await tables.jobs.enqueue('ANALYZE', 1, NOW)
        throw new Error('No')
      })
      await expect(finish).rejects.toThrow('No')
      expect(await store.topics.get(1)).toMatchObject({ stage: 'scanned' })
      expect(await store.jobs.get(job.id)).toEqual(job)
      expect(await store.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'PROCESSING', count: 1 }])
    })

    it('that somebody else has taken over write nothing', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1)], null, NOW)
      const old = await claimOne(store)
      expect(await store.jobs.recover(NOW + MINUTE, RULES)).toBe(1)
      const taken = await claimOne(store, 'EXTRACT', NOW + MINUTE)
      expect(taken).toMatchObject({ id: old.id, fence: 2, stalls: 1, attempts: 0 })
      await expectLost(store, old)
      expect(await store.jobs.get(old.id)).toEqual(taken)
      expect(await store.jobs.finish(taken, NOW, async () => {})).toBe(true)
      await expectLost(store, taken)
    })

    it('are held on to by renewal, longer than the first lease', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add(manyFound(2), null, NOW)
      const [kept, lost] = [await claimOne(store), await claimOne(store)]
      await store.jobs.finish(lost, NOW, async () => {})
      expect(await store.jobs.renew([kept, lost], NOW + 2 * MINUTE)).toEqual([lost.id])
      expect(await store.jobs.recover(NOW + MINUTE, RULES)).toBe(0)
      expect(await store.jobs.recover(NOW + 2 * MINUTE, RULES)).toBe(1)
      expect(await store.jobs.renew([kept], NOW + 9 * MINUTE)).toEqual([kept.id])
    })

    it('come back after a growing pause, and fail after the last attempt', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.jobs.enqueue('EXTRACT', 1, NOW)
      let now = NOW
      const fail = async (random: number) => {
        const job = await claimOne(store, 'EXTRACT', now)
        return await store.jobs.fail(job, { kind: 'retry', message: 'Down' }, now, { ...RULES, random: () => random })
      }
      expect(await fail(0)).toBe('PENDING')
      expect(await store.jobs.get(id)).toMatchObject({
        attempts: 1,
        runAt: now + 500,
        errorMessage: 'Down',
        owner: null,
      })
      now += 500
      expect(await fail(1)).toBe('PENDING')
      expect(await store.jobs.get(id)).toMatchObject({ attempts: 2, runAt: now + 2000 })
      now += 2000
      expect(await fail(1)).toBe('FAILED')
      expect(await store.jobs.get(id)).toMatchObject({ status: 'FAILED', attempts: 3, completedAt: now })
      expect(await store.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'FAILED', count: 1 }])
    })

    it('wait as long as the other side asks, and never longer than the longest pause of their own', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.jobs.enqueue('EXTRACT', 1, NOW)
      const rules = { ...RULES, maxAttempts: 99, maxDelay: 3000 }
      const job = await claimOne(store)
      await store.jobs.fail(job, { kind: 'retry', message: '429', notBefore: NOW + DAY }, NOW, rules)
      expect(await store.jobs.get(id)).toMatchObject({ runAt: NOW + DAY, attempts: 1 })
      for (const [i, delay] of [2000, 3000, 3000].entries()) {
        const now = NOW + (i + 1) * DAY
        const again = await claimOne(store, 'EXTRACT', now)
        await store.jobs.fail(again, { kind: 'retry', message: '503', notBefore: now + 1 }, now, rules)
        expect(await store.jobs.get(id)).toMatchObject({ runAt: now + delay })
      }
    })

    it('are not blamed for a pause of their source', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.jobs.enqueue('EXTRACT', 1, NOW)
      for (let i = 1; i <= 5; i++) {
        const job = await claimOne(store, 'EXTRACT', NOW + i * DAY)
        const setback = { kind: 'paused', message: 'Quota', notBefore: NOW + (i + 1) * DAY } as const
        expect(await store.jobs.fail(job, setback, NOW + i * DAY, RULES)).toBe('PENDING')
      }
      expect(await store.jobs.get(id)).toMatchObject({ attempts: 0, runAt: NOW + 6 * DAY, errorMessage: 'Quota' })
    })

    it('fail at once when nothing can help', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1)], null, NOW)
      const message = 'x'.repeat(10_000)
      const job = await claimOne(store)
      expect(await store.jobs.fail(job, { kind: 'permanent', message }, NOW, RULES)).toBe('FAILED')
      const failures = await store.jobs.failures(5)
      expect(failures).toMatchObject([{ id: job.id, topicTitle: 'Topic 1', topicUrl: 'https://dev.to/1', attempts: 1 }])
      expect(failures[0]!.errorMessage).toBe('x'.repeat(2000))
    })

    it('that kill their process time and again fail', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.jobs.enqueue('EXTRACT', 1, NOW)
      for (let stalls = 1; stalls <= RULES.maxStalls; stalls++) {
        await claimOne(store, 'EXTRACT', NOW + stalls * DAY)
        expect(await store.jobs.recover(NOW + stalls * DAY + 1, RULES, 'a')).toBe(1)
        expect(await store.jobs.get(id)).toMatchObject({ status: 'PENDING', stalls, attempts: 0 })
      }
      await claimOne(store, 'EXTRACT', NOW + 9 * DAY)
      await store.jobs.recover(NOW + 10 * DAY, RULES)
      expect(await store.jobs.get(id)).toMatchObject({
        status: 'FAILED',
        errorMessage: 'Stalled 3 times: its process died or stood still each time',
      })
    })

    it('of one owner are taken back at once, those of others when their lease has ended', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add(manyFound(2), null, NOW)
      const [mine] = [await claimOne(store)]
      const claim = { stages: ['EXTRACT'], owner: 'b', now: NOW, leaseUntil: NOW + MINUTE, limit: 1 } as const
      const [other] = await store.jobs.claim(claim)
      expect(await store.jobs.recover(NOW + 1, RULES, 'a')).toBe(1)
      expect(await store.jobs.get(mine.id)).toMatchObject({ status: 'PENDING', runAt: NOW + 1 })
      expect(await store.jobs.get(other!.id)).toMatchObject({ status: 'PROCESSING', owner: 'b' })
    })

    it('are given back as if they had never been claimed', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.jobs.enqueue('EXTRACT', 1, NOW)
      const job = await claimOne(store)
      await store.jobs.release([job], NOW + 5)
      expect(await store.jobs.get(id)).toMatchObject({
        status: 'PENDING',
        attempts: 0,
        stalls: 0,
        runAt: NOW,
        owner: null,
      })
      await expectLost(store, job)
      const again = await claimOne(store)
      await store.jobs.release([job], NOW + 5)
      expect(await store.jobs.get(id)).toEqual(again)
    })

    it('tell when to look again', async () => {
      await using place = await database.create()
      const store = await place.open()
      expect(await store.jobs.nextDue(['EXTRACT', 'ANALYZE'])).toBeUndefined()
      await store.jobs.enqueue('EXTRACT', 1, NOW)
      await store.jobs.enqueue('ANALYZE', 1, NOW, { runAt: NOW + DAY })
      expect(await store.jobs.nextDue(['EXTRACT', 'ANALYZE'])).toBe(NOW)
      expect(await store.jobs.nextDue(['GENERATE'])).toBeUndefined()
      expect(await store.jobs.nextDue([])).toBeUndefined()
      await claimOne(store)
      expect(await store.jobs.nextDue(['EXTRACT', 'ANALYZE'])).toBe(NOW + MINUTE)
      expect(await store.jobs.nextDue(['ANALYZE'])).toBe(NOW + DAY)
    })

    it('that failed are listed newest first and can be tried again', async () => {
      await using place = await database.create()
      const store = await place.open()
      const ids = []
      for (let i = 1; i <= 3; i++) {
        ids.push(await store.jobs.enqueue('ANALYZE', i, NOW))
        const job = await claimOne(store, 'ANALYZE')
        await store.jobs.fail(job, { kind: 'permanent', message: `No ${i}` }, NOW + i, RULES)
      }
      expect((await store.jobs.failures(2)).map(job => [job.id, job.errorMessage, job.topicTitle])).toEqual([
        [ids[2], 'No 3', null],
        [ids[1], 'No 2', null],
      ])
      expect(await store.jobs.retry(ids[0]!, NOW + DAY)).toBe(true)
      expect(await store.jobs.retry(ids[0]!, NOW + DAY)).toBe(false)
      expect(await store.jobs.retry(99, NOW + DAY)).toBe(false)
      expect(await store.jobs.get(ids[0]!)).toMatchObject({
        status: 'PENDING',
        attempts: 0,
        stalls: 0,
        completedAt: null,
      })
      // Topic 2 has been given another ANALYZE job meanwhile: two at once would do the same.
      await store.jobs.enqueue('ANALYZE', 2, NOW)
      expect(await store.jobs.retry(ids[1]!, NOW)).toBe(false)
      expect(await store.jobs.counts()).toEqual([
        { stage: 'ANALYZE', status: 'FAILED', count: 2 },
        { stage: 'ANALYZE', status: 'PENDING', count: 2 },
      ])
    })

    it('that ended long ago are forgotten', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add(manyFound(5), null, NOW)
      for (let i = 0; i < 2; i++) await store.jobs.finish(await claimOne(store), NOW + i, async () => {})
      for (let i = 0; i < 2; i++) {
        await store.jobs.fail(await claimOne(store), { kind: 'permanent', message: 'No' }, NOW + i, RULES)
      }
      expect(await store.jobs.prune(NOW + 1, NOW)).toBe(1)
      expect(await store.jobs.prune(NOW, NOW + 2)).toBe(2)
      expect(await store.jobs.counts()).toEqual([
        { stage: 'EXTRACT', status: 'COMPLETED', count: 1 },
        { stage: 'EXTRACT', status: 'PENDING', count: 1 },
      ])
    })

    it('wake whoever listens, after the commit and not before', async () => {
      await using place = await database.create()
      const store = await place.open()
      let calls = 0
      const end = store.onJobs(() => calls++)
      await store.transaction(async tables => {
        await tables.jobs.enqueue('EXTRACT', 1, NOW)
        expect(calls).toBe(0)
      })
      expect(calls).toBe(1)
      const job = await claimOne(store)
      await store.memory.set('a', 'b', 1, NOW)
      expect(calls).toBe(1)
      await store.jobs.release([job], NOW)
      expect(calls).toBe(2)
      end()
      await store.jobs.enqueue('EXTRACT', 2, NOW)
      expect(calls).toBe(2)
    })

    it('of topics and analyses that a crash repeats end once', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1)], null, NOW)
      await store.jobs.finish(await claimOne(store), NOW, async tables => {
        await tables.topics.extracted(1, { text: 'x', status: 'COMPLETED' })
        await tables.jobs.enqueue('ANALYZE', 1, NOW)
      })
      const first = await claimOne(store, 'ANALYZE')
      await store.jobs.recover(NOW, RULES, 'a')
      const second = await claimOne(store, 'ANALYZE')
      const effects = async (tables: Pick<TopicStore, 'topics'>) => tables.topics.analyzed(1, analysis())
      expect(await store.jobs.finish(second, NOW, effects)).toBe(true)
      expect(await store.jobs.finish(first, NOW, effects)).toBe(false)
      expect((await store.topics.feed({ page: 0, size: 9 })).total).toBe(1)
    })
  })
}

async function expectLost(store: TopicStore, job: ClaimedJob): Promise<void> {
  let ran = false
  const finished = await store.jobs.finish(job, NOW, async () => {
    ran = true
  })
  expect([finished, ran]).toEqual([false, false])
  expect(await store.jobs.fail(job, { kind: 'permanent', message: 'late' }, NOW, RULES)).toBeUndefined()
  expect(await store.jobs.renew([job], NOW + DAY)).toEqual([job.id])
}
