import { describe, expect, it } from 'vitest'
import type { TestDatabase } from './place.test-support.ts'
import { addAnalyzed, found, manyFound, NOW, upload, vector } from './samples.test-support.ts'

/** Vectors and groups. On a database that cannot keep vectors: that everything else goes on. */
export function describeVectors(database: TestDatabase): void {
  describe('vectors', () => {
    it('are found nearest first, of one model and dimension', async () => {
      await using place = await database.create()
      const store = await place.open()
      for (let i = 0; i < 6; i++) {
        await store.uploads.create(upload(), NOW)
        await store.vectors.set('upload', i + 1, i === 5 ? 'other' : 'm', vector(i / 10, i === 4 ? 9 : 8), NOW + i)
      }
      const near = await store.vectors.nearest('upload', 'm', vector(0.19), 3)
      if (!store.vectors.available) return expect(near).toEqual([])
      expect(near.map(each => each.id)).toEqual([3, 2, 4])
      expect(near[0]!.similarity).toBeCloseTo(Math.cos(0.01), 5)
      expect((await store.vectors.nearest('upload', 'm', vector(0.19), 9)).map(each => each.id)).toEqual([3, 2, 4, 1])
      expect((await store.vectors.nearest('upload', 'm', vector(0), 9, NOW + 2)).map(each => each.id)).toEqual([3, 4])
      expect((await store.vectors.nearest('upload', 'other', vector(0), 9)).map(each => each.id)).toEqual([6])
      expect((await store.vectors.nearest('upload', 'm', vector(0, 9), 9)).map(each => each.id)).toEqual([5])
      expect(await store.vectors.nearest('topic', 'm', vector(0), 9)).toEqual([])
      expect(await store.vectors.nearest('upload', 'm', vector(0), 0)).toEqual([])
      return undefined
    })

    it('are replaced, read back as they were, and known by what lacks one', async () => {
      await using place = await database.create()
      const store = await place.open()
      for (let i = 0; i < 3; i++) await store.uploads.create(upload(), NOW)
      const { available } = store.vectors
      await store.vectors.set('upload', 2, 'a', vector(0), NOW)
      expect((await store.vectors.nearest('upload', 'a', vector(0), 9)).length).toBe(available ? 1 : 0)
      const exact = vector(1.234, 1536)
      await store.vectors.set('upload', 2, 'b', exact, NOW)
      expect(await store.vectors.get('upload', 2)).toEqual(available ? { model: 'b', vector: exact } : undefined)
      expect(await store.vectors.get('topic', 2)).toBeUndefined()
      expect(await store.vectors.nearest('upload', 'a', vector(0), 9)).toEqual([])
      expect(await store.vectors.missing('upload', 'b', 9)).toEqual(available ? [1, 3] : [])
      expect(await store.vectors.missing('upload', 'a', 2)).toEqual(available ? [1, 2] : [])
    })

    it('of topics are found while those are analysed', async () => {
      await using place = await database.create()
      const store = await place.open()
      const ids = await addAnalyzed(store, manyFound(40))
      for (const id of ids) await store.vectors.set('topic', id, 'm', vector(id / 100), NOW)
      for (const id of ids.slice(0, 37)) await store.topics.reanalyze(id, NOW)
      const near = await store.vectors.nearest('topic', 'm', vector(0), 5)
      expect(near.map(each => each.id)).toEqual(store.vectors.available ? [38, 39, 40] : [])
    })

    it('that a transaction has set are found by it at once, and by others after the commit', async () => {
      await using place = await database.create()
      const store = await place.open()
      const [one, two] = (await addAnalyzed(store, manyFound(2))) as [number, number]
      await store.vectors.set('topic', one, 'm', vector(0.1), NOW)
      const ids = store.vectors.available ? [two, one] : []
      const near = async (tables: Pick<typeof store, 'vectors'>) =>
        (await tables.vectors.nearest('topic', 'm', vector(0), 9)).map(each => each.id)
      await store.transaction(async tables => {
        await tables.vectors.set('topic', two, 'm', vector(0), NOW)
        expect(await near(tables)).toEqual(ids)
        expect(await near(store)).toEqual(ids.slice(1))
        await tables.vectors.set('topic', one, 'other', vector(0), NOW)
        expect(await near(tables)).toEqual(ids.slice(0, 1))
      })
      expect(await near(store)).toEqual(ids.slice(0, 1))
    })
  })

  describe('groups', () => {
    it('grow around the mean of their members', async () => {
      await using place = await database.create()
      const store = await place.open()
      const ids = (await addAnalyzed(store, manyFound(4))) as [number, number, number, number]
      const group = await store.groups.create('m', vector(0), ids.slice(0, 2), NOW)
      expect(group).toMatch(/^[0-9a-f-]{36}$/)
      expect(await store.groups.get(group)).toEqual({ id: group, size: 2 })
      await store.groups.join(group, ids[2], vector(0.3), NOW + 5)
      await store.groups.join(group, ids[2], vector(0.3), NOW + 6)
      expect(await store.groups.get(group)).toEqual({ id: group, size: 3 })
      expect(await store.groups.get('none')).toBeUndefined()
      expect((await store.topics.get(ids[2]))?.groupId).toBe(group)
      const other = await store.groups.create('m', vector(1), [ids[3]], NOW)
      const near = await store.groups.nearest('m', vector(0.1), 0, 9)
      if (!store.vectors.available) return expect(near).toEqual([])
      expect(near.map(each => each.id)).toEqual([group, other])
      // The mean of twice 0 and once 0.3 points to about 0.1.
      expect(near[0]!.similarity).toBeGreaterThan(Math.cos(0.002))
      expect((await store.groups.nearest('m', vector(0), NOW + 1, 9)).map(each => each.id)).toEqual([group])
      expect(await store.groups.nearest('other', vector(0), 0, 9)).toEqual([])
      return undefined
    })

    it('list analysed topics, best first', async () => {
      await using place = await database.create()
      const store = await place.open()
      const ids: number[] = []
      for (const [n, qualityScore] of [0.5, 0.9, 0.9, 0.7].entries()) {
        ids.push(...(await addAnalyzed(store, [found(n)], { qualityScore })))
      }
      const group = await store.groups.create('m', vector(0), ids, NOW)
      await store.topics.reanalyze(ids[3]!, NOW)
      expect((await store.topics.ofGroup(group, 9)).map(topic => topic.id)).toEqual([ids[1], ids[2], ids[0]])
      expect(await store.topics.ofGroup(group, 1)).toHaveLength(1)
    })

    it('that two found at the same time are one, inside the section for it', async () => {
      await using place = await database.create()
      const stores = [await place.open(), await place.open()]
      if (!stores[0]!.vectors.available) return
      const ids = await addAnalyzed(stores[0]!, manyFound(8))
      const group = (id: number) =>
        stores[id % 2]!.transaction(async tables => {
          await tables.exclusive('grouping')
          const [near] = await tables.groups.nearest('m', vector(0), 0, 1)
          if (near === undefined) await tables.groups.create('m', vector(0), [id], NOW)
          else await tables.groups.join(near.id, id, vector(0), NOW)
        })
      await Promise.all(ids.map(group))
      const groups = new Set((await stores[0]!.topics.many(ids)).map(topic => topic.groupId))
      expect(groups.size).toBe(1)
    })
  })
}
