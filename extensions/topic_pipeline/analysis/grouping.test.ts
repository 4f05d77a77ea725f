import { describe, expect, it } from 'vitest'
import { SQLITE } from '../store/conformance/place.test-support.ts'
import { relatedTopics } from './related-topics.ts'
import { analysisRig, DATABASES } from './rig.test-support.ts'
import { stories } from './stories.test-support.ts'

const all = (on = SQLITE) => ({ on, options: { qualityThreshold: 0, relevanceThreshold: 0 } })
const added = (story: { readonly title: string; readonly text: string }) => ({ title: story.title, text: story.text })

describe('groups', () => {
  it('begin with the second topic of a story and keep their id', async () => {
    await using rig = await analysisRig(all())
    const first = await rig.analyze(await rig.add(added(stories[0]!.original)))
    expect(first.groupId).toBeNull()
    const second = await rig.analyze(await rig.add(added(stories[0]!.retelling)))
    expect(second.groupId).toMatch(/^[0-9a-f-]{36}$/)
    expect((await rig.store.topics.get(first.id))!.groupId).toBe(second.groupId)
    expect(await rig.store.groups.get(second.groupId!)).toMatchObject({ size: 2 })
    const third = await rig.analyze(
      await rig.add({
        title: 'Sampling traces',
        text: `${stories[0]!.retelling.text.split('. ').slice(2).join('. ')} ${stories[0]!.relative.text}`,
      }),
    )
    expect(third.groupId).toBe(second.groupId)
    expect(await rig.store.groups.get(second.groupId!)).toMatchObject({ size: 3 })
  })

  it('are as many as there are stories, each with its tellings', async () => {
    await using rig = await analysisRig(all())
    const groups = new Map<string, string | null>()
    for (const part of ['original', 'relative', 'retelling'] as const) {
      for (const story of stories) await rig.analyze(await rig.add(added(story[part])))
    }
    for (const topic of (await rig.store.topics.feed({ page: 0, size: 100 })).topics)
      groups.set(topic.title, topic.groupId)
    const pairs = stories.map(({ original, retelling }) => [groups.get(original.title), groups.get(retelling.title)])
    for (const [a, b] of pairs) expect([a, b]).toEqual([expect.any(String), a])
    expect(new Set(pairs.map(([a]) => a)).size).toBe(stories.length)
    for (const { relative } of stories) expect(groups.get(relative.title)).toBeNull()
  })

  it('keep a topic that is analysed anew', async () => {
    await using rig = await analysisRig(all())
    const topic = await rig.add(added(stories[0]!.original))
    await rig.analyze(topic)
    const { groupId } = await rig.analyze(await rig.add(added(stories[0]!.retelling)))
    await rig.store.topics.reanalyze(topic.id, rig.clock.now())
    expect(await rig.analyze((await rig.store.topics.get(topic.id))!)).toMatchObject({ stage: 'analyzed', groupId })
    expect(await rig.store.groups.get(groupId!)).toMatchObject({ size: 2 })
  })

  it('take nobody in after a month', async () => {
    await using rig = await analysisRig(all())
    await rig.analyze(await rig.add(added(stories[0]!.original)))
    await rig.clock.advance(31 * 24 * 3_600_000)
    expect((await rig.analyze(await rig.add(added(stories[0]!.retelling)))).groupId).toBeNull()
  })
})

describe.each(DATABASES)('topics that are analysed side by side on $name', on => {
  it('make one group of each story, or none at all where the database has no vectors', async () => {
    await using rig = await analysisRig(all(on))
    const topics = []
    for (const story of stories) {
      topics.push(await rig.add(added(story.original)), await rig.add(added(story.retelling)))
    }
    const effects = await Promise.all(topics.map(topic => rig.slow(topic)))
    await rig.commit(effects)
    const ids = (await rig.store.topics.many(topics.map(({ id }) => id))).map(({ groupId }) => groupId)
    const { available } = rig.store.vectors
    expect(new Set(ids).size).toBe(available ? stories.length : 1)
    expect(ids.includes(null)).toBe(!available)
  })
})

describe('related topics', () => {
  it('are those of the group, best first, then the nearest that are near enough', async () => {
    await using rig = await analysisRig(all())
    const { original, retelling, relative } = stories.find(({ id }) => id === 'kafka-rebalance')!
    const other = stories[0]!
    const topic = await rig.analyze(await rig.add(added(original)))
    const told = await rig.analyze(await rig.add(added(retelling)))
    const near = await rig.analyze(await rig.add(added(relative)))
    await rig.analyze(await rig.add(added(other.original)))
    const own = (await rig.store.topics.get(topic.id))!
    const space = rig.models.model.embedding
    const titles = async (limit: number) => (await relatedTopics(rig.store, own, limit, space)).map(({ id }) => id)
    expect(await titles(10)).toEqual([told.id, near.id])
    expect(await titles(1)).toEqual([told.id])
    expect((await relatedTopics(rig.store, own, 10, undefined)).map(({ id }) => id)).toEqual([told.id])
  })
})
