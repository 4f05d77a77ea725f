import { describe, expect, test } from 'vitest'
import { describeStyle } from './describe-style.ts'
import { GENERIC_SAMPLE } from './generic-sample.ts'
import { countWords, measure } from './measure.ts'
import { mergeStyles } from './merge-styles.ts'
import { matchStyle } from './style-match.ts'

/** A voice of short sentences, contractions, questions and an I. */
const own = (seed: number) =>
  Array.from({ length: 14 }, (_, i) => {
    const n = seed * 14 + i
    return [
      `I broke it again. Don't ask me how, it's number ${n}. We'd shipped on a Friday, so what did we expect?`,
      `Here's what I do now: I look at the tail first. You won't see it in the mean. Ever tried to? It's no fun (trust me).`,
      `My rule's simple. If it can't be seen, it didn't happen. So I log it, I trace it, and I go home!`,
    ].join(' ')
  }).join('\n\n')

describe('counting', () => {
  test('a text is measured without its code', () => {
    const measures = measure("# Title\n\nI can't. You can, I think; who knows?\n\n```js\nconst I = 1, me = 2\n```\n")
    expect([measures.words, measures.sentences, measures.sentenceLength]).toEqual([9, 2, 4])
    expect(measures.rates.firstPerson).toBeCloseTo(2000 / 9)
    expect(measures.rates.codeBlocks).toBeCloseTo(1000 / 9)
  })

  test('nothing is measured of nothing', () => {
    expect(measure('')).toMatchObject({ words: 0, sentences: 0, sentenceLength: 0, longWords: 0 })
  })
})

test('words are counted, however many', async () => {
  expect(await countWords("I can't, you 2 can; naïve l'été.")).toBe(6)
  expect(await countWords('word '.repeat(20_001))).toBe(20_001)
})

describe('profile', () => {
  test('without a model it has the nine fields, by counting', () => {
    expect(describeStyle(own(1))).toEqual({
      tone: 'conversational, enthusiastic, questioning',
      avg_sentence_length: '7 words (short)',
      vocabulary_complexity: 'simple',
      structural_patterns: expect.arrayContaining(['questions to the reader']),
      use_of_examples: false,
      use_of_analogies: false,
      first_person: true,
      typical_intro_style: 'opens with a statement',
      typical_conclusion_style: 'ends with a statement',
    })
    expect(describeStyle(GENERIC_SAMPLE)).toMatchObject({
      tone: 'formal',
      first_person: false,
      vocabulary_complexity: 'advanced',
    })
  })

  test('several become one by what most of them say', () => {
    const [a, b] = [describeStyle(own(1)), describeStyle(GENERIC_SAMPLE)]
    expect(mergeStyles([a, b, a])).toEqual(a)
    expect(mergeStyles([b])).toEqual(b)
  })
})

describe('style match', () => {
  const texts = [own(1), own(2), own(3)]

  test('a text like the user’s is near, one like anybody’s is far', async () => {
    const [near, far] = [await matchStyle(own(4), texts), await matchStyle(GENERIC_SAMPLE, texts)]
    expect(near.status).toBe('measured')
    expect(near.score).toBeGreaterThan(0.9)
    expect(far.score).toBeLessThan(0.1)
    expect(far.notes.join('\n')).toMatch(/Sentences are \d+ % longer than yours/)
    expect(far.notes.join('\n')).toContain('“leveraging”')
  })

  test('a mixture is in between', async () => {
    const { score } = await matchStyle(`${own(5).slice(0, 2500)}\n\n${GENERIC_SAMPLE}`, texts)
    expect(score).toBeGreaterThan(0.1)
    expect(score).toBeLessThan(0.9)
  })

  test('too little of the user’s own is said so', async () => {
    expect(await matchStyle('x', [own(1)])).toEqual({
      status: 'insufficient_data',
      notes: [expect.stringMatching(/^3 texts of yours, or 2000 words, are needed; there are 1 with \d+ words$/)],
    })
  })

  test('of very long texts the beginning is compared, and others get their turn meanwhile', async () => {
    const long = own(1).repeat(300)
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const near = await matchStyle(
      own(4),
      Array.from({ length: 20 }, () => long),
    )
    clearInterval(counting)
    expect(near.score).toBeGreaterThan(0.9)
    expect(turns).toBeGreaterThan(20)
  })

  test('a word is strange only when it stands nowhere in the user’s texts', async () => {
    const mine = [...texts, `${own(4).repeat(20)} Leverage!`]
    const { notes } = await matchStyle('We leverage a robust tapestry.', mine)
    expect(notes.at(-1)).toBe('Never in your texts: “robust”, “tapestry”')
  })
})
