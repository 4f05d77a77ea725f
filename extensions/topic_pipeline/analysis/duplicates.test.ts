import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { THRESHOLDS } from '../language_model/embedding-space.ts'
import { hashedEmbedding } from '../language_model/hashed-embedding.ts'
import { wordsOf } from '../language_model/words.ts'
import { bandsOf, jaccard, shinglesOf } from './fingerprint.ts'
import { labelledPairs, type Relation, type Story } from './stories.test-support.ts'
import { embeddedText } from './subject.ts'

const word = fc.stringMatching(/^[a-z]{2,8}$/)

describe('a fingerprint', () => {
  it('shares a band with that of a text that was hardly changed', () => {
    const text = fc.array(word, { minLength: 150, maxLength: 400 })
    fc.assert(
      fc.property(text, fc.nat(), (words, at) => {
        const changed = words.with(at % words.length, 'changed')
        const same = jaccard(shinglesOf(words), shinglesOf(changed))
        fc.pre(same >= 0.9)
        const theirs = new Set(bandsOf(changed))
        expect(bandsOf(words).some(band => theirs.has(band))).toBe(true)
      }),
      { seed: 7, numRuns: 200 },
    )
  })

  it('hardly ever shares a band with that of another text', () => {
    const texts = labelledPairs().filter(({ relation }) => relation === 'unrelated')
    const shared = texts.filter(({ a, b }) => {
      const theirs = new Set(bandsOf(wordsOf(b.text)))
      return bandsOf(wordsOf(a.text)).some(band => theirs.has(band))
    })
    expect(shared).toEqual([])
  })

  it('has 16 bands of signed 32 bits, none for a short text, and always the same ones', () => {
    const words = wordsOf(labelledPairs()[0]!.a.text)
    expect(bandsOf(words)).toHaveLength(16)
    for (const band of bandsOf(words)) expect(band).toBe(band | 0)
    expect(bandsOf(words.slice(0, 100))).toEqual([])
    expect(bandsOf(words).slice(0, 2)).toMatchInlineSnapshot(`
      [
        1929118417,
        1928962938,
      ]
    `)
  })
})

describe('thresholds of word vectors', () => {
  const vector = ({ title, text }: Story) => hashedEmbedding(embeddedText(title, text), 1536)
  const measured = labelledPairs().map(({ a, b, relation }) => {
    const other = vector(b)
    return { relation, cosine: vector(a).reduce((sum, value, i) => sum + value * other[i]!, 0) }
  })
  const quality = (threshold: number, ...relations: Relation[]) => {
    const found = measured.filter(({ cosine }) => cosine >= threshold)
    const right = found.filter(({ relation }) => relations.includes(relation)).length
    const wanted = measured.filter(({ relation }) => relations.includes(relation)).length
    return { precision: right / found.length, recall: right / wanted }
  }

  it('tell copies, retellings and relatives from each other on the labelled pairs', () => {
    const { duplicate, group, related } = THRESHOLDS.lexical
    expect(quality(duplicate, 'duplicate')).toEqual({ precision: 1, recall: 1 })
    expect(quality(group, 'duplicate', 'group')).toEqual({ precision: 1, recall: 1 })
    expect(quality(related, 'duplicate', 'group', 'related').precision).toBe(1)
    expect(quality(related, 'duplicate', 'group', 'related').recall).toBeGreaterThan(0.85)
  })
})
