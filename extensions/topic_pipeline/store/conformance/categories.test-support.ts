import { describe, expect, it } from 'vitest'
import type { TestDatabase } from './place.test-support.ts'
import { addAnalyzed, CATEGORY, found, manyFound, NOW, recount } from './samples.test-support.ts'

/** Categories, and what becomes of their topics. */
export function describeCategories(database: TestDatabase): void {
  describe('categories', () => {
    it('keeps every field', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.categories.create({ ...CATEGORY, scanCron: '0 6 * * *', enabled: false }, NOW)
      const category = { ...CATEGORY, scanCron: '0 6 * * *', enabled: false, id, createdAt: NOW }
      expect(await store.categories.get(id)).toEqual(category)
      expect(await store.categories.list()).toEqual([{ ...category, topicCount: 0 }])
      expect(await store.categories.get(id + 1)).toBeUndefined()
    })

    it('changes what a patch names and nothing else', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.categories.create(CATEGORY, NOW)
      expect(await store.categories.update(id, { enabled: false, keywords: [], description: '' })).toBe(true)
      expect(await store.categories.get(id)).toMatchObject({
        ...CATEGORY,
        enabled: false,
        keywords: [],
        description: '',
      })
      expect(await store.categories.update(id, {})).toBe(true)
      expect(await store.categories.update(id + 1, { enabled: false })).toBe(false)
      expect(await store.categories.update(id + 1, {})).toBe(false)
    })

    it('counts topics of every stage', async () => {
      await using place = await database.create()
      const store = await place.open()
      const [one, two] = [await store.categories.create(CATEGORY, NOW), await store.categories.create(CATEGORY, NOW)]
      await addAnalyzed(store, [found(1)], { categoryId: one })
      await store.topics.add([found(2), found(3)], one, NOW)
      await store.topics.add([found(4)], two, NOW)
      await store.topics.add([found(5)], null, NOW)
      expect((await store.categories.list()).map(each => each.topicCount)).toEqual([3, 1])
    })

    it('takes no topic along when it is deleted: they are only unlinked', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.categories.create(CATEGORY, NOW)
      const other = await store.categories.create({ ...CATEGORY, name: 'Other' }, NOW)
      const topics = await addAnalyzed(store, manyFound(3), { categoryId: id })
      await addAnalyzed(store, [found(9, { sourceType: 'stackoverflow' })], { categoryId: other })
      const run = await store.scans.begin(id, 'devto', NOW, NOW + 1)
      expect(await store.categories.delete(id)).toBe(true)
      expect(await store.categories.delete(id)).toBe(false)
      expect((await store.topics.many(topics)).map(topic => topic.categoryId)).toEqual([null, null, null])
      expect((await store.topics.feed({ page: 0, size: 20 })).total).toBe(4)
      expect((await store.topics.feed({ page: 0, size: 20, categoryId: id })).total).toBe(0)
      expect(await store.topics.statistics(0)).toMatchObject({ byCategory: [{ id: other, name: 'Other', count: 1 }] })
      expect(await store.scans.history(1)).toMatchObject([{ id: run, categoryId: null, categoryName: CATEGORY.name }])
      const { counted, really } = await recount(store)
      expect(counted).toEqual(really)
    })

    it('that is gone when its scan ends leaves the found topics without a category', async () => {
      await using place = await database.create()
      const store = await place.open()
      const id = await store.categories.create(CATEGORY, NOW)
      await store.categories.delete(id)
      expect(await store.topics.add([found(1)], id, NOW)).toBe(1)
      expect(await store.topics.get(1)).toMatchObject({ categoryId: null })
      expect(await store.scans.begin(id, 'devto', NOW, NOW + 1)).toBeUndefined()
    })
  })
}
