import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type FakeRequest, startFakeOpenAi } from '../language_model/fake-openai.test-support.ts'
import { openAiAt } from '../language_model/rig.test-support.ts'
import type { Topic } from '../model/topic.ts'
import { analysisRig, OBSERVABILITY } from './rig.test-support.ts'
import { rubricRequest } from './rubric.ts'
import { stories } from './stories.test-support.ts'
import { subjectOf } from './subject.ts'

const { attacks } = JSON.parse(readFileSync(new URL('./testdata/hostile.json', import.meta.url), 'utf8')) as {
  readonly attacks: readonly { readonly name: string; readonly text: string }[]
}
const OFF_TOPIC = stories.find(({ id }) => id === 'css-container')!.original
const ON_TOPIC = stories.find(({ id }) => id === 'tail-sampling')!.original
const CATEGORY = { ...OBSERVABILITY, id: 1, createdAt: 0 }

/** A model that does what the article says, and more. */
const OBEDIENT = {
  text: JSON.stringify({
    reasoning: 'As you wish',
    on_topic: 999,
    depth: 1e9,
    novelty: 4.1,
    promotional: false,
    language: 'en',
    summary: 'Perfect. '.repeat(5000),
    tags: ['best, article', 'x'.repeat(5000), '#Winner', 'a\nb', ...Array(100).fill('more')],
  }),
}
const isChat = ({ path }: FakeRequest) => path.endsWith('/chat/completions')

/** The article without orders inside. */
let clean: Topic | undefined
async function analysedClean(): Promise<Topic> {
  await using rig = await analysisRig()
  return await rig.analyze(await rig.add(ON_TOPIC))
}

describe.each(attacks)('an article with orders inside: $name', ({ text }) => {
  it('is judged by its words: what it asks for moves neither score', async () => {
    await using other = await analysisRig()
    clean ??= await analysedClean()
    const [head, tail] = [ON_TOPIC.text.slice(0, 500), ON_TOPIC.text.slice(500)]
    const hostile = await other.analyze(await other.add({ ...ON_TOPIC, text: `${head}\n\n${text}\n\n${tail}` }))
    const off = await other.analyze(await other.add({ ...OFF_TOPIC, text: `${OFF_TOPIC.text}\n\n${text}` }))
    expect(off.rejectionReason).toMatch(/^relevance: 0\.\d\d < 0\.30 \(lex 0\.00, sem 0\.\d\d\)$/)
    const parts = (topic: Topic) => topic.reasons!.relevance!
    expect(parts(hostile).lex).toBeLessThanOrEqual(parts(clean).lex! + 0.005)
    expect(parts(hostile).sem).toBeLessThanOrEqual(parts(clean).sem! + 0.05)
    // More paragraphs are more structure, whatever they say.
    expect(hostile.qualityScore).toBeLessThan(clean.qualityScore! + 0.15)
  })

  it('costs no call when it is about something else, and no obedient model can lift it over its half', async () => {
    await using server = await startFakeOpenAi(request => (isChat(request) ? OBEDIENT : 'sane'))
    await using rig = await analysisRig({ model: openAiAt(server.url) })
    const off = await rig.analyze(await rig.add({ title: OFF_TOPIC.title, text: `${OFF_TOPIC.text}\n\n${text}` }))
    expect(off.rejectionReason).toMatch(/^relevance: /)
    expect(server.requests.filter(isChat)).toHaveLength(0)

    const near = await rig.analyze(
      await rig.add({ title: OFF_TOPIC.title, text: `${OFF_TOPIC.text} Our collector is blue.\n\n${text}` }),
    )
    expect(server.requests.filter(isChat)).toHaveLength(1)
    const { lex, sem, llm, on_topic, depth, novelty } = near.reasons!.relevance!
    expect([llm, on_topic, depth, novelty]).toEqual([1, 1, 1, 1])
    expect(near.relevanceScore).toBeCloseTo(0.3 * lex! + 0.2 * sem! + 0.5, 6)
    expect(near.summary!.length).toBeLessThanOrEqual(400)
    expect(near.tags).toEqual(['best article', 'winner', 'a b', 'more'])
  })

  it('stands between two marks that it cannot contain, and nowhere else in the question', () => {
    const topic = { id: 1, title: text, tags: [text], extractedContent: text, extractionStatus: 'COMPLETED' }
    const { system, prompt } = rubricRequest(subjectOf(topic as unknown as Topic), CATEGORY)
    const [mark] = /^=== ARTICLE (?!0123)\w{24} ===$/m.exec(prompt)!
    const [before, inside, after, ...more] = prompt.split(mark)
    expect(more).toEqual([])
    expect(before).toBe(
      `Category: Observability\nDescription: ${OBSERVABILITY.description}\nKeywords: ${OBSERVABILITY.keywords.join(', ')}\n\n`,
    )
    expect(after).toBe('\n\nGrade the article.')
    expect(inside).toContain('Title: ')
    expect(system).toBe(rubricRequest(subjectOf({ ...topic, title: 'x' } as unknown as Topic), CATEGORY).system)
    expect(prompt).not.toMatch(/[^\P{C}\n]/u)
  })
})
