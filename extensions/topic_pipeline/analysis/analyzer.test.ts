import { describe, expect, it } from 'vitest'
import { analysisRig, DATABASES } from './rig.test-support.ts'
import { crossPosted, edited, stories } from './stories.test-support.ts'

const [tail, kubernetes] = stories as [(typeof stories)[0], (typeof stories)[0]]
const ARTICLE = { title: tail.original.title, text: tail.original.text, tags: ['OpenTelemetry', 'devops'] }

describe('an analysis without a language model', () => {
  it('gives scores with their parts, a summary and tags', async () => {
    await using rig = await analysisRig()
    const topic = await rig.analyze(await rig.add(ARTICLE))
    expect(topic).toMatchObject({ stage: 'analyzed', language: 'en', groupId: null, rejectionReason: null })
    expect(topic.qualityScore).toBeGreaterThan(0.5)
    expect(topic.relevanceScore).toBeGreaterThan(0.6)
    expect(topic.summary!.length).toBeGreaterThan(50)
    expect(topic.summary!.length).toBeLessThanOrEqual(400)
    expect(tail.original.text).toContain(topic.summary!.split('. ')[0])
    expect(topic.tags).toEqual(expect.arrayContaining(['opentelemetry', 'devops', 'collector']))
    expect(topic.reasons).toMatchObject({
      method: 'heuristic',
      quality: { structure: expect.any(Number), substance: expect.any(Number), trust: expect.any(Number) },
      relevance: { lex: expect.any(Number), sem: expect.any(Number) },
    })
    expect(await rig.store.vectors.get('topic', topic.id)).toMatchObject({ model: 'hashing-v1' })
    expect(rig.meter.value('topics.analysis.analyzed', { method: 'heuristic' })).toBe(1)
  })

  it('rejects what is about something else, and says why', async () => {
    await using rig = await analysisRig()
    const topic = await rig.analyze(await rig.add(kubernetes.original))
    expect(topic.stage).toBe('rejected')
    expect(topic.rejectionReason).toMatch(/^relevance: 0\.\d\d < 0\.30 \(lex 0\.00, sem 0\.\d\d\)$/)
    expect(topic.reasons).toMatchObject({ relevance: { lex: 0 } })
    expect(topic.qualityScore).toBeGreaterThan(0.5)
    expect(rig.meter.value('topics.analysis.rejected', { filter: 'relevance' })).toBe(1)
  })

  it.each([
    ['negative_keywords: "giveaway" is in the title', { ...ARTICLE, title: 'A collector GIVEAWAY' }],
    ['negative_keywords: "ads" is among the tags', { ...ARTICLE, tags: ['Ads'] }],
    ['language: de is not among en', { title: 'Traces', text: GERMAN() }],
    ['length: 24 characters < 200', { title: 'OpenTelemetry', text: 'The collector is new now' }],
    [
      /^quality: 0\.\d\d < 0\.50 \(structure 0\.\d\d, substance 0\.\d\d, trust 0\.\d\d\)$/,
      { title: 'SHOCKING COLLECTOR NEWS!!!', text: 'buy it now '.repeat(30) },
    ],
  ])('stops at the first filter that objects: %s', async (reason, found) => {
    await using rig = await analysisRig()
    const topic = await rig.analyze(await rig.add(found))
    expect(topic.stage).toBe('rejected')
    if (typeof reason === 'string') expect(topic.rejectionReason).toBe(reason)
    else expect(topic.rejectionReason).toMatch(reason)
  })

  it('takes other languages, lengths and qualities when told to', async () => {
    await using rig = await analysisRig({
      options: { languages: [], qualityThreshold: 0, relevanceThreshold: 0, minimumLength: () => 10 },
    })
    expect(await rig.analyze(await rig.add({ title: 'Spuren', text: GERMAN() }))).toMatchObject({
      stage: 'analyzed',
      language: 'de',
    })
    expect((await rig.analyze(await rig.add({ text: 'Much too short.' }))).stage).toBe('analyzed')
  })

  it('finishes a topic whose category was deleted meanwhile', async () => {
    await using rig = await analysisRig()
    const topic = await rig.add(ARTICLE)
    const effects = await rig.slow(topic)
    await rig.store.categories.delete(rig.categoryId)
    await rig.store.transaction(effects)
    expect(await rig.store.topics.get(topic.id)).toMatchObject({ stage: 'analyzed', categoryId: null })
    const orphan = await rig.analyze({ ...(await rig.add({ ...kubernetes.original })), categoryId: null })
    expect(orphan).toMatchObject({ stage: 'analyzed', relevanceScore: 0.5 })
  })

  it('writes once, however often it is finished', async () => {
    await using rig = await analysisRig()
    const topic = await rig.add(ARTICLE)
    const [once, again] = [await rig.slow(topic), await rig.slow(topic)]
    await rig.store.transaction(once)
    await rig.store.transaction(again)
    expect((await rig.store.topics.get(topic.id))!.stage).toBe('analyzed')
    expect(rig.meter.value('topics.analysis.analyzed', { method: 'heuristic' })).toBe(1)
  })

  it('ends when it is aborted', async () => {
    await using rig = await analysisRig()
    const topic = await rig.add(ARTICLE)
    await expect(rig.analyzer.analyze(topic, undefined, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  })
})

describe.each(DATABASES)('duplicates on $name', on => {
  const long = { ...ARTICLE, text: `${tail.original.text} ${tail.retelling.text} ${tail.relative.text}` }

  it('are kept out and name the first, by address, by text and by vector', async () => {
    await using rig = await analysisRig({ on })
    const first = await rig.analyze(await rig.add({ ...long, url: 'https://ann.dev/tail' }))
    const again = await rig.analyze(await rig.add({ text: 'Same', url: 'http://ann.dev/tail/?utm_source=x#top' }))
    expect(again.rejectionReason).toBe(`duplicate: duplicate of #${first.id} (same address)`)
    const copy = await rig.analyze(await rig.add({ ...ARTICLE, text: `Cross-posted from my blog. ${long.text}` }))
    expect(copy.rejectionReason).toMatch(
      new RegExp(`^duplicate: duplicate of #${first.id} \\(shared text 0\\.9\\d ≥ 0\\.80\\)$`),
    )
    if (!rig.store.vectors.available) return
    const near = await rig.analyze(await rig.add(edited(long)))
    expect(near.rejectionReason).toMatch(
      new RegExp(`^duplicate: duplicate of #${first.id} \\((cosine|shared text) 0\\.\\d\\d ≥ 0\\.\\d\\d\\)$`),
    )
    expect((await rig.store.topics.feed({ page: 0, size: 10 })).total).toBe(1)
  })

  it('that are analysed side by side do not both pass', async () => {
    await using rig = await analysisRig({ on })
    const [one, two] = [await rig.add(long), await rig.add(crossPosted(long))]
    const effects = await Promise.all([rig.slow(one), rig.slow(two)])
    await rig.commit(effects)
    const stages = [await rig.store.topics.get(one.id), await rig.store.topics.get(two.id)].map(topic => topic!.stage)
    expect(stages.sort()).toEqual(['analyzed', 'rejected'])
  })
})

function GERMAN(): string {
  return 'Wir sammeln die Spuren in einem Kollektor und werfen dann die meisten von ihnen weg, weil sich das Aufheben nicht lohnt. Das ist nicht so einfach, wie es aussieht, denn alle Teile einer Spur müssen auf demselben Rechner ankommen, und das dauert auch noch eine Weile.'
}
