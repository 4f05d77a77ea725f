import { describe, expect, it } from 'vitest'
import { StageConflict } from '../tables/topic-stages.ts'
import type { TestDatabase } from './place.test-support.ts'
import {
  addAnalyzed,
  analysis,
  CATEGORY,
  claimOne,
  DAY,
  found,
  manyFound,
  NOW,
  recount,
} from './samples.test-support.ts'

/** Topics from the scan to the analysis. */
export function describeTopics(database: TestDatabase): void {
  describe('topics', () => {
    it('keeps every field, and leaves out what is not known', async () => {
      await using place = await database.create()
      const store = await place.open()
      const category = await store.categories.create(CATEGORY, NOW)
      const full = found(1, {
        canonicalUrl: 'https://ann.dev/1',
        sourceDate: NOW - DAY,
        content: 'Body\0 with NUL and \ud800 alone',
        complete: true,
        tags: ['otel'],
        author: 'Ann',
        authorUrl: 'https://dev.to/ann',
        licence: 'CC BY-SA 4.0',
        engagement: { score: 7, comments: 2, views: 100, accepted: true },
      })
      expect(await store.topics.add([full, found(2)], category, NOW)).toBe(2)
      const { content, ...fields } = full
      const fresh = {
        categoryId: category,
        collectedAt: NOW,
        stage: 'scanned',
        extractionStatus: 'PENDING',
        extractedContent: null,
        language: null,
        qualityScore: null,
        relevanceScore: null,
        summary: null,
        groupId: null,
        rejectionReason: null,
        reasons: null,
      }
      expect(await store.topics.get(1)).toEqual({
        ...fields,
        ...fresh,
        id: 1,
        content: 'Body with NUL and \ufffd alone',
      })
      expect(await store.topics.get(2)).toEqual({ ...found(2), ...fresh, id: 2, complete: false, tags: [] })
      expect(await store.topics.get(3)).toBeUndefined()
      expect((await store.topics.many([2, 7, 1, 2])).map(topic => topic.id)).toEqual([2, 1, 2])
    })

    it('adds what is new with a job each, and with the trace that asked for it', async () => {
      await using place = await database.create()
      const store = await place.open()
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      expect(await store.topics.add([found(1), found(2)], null, NOW, traceparent)).toBe(2)
      expect(await store.topics.add([found(2), found(3)], null, NOW + 1, traceparent)).toBe(1)
      expect(await store.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'PENDING', count: 3 }])
      expect(await claimOne(store)).toMatchObject({ topicId: 1, traceparent, createdAt: NOW })
    })

    it('knows a topic by source and external id, and by canonical URL', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1, { canonicalUrl: 'https://ann.dev/a' })], null, NOW)
      const again = [
        found(1, { url: 'https://dev.to/renamed' }),
        found(2, { sourceType: 'hashnode', url: 'https://ann.dev/a' }),
        found(3, { sourceType: 'medium', canonicalUrl: 'https://ann.dev/a' }),
        found(4, { sourceType: 'medium' }),
        found(4, { sourceType: 'medium' }),
        found(5, { sourceType: 'medium', externalId: 'e1', url: 'https://medium.com/5' }),
      ]
      expect(await store.topics.add(again, null, NOW)).toBe(2)
      expect((await store.topics.feed({ page: 0, size: 9, stage: 'scanned' })).topics.map(topic => topic.url)).toEqual([
        'https://medium.com/5',
        'https://dev.to/4',
        'https://dev.to/1',
      ])
    })

    it('takes thousands at once, and ids and URLs of any length', async () => {
      await using place = await database.create()
      const store = await place.open()
      const long = 'x'.repeat(100_000)
      expect(await store.topics.add([found(0, { externalId: long, url: `https://a/${long}` })], null, NOW)).toBe(1)
      expect(await store.topics.add(manyFound(2500), null, NOW)).toBe(2500)
      expect(await store.topics.add(manyFound(2501), null, NOW)).toBe(1)
      expect(await store.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'PENDING', count: 2502 }])
    })

    it('goes from scanned to extracted to analyzed', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1, { content: 'teaser', tags: ['source-tag'] })], null, NOW)
      await store.topics.extracted(1, { text: '# All of it', status: 'PARTIAL' })
      expect(await store.topics.get(1)).toMatchObject({
        stage: 'extracted',
        extractedContent: '# All of it',
        extractionStatus: 'PARTIAL',
        content: 'teaser',
        tags: ['source-tag'],
      })
      const { bands, ...fields } = analysis({ bands: [1, 2, 2] })
      await store.topics.analyzed(1, { ...fields, bands })
      expect(await store.topics.get(1)).toMatchObject({ ...fields, stage: 'analyzed', rejectionReason: null })
    })

    it('keeps what is known of a topic that is rejected, and can be analysed anew', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add(manyFound(2), null, NOW)
      await store.topics.extracted(1, { text: 'x', status: 'COMPLETED' })
      await store.topics.rejected(1, 'quality: 0.2 < 0.5', { qualityScore: 0.2 })
      expect(await store.topics.get(1)).toMatchObject({
        stage: 'rejected',
        rejectionReason: 'quality: 0.2 < 0.5',
        qualityScore: 0.2,
        summary: null,
        extractedContent: 'x',
      })
      expect(await store.topics.reanalyze(1, NOW)).toBe(true)
      expect(await store.topics.get(1)).toMatchObject({ stage: 'extracted', rejectionReason: null })
      expect(await store.topics.reanalyze(1, NOW)).toBe(true)
      expect(await store.jobs.counts()).toContainEqual({ stage: 'ANALYZE', status: 'PENDING', count: 1 })
      expect(await store.topics.reanalyze(2, NOW)).toBe(false)
      expect(await store.topics.reanalyze(3, NOW)).toBe(false)
    })

    it('refuses any other change of stage', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add(manyFound(3), null, NOW)
      await store.topics.rejected(2, 'gone', {})
      await addAnalyzed(store, [found(4)])
      const refused = [
        store.topics.analyzed(1, analysis()),
        store.topics.analyzed(2, analysis()),
        store.topics.analyzed(4, analysis()),
        store.topics.rejected(2, 'again', {}),
        store.topics.rejected(4, 'late', {}),
        store.topics.extracted(9, { text: null, status: 'FAILED' }),
      ]
      const reasons = (await Promise.allSettled(refused)).map(each => (each as PromiseRejectedResult).reason)
      expect(reasons.every(each => each instanceof StageConflict)).toBe(true)
      expect(reasons.map(each => each.message)).toEqual([
        'Topic 1 cannot become analyzed: it is scanned',
        'Topic 2 cannot become analyzed: it is rejected',
        'Topic 4 cannot become analyzed: it is analyzed',
        'Topic 2 cannot become rejected: it is rejected',
        'Topic 4 cannot become rejected: it is analyzed',
        'Topic 9 cannot become extracted: there is none of that id',
      ])
    })

    it('tells stages and statistics from counters that agree with counting', async () => {
      await using place = await database.create()
      const store = await place.open()
      const category = await store.categories.create(CATEGORY, NOW)
      await addAnalyzed(store, [found(1), found(2)], { categoryId: category, now: NOW - 9 * DAY })
      await addAnalyzed(store, [found(3, { sourceType: 'stackoverflow' })], { categoryId: category })
      await addAnalyzed(store, [found(4)])
      await store.topics.add([found(5), found(6)], category, NOW)
      const { topics } = await store.topics.feed({ page: 0, size: 1, stage: 'scanned' })
      await store.topics.rejected(topics[0]!.id, 'gone', {})
      expect(await store.topics.byStage()).toEqual([
        { stage: 'analyzed', count: 4 },
        { stage: 'extracted', count: 0 },
        { stage: 'rejected', count: 1 },
        { stage: 'scanned', count: 1 },
      ])
      expect(await store.topics.statistics(NOW - 7 * DAY)).toEqual({
        total: 4,
        week: 2,
        byCategory: [{ id: category, name: CATEGORY.name, count: 3 }],
        bySource: [
          { name: 'devto', count: 3 },
          { name: 'stackoverflow', count: 1 },
        ],
      })
      const { counted, really } = await recount(store)
      expect(counted).toEqual(really)
    })

    it('finds topics that share a fingerprint band and are not rejected', async () => {
      await using place = await database.create()
      const store = await place.open()
      await addAnalyzed(store, [found(1)], { bands: [1, 2, -2147483648] })
      await addAnalyzed(store, [found(2)], { bands: [2, 4294967295] })
      await store.topics.add([found(3)], null, NOW)
      await store.topics.rejected(3, 'duplicate of #1', { bands: [1] })
      expect(await store.topics.sharingBands(9, [2, 1], 10)).toEqual([1, 2])
      expect(await store.topics.sharingBands(9, [2, 1], 1)).toEqual([1])
      expect(await store.topics.sharingBands(1, [1], 10)).toEqual([])
      expect(await store.topics.sharingBands(9, [4294967295, 7], 10)).toEqual([2])
      expect(await store.topics.sharingBands(9, [-2147483648], 10)).toEqual([1])
      expect(await store.topics.sharingBands(9, [], 10)).toEqual([])
    })

    it('tells the engagement at a source, newest first', async () => {
      await using place = await database.create()
      const store = await place.open()
      for (let n = 1; n <= 4; n++) {
        await store.topics.add([found(n, { engagement: n === 2 ? { views: 5 } : { score: n * 10 } })], null, NOW + n)
      }
      await store.topics.add([found(9, { sourceType: 'reddit', engagement: { score: 99 } })], null, NOW)
      expect(await store.topics.engagements('devto', NOW, 10)).toEqual([40, 30, 10])
      expect(await store.topics.engagements('devto', NOW + 2, 1)).toEqual([40])
    })
  })
}
