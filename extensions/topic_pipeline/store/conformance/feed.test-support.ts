import { describe, expect, it } from 'vitest'
import type { FeedQuery, TopicStore } from '../store.ts'
import type { TestDatabase } from './place.test-support.ts'
import { addAnalyzed, CATEGORY, DAY, found, manyFound, NOW } from './samples.test-support.ts'

/** Pages, order and filters of the feed. */
export function describeFeed(database: TestDatabase): void {
  describe('the feed', () => {
    it('has the newest first, then the highest id, in pages that neither skip nor repeat', async () => {
      await using place = await database.create()
      const store = await place.open()
      const first = await addAnalyzed(store, manyFound(3), { now: NOW })
      const newest = await addAnalyzed(store, manyFound(6), { now: NOW + 1 })
      const oldest = await addAnalyzed(store, manyFound(7), { now: NOW - 1 })
      const ids = []
      for (let page = 0; page < 5; page++) {
        const { topics, total } = await store.topics.feed({ page, size: 2 })
        expect(total).toBe(7)
        ids.push(...topics.map(topic => topic.id))
      }
      expect(ids).toEqual([...newest.toReversed(), ...first.toReversed(), ...oldest])
    })

    it('shows analysed topics without their texts, or those of another stage', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1, { content: 'long' }), found(2)], null, NOW)
      await store.topics.extracted(1, { text: 'longer', status: 'COMPLETED' })
      await store.topics.rejected(2, 'gone', {})
      expect(await store.topics.feed({ page: 0, size: 9 })).toEqual({ topics: [], total: 0 })
      const { topics } = await store.topics.feed({ page: 0, size: 9, stage: 'extracted' })
      expect(topics).toMatchObject([{ id: 1, extractedContent: null }])
      expect(topics[0]).not.toHaveProperty('content')
      expect((await store.topics.feed({ page: 0, size: 9, stage: 'rejected' })).topics.map(each => each.id)).toEqual([
        2,
      ])
    })

    it('filters by category, source, time, quality and text, alone and together', async () => {
      await using place = await database.create()
      const store = await place.open()
      const category = await store.categories.create(CATEGORY, NOW)
      await addAnalyzed(store, [found(1, { title: '100% Ünïcode_Tail' })], { qualityScore: 0.9, now: NOW - DAY })
      await addAnalyzed(store, [found(2, { sourceType: 'stackoverflow' })], { categoryId: category, qualityScore: 0.5 })
      await addAnalyzed(store, [found(3)], { categoryId: category, qualityScore: 0.6, summary: 'On TAIL sampling' })
      const total = 3
      const cases: [Partial<FeedQuery>, number[]][] = [
        [{}, [3, 2, 1]],
        [{ categoryId: category }, [3, 2]],
        [{ categoryId: 99 }, []],
        [{ sourceType: 'devto' }, [3, 1]],
        [{ sourceType: 'Dev.to' }, []],
        [{ from: NOW }, [3, 2]],
        [{ from: NOW - DAY, before: NOW }, [1]],
        [{ before: NOW - DAY }, []],
        [{ minQuality: 0.6 }, [3, 1]],
        [{ minQuality: 0 }, [3, 2, 1]],
        [{ text: 'tail' }, [3, 1]],
        [{ text: 'ÜNÏ' }, [1]],
        [{ text: '0%' }, [1]],
        [{ text: '%' }, [1]],
        [{ text: '_' }, [1]],
        [{ text: '' }, [3, 2, 1]],
        [{ categoryId: category, sourceType: 'devto', from: NOW, minQuality: 0.55, text: 'tail' }, [3]],
      ]
      for (const [filter, ids] of cases) expect([filter, await idsOf(store, filter)]).toEqual([filter, ids])
      expect((await store.topics.feed({ page: 0, size: 9 })).total).toBe(total)
    })
  })
}

async function idsOf(store: TopicStore, filter: Partial<FeedQuery>): Promise<number[]> {
  const { topics, total } = await store.topics.feed({ page: 0, size: 20, ...filter })
  expect(total).toBe(topics.length)
  return topics.map(topic => topic.id)
}
