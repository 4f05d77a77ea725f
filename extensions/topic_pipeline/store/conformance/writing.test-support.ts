import { describe, expect, it } from 'vitest'
import type { GenerationOrder } from '../../model/job.ts'
import type { TestDatabase } from './place.test-support.ts'
import { claimOne, draft, found, NOW, PROFILE, RULES, upload, vector } from './samples.test-support.ts'

/** Uploads, the style made of them, and drafts. */
export function describeWriting(database: TestDatabase): void {
  describe('uploads', () => {
    it('keep every field, newest first', async () => {
      await using place = await database.create()
      const store = await place.open()
      const one = await store.uploads.create(upload({ sourceUrl: 'https://me.dev', contentType: 'transcript' }), NOW)
      const two = await store.uploads.create(upload({ content: 'x'.repeat(1_000_000) }), NOW)
      const blank = { profile: null, analyzedAt: null, embeddingModel: null, createdAt: NOW }
      expect(await store.uploads.get(one)).toEqual({
        ...upload({ sourceUrl: 'https://me.dev', contentType: 'transcript' }),
        ...blank,
        id: one,
      })
      const { uploads, total } = await store.uploads.list(1, 0)
      expect([uploads.map(each => each.id), total]).toEqual([[two], 2])
      expect(uploads[0]!.content).toHaveLength(1_000_000)
      expect((await store.uploads.list(9, 1)).uploads.map(each => each.id)).toEqual([one])
      expect(await store.uploads.delete(one)).toBe(true)
      expect(await store.uploads.delete(one)).toBe(false)
      expect(await store.uploads.get(one)).toBeUndefined()
    })

    it('have a style profile once analysed', async () => {
      await using place = await database.create()
      const store = await place.open()
      for (let i = 0; i < 3; i++) await store.uploads.create(upload(), NOW + i)
      expect(await store.uploads.analyzed(9)).toEqual([])
      await store.uploads.setProfile(1, PROFILE, NOW + 9)
      await store.uploads.setProfile(3, { ...PROFILE, tone: 'warm' }, NOW + 8)
      expect(await store.uploads.analyzed(9)).toMatchObject([
        { id: 3, profile: { tone: 'warm' } },
        { id: 1, profile: PROFILE, analyzedAt: NOW + 9 },
      ])
      expect(await store.uploads.analyzed(1)).toHaveLength(1)
    })

    it('have one composite profile', async () => {
      await using place = await database.create()
      const store = await place.open()
      expect(await store.uploads.composite()).toBeUndefined()
      await store.uploads.setComposite({ profile: PROFILE, madeOf: 'a' }, NOW)
      await store.uploads.setComposite({ profile: { ...PROFILE, tone: 'warm' }, madeOf: 'b' }, NOW)
      expect(await store.uploads.composite()).toEqual({ profile: { ...PROFILE, tone: 'warm' }, madeOf: 'b' })
    })

    it('name the model of their embedding, which goes with them', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.uploads.create(upload(), NOW)
      await store.vectors.set('upload', id, 'm', vector(0), NOW)
      const { available } = store.vectors
      expect((await store.uploads.get(id))?.embeddingModel).toBe(available ? 'm' : null)
      await store.uploads.delete(id)
      expect(await store.vectors.get('upload', id)).toBeUndefined()
      expect(await store.vectors.nearest('upload', 'm', vector(0), 5)).toEqual([])
    })
  })

  describe('drafts', () => {
    it('keep every field, newest first, by topic, group and format', async () => {
      await using place = await database.create()
      const store = await place.open()
      await store.topics.add([found(1)], null, NOW)
      const one = await store.drafts.create(draft({ promptUsed: 'p'.repeat(6000) }), NOW)
      const two = await store.drafts.create(draft({ topicId: null, groupId: 'g', usage: null, cost: null }), NOW + 1)
      const three = await store.drafts.create(draft({ format: 'newsletter', styleMatch: null }), NOW + 1)
      expect(await store.drafts.get(one)).toEqual({
        ...draft({ promptUsed: 'p'.repeat(5000) }),
        id: one,
        feedback: null,
        revision: 0,
        createdAt: NOW,
        topicTitle: 'Topic 1',
      })
      expect(await store.drafts.get(two)).toMatchObject({ topicId: null, groupId: 'g', usage: null, topicTitle: null })
      const ids = async (filter: object) =>
        (await store.drafts.list({ limit: 9, offset: 0, ...filter })).drafts.map(each => each.id)
      expect(await ids({})).toEqual([three, two, one])
      expect(await ids({ topicId: 1 })).toEqual([three, one])
      expect(await ids({ topicId: 1, format: 'newsletter' })).toEqual([three])
      expect(await ids({ groupId: 'g' })).toEqual([two])
      expect(await ids({ groupId: 'h' })).toEqual([])
      const page = await store.drafts.list({ limit: 1, offset: 1 })
      expect([page.drafts.map(each => each.id), page.total]).toEqual([[two], 3])
      await store.drafts.setFeedback(one, 'Shorter')
      expect(await store.drafts.get(one)).toMatchObject({ feedback: 'Shorter' })
    })

    it('count revisions by topic or group and format, also those that were deleted', async () => {
      await using place = await database.create()
      const store = await place.open()
      const first = await store.drafts.create(draft(), NOW)
      const second = await store.drafts.create(draft({ parentId: first }), NOW)
      await store.drafts.create(draft({ format: 'newsletter' }), NOW)
      expect(await store.drafts.delete(second)).toBe(true)
      expect(await store.drafts.delete(second)).toBe(false)
      expect(await store.drafts.get(second)).toBeUndefined()
      const third = await store.drafts.create(draft({ parentId: first }), NOW)
      expect(await store.drafts.get(third)).toMatchObject({ revision: 2, parentId: first })
      expect((await store.drafts.list({ limit: 9, offset: 0 })).total).toBe(3)
    })

    it.each([
      ['a topic', { topicId: 1, groupId: null }],
      ['a group, which has no topic', { topicId: null, groupId: 'g' }],
    ])('count regenerations of %s, made and under way', async (_, target) => {
      await using place = await database.create()
      const store = await place.open()
      const order: GenerationOrder = { ...target, format: 'blog_post', parentId: 1, feedback: 'Shorter' }
      const count = () => store.drafts.regenerations(order)
      const parentId = await store.drafts.create(draft(target), NOW)
      await store.jobs.enqueue('GENERATE', target.topicId, NOW, { order: { ...target, format: 'blog_post' } })
      await store.jobs.enqueue('GENERATE', target.topicId, NOW, { order: { ...order, format: 'newsletter' } })
      expect(await count()).toBe(0)
      await store.drafts.create(draft({ ...target, parentId }), NOW)
      const other = target.topicId === null ? { topicId: null, groupId: 'h' } : { topicId: 2, groupId: null }
      await store.drafts.create(draft({ ...other, parentId }), NOW)
      expect(await count()).toBe(1)
      const id = await store.jobs.enqueue('GENERATE', target.topicId, NOW + 1, { order })
      expect(await count()).toBe(2)
      for (let i = 0; i < 2; i++) await claimOne(store, 'GENERATE', NOW)
      const job = await claimOne(store, 'GENERATE', NOW + 1)
      expect([job.id, await count()]).toEqual([id, 2])
      await store.jobs.finish(job, NOW, async tables => {
        await tables.drafts.create(draft({ ...target, parentId }), NOW)
        expect(await tables.drafts.regenerations(order)).toBe(2)
      })
      expect(await count()).toBe(2)
      await store.jobs.enqueue('GENERATE', target.topicId, NOW + 2, { order })
      const failed = await claimOne(store, 'GENERATE', NOW + 2)
      expect(await count()).toBe(3)
      await store.jobs.fail(failed, { kind: 'permanent', message: 'No' }, NOW, RULES)
      expect(await count()).toBe(2)
    })

    it('are never regenerated more often than allowed, however many ask at once', async () => {
      await using place = await database.create()
      const stores = [await place.open(), await place.open()]
      const order: GenerationOrder = { topicId: null, groupId: 'g', format: 'blog_post', parentId: 1, feedback: 'No' }
      const ask = (i: number) =>
        stores[i % 2]!.transaction(async tables => {
          await tables.exclusive('generation')
          if ((await tables.drafts.regenerations(order)) >= 5) return false
          await tables.jobs.enqueue('GENERATE', null, NOW, { order })
          return true
        })
      const granted = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i)))
      expect(granted.filter(Boolean)).toHaveLength(5)
    })
  })
}
