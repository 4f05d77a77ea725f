import { describe, expect, it } from 'vitest'
import { type FakeScript, type FakeStep, startFakeOpenAi } from '../language_model/fake-openai.test-support.ts'
import { openAiAt } from '../language_model/rig.test-support.ts'
import { analysisRig } from './rig.test-support.ts'
import { crossPosted, stories } from './stories.test-support.ts'

const { original } = stories[0]!
const ARTICLE = { title: original.title, text: original.text, tags: ['sampling'] }
const GRADES = {
  reasoning: 'It is about sampling.',
  on_topic: 4,
  depth: 3,
  novelty: 2,
  promotional: false,
  language: 'en',
  summary: 'How tail sampling fails.',
  tags: ['Tail Sampling', 'opentelemetry'],
}

async function rigOf(chat: FakeStep | ((number: number) => FakeStep), more: Readonly<Record<string, unknown>> = {}) {
  let chats = 0
  const script: FakeScript = ({ path }) => {
    if (!path.endsWith('/chat/completions')) return 'sane'
    return typeof chat === 'function' ? chat(chats++) : chat
  }
  const server = await startFakeOpenAi(script)
  const rig = await analysisRig({ model: openAiAt(server.url, more) })
  return {
    ...rig,
    chats: () => server.requests.filter(({ path }) => path.endsWith('/chat/completions')),
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

const text = (grades: object): FakeStep => ({ text: JSON.stringify({ ...GRADES, ...grades }) })

describe('an analysis with a language model', () => {
  it('gets relevance, summary and tags from one call', async () => {
    await using rig = await rigOf(text({}))
    const topic = await rig.analyze(await rig.add(ARTICLE))
    expect(topic).toMatchObject({
      stage: 'analyzed',
      summary: 'How tail sampling fails.',
      tags: ['tail sampling', 'opentelemetry'],
      reasons: { method: 'llm', relevance: { llm: expect.closeTo(0.9125), on_topic: 1, depth: 0.75, novelty: 0.5 } },
    })
    expect(rig.chats()).toHaveLength(1)
    expect(rig.chats()[0]!.body.temperature).toBe(0)
    expect(rig.models.usage.records).toContainEqual(expect.objectContaining({ task: 'RELEVANCE', topicId: topic.id }))
    expect(topic.reasons!.relevance!.lex).toBeGreaterThan(0.5)
  })

  it('is not paid twice when the process dies between the answer and the commit', async () => {
    await using rig = await rigOf(text({}))
    const topic = await rig.add(ARTICLE)
    await rig.slow(topic)
    expect((await rig.analyze(topic)).stage).toBe('analyzed')
    expect(rig.chats()).toHaveLength(1)
  })

  it('asks the model nothing about a duplicate', async () => {
    await using rig = await rigOf(text({}), { embedding: { thresholds: { duplicate: 0.8 } } })
    const first = await rig.analyze(await rig.add(ARTICLE))
    const copy = await rig.analyze(await rig.add(crossPosted(ARTICLE)))
    expect(copy.rejectionReason).toMatch(
      new RegExp(`^duplicate: duplicate of #${first.id} \\(cosine 0\\.\\d\\d ≥ 0\\.80\\)$`),
    )
    expect(rig.chats()).toHaveLength(1)
  })

  it('rejects what the model finds beside the subject, with all parts', async () => {
    await using rig = await rigOf(text({ on_topic: 0, depth: 1, novelty: 1 }))
    const topic = await rig.analyze(await rig.add(ARTICLE))
    expect(topic.rejectionReason).toMatch(/^relevance: 0\.\d\d < 0\.60 \(lex 0\.\d\d, sem \d\.\d\d, llm 0\.06\)$/)
    expect(topic.summary).toBe('How tail sampling fails.')
  })

  it('halves what the model calls promotional', async () => {
    await using rig = await rigOf(text({ promotional: true }))
    const topic = await rig.analyze(await rig.add(ARTICLE))
    expect(topic.reasons!.relevance!.llm).toBeCloseTo(0.9125 / 2, 6)
    expect(topic.reasons!.notes).toContain('The language model calls it promotional')
  })

  it.each(['prose', 'wrong-schema', 'truncated', 'refusal', { status: 401 }] as const)(
    'goes on with heuristics when the answer is of no use: %j',
    async step => {
      await using rig = await rigOf(step)
      const topic = await rig.analyze(await rig.add(ARTICLE))
      expect(topic).toMatchObject({ stage: 'analyzed', reasons: { method: 'heuristic' } })
      expect(topic.reasons!.notes.join()).toContain('Done without a language model: ')
    },
  )

  it('is put off while the model is busy, and done without it when there is no other attempt', async () => {
    await using rig = await rigOf({ status: 429, headers: { 'retry-after': '90' } })
    const topic = await rig.add(ARTICLE)
    await expect(rig.slow(topic)).rejects.toThrow(expect.objectContaining({ reason: 'busy', retryAfter: 90_000 }))
    expect((await rig.store.topics.get(topic.id))!.stage).toBe('extracted')
    const done = await rig.analyze(topic, { lastAttempt: true })
    expect(done).toMatchObject({ stage: 'analyzed', reasons: { method: 'heuristic' } })
    expect(rig.meter.value('topics.analysis.degraded', { reason: 'busy' })).toBe(1)
  })

  it('gets along without a model once the budget of the day is spent', async () => {
    const prices = { chatty: { input: 1000, output: 1000 }, vectory: {} }
    await using rig = await rigOf(text({}), { prices, daily_budget: 0.01 })
    expect((await rig.analyze(await rig.add(ARTICLE))).reasons!.method).toBe('llm')
    const other = await rig.analyze(await rig.add(stories[0]!.relative))
    expect(other.reasons).toMatchObject({ method: 'heuristic' })
    expect(other.reasons!.notes.join()).toContain('The budget of 0.01 USD a day is used up')
    expect(rig.chats()).toHaveLength(1)
  })

  it('learns the language from the model where words do not tell', async () => {
    await using rig = await rigOf(text({ language: 'DE' }))
    const words = 'Kollektor OpenTelemetry Spuren Stichprobe Speicher Entscheidung Fehler Dauer Rechner Messung'
    const topic = await rig.analyze(await rig.add({ ...ARTICLE, text: `${words}. `.repeat(12) }))
    expect(topic.rejectionReason).toMatch(/^(language|quality|relevance): /)
  })
})
