import { describe, expect, it } from 'vitest'
import type { Topic } from '../model/topic.ts'
import { engagementPart } from './engagement.ts'
import { type QualityScore, qualityScore } from './quality.ts'
import { stories } from './stories.test-support.ts'
import { subjectOf } from './subject.ts'

const DAY = 24 * 3_600_000
const NOW = 100 * DAY
const text = stories.map(({ original }) => original.text)

function score(topic: Partial<Topic>, sample: readonly number[] = []): QualityScore {
  const whole = {
    id: 1,
    title: 'A title',
    tags: [],
    sourceType: 'devto',
    extractionStatus: 'COMPLETED',
    collectedAt: 0,
  }
  return qualityScore(subjectOf({ ...whole, extractedContent: null, ...topic } as unknown as Topic), sample, NOW)
}

describe('quality', () => {
  it('prefers an article that has form and substance, and every part is within its scale', () => {
    const full = `# Heading\n\n${text.join('\n\n')}\n\n- one\n- two\n\n\`\`\`js\nrun(15)\n\`\`\``
    const [good, plain, poor] = [full, text[0]!, 'buy it now '.repeat(30)].map(extractedContent =>
      score({ extractedContent }),
    )
    expect(good!.score).toBeGreaterThan(0.7)
    expect(plain!.score).toBeLessThan(good!.score)
    expect(poor!.score).toBeLessThan(0.35)
    for (const { parts } of [good!, plain!, poor!]) {
      for (const part of Object.values(parts)) expect(part).toBeGreaterThanOrEqual(0)
      for (const part of Object.values(parts)) expect(part).toBeLessThanOrEqual(1)
    }
  })

  it('does not punish a video for having no headings, nor a question for being short', () => {
    const video = { sourceType: 'youtube', extractionStatus: 'PARTIAL' as const, author: 'Ann' }
    const described = score(
      { ...video, extractedContent: text[0]!.slice(0, 300), engagement: { score: 500 } },
      [10, 500, 50],
    )
    expect(described.parts).not.toHaveProperty('structure')
    expect(described.score).toBeGreaterThan(0.5)
    const question = { sourceType: 'stackoverflow', extractedContent: text[0]!.slice(0, 400), author: 'Ann' }
    expect(score({ ...question, engagement: { score: 3, accepted: true } }, [0, 1, 2]).score).toBeGreaterThan(0.5)
  })

  it.each([
    ['The title is clickbait', { title: 'You won’t believe this one trick!!' }],
    ['The title is written in capitals', { title: 'SHOCKING NEWS ABOUT COLLECTORS' }],
    ['The text has affiliate links', { extractedContent: `${text[0]} https://shop.example/x?tag=ann-20` }],
    ['The text is mostly links', { extractedContent: 'see https://a.example/1 '.repeat(20) }],
    ['The question has an accepted answer', { engagement: { accepted: true } }],
  ])('says what counted: %s', (note, topic) => {
    const plain = { extractedContent: text[0]! }
    const [with_, without] = [score({ ...plain, ...topic }), score(plain)]
    expect(with_.notes).toContain(note)
    expect(with_.parts.trust).not.toBe(without.parts.trust)
  })

  it('is the same every time, also for nothing at all', () => {
    expect(score({ extractedContent: text[1]! })).toEqual(score({ extractedContent: text[1]! }))
    expect(score({ title: '', extractedContent: '' }).score).toBeLessThan(0.3)
  })
})

describe('engagement', () => {
  const part = (points: number | undefined, sample: readonly number[], age = 10 * DAY) =>
    engagementPart(
      { collectedAt: NOW - age, ...(points !== undefined && { engagement: { score: points } }) } as Topic,
      sample,
      NOW,
    )
  const many = Array.from({ length: 100 }, (_, i) => i)

  it('is the place among the topics of the source', () => {
    expect(part(99, many)).toBeGreaterThan(0.9)
    expect(part(50, many)).toBeCloseTo(0.5, 1)
    expect(part(0, many)).toBeLessThan(0.1)
  })

  it('is drawn to the middle by few others and by youth, and absent where nobody counts', () => {
    expect(part(9, [1, 2])!).toBeLessThan(part(99, many)!)
    expect(part(99, many, 0)!).toBeLessThan(part(99, many)!)
    expect(part(undefined, many)).toBeUndefined()
    expect(part(5, [])).toBeUndefined()
  })
})
