import { describe, expect, it } from 'vitest'
import type { Category } from '../model/category.ts'
import type { Topic } from '../model/topic.ts'
import { fold } from './fold.ts'
import { Keyword } from './keyword.ts'
import { lexicalScore } from './lexical.ts'
import { negativeKeywords } from './negative-keywords.ts'
import { subjectOf } from './subject.ts'

const count = (keyword: string, text: string) => new Keyword(keyword).countIn(fold(text))

describe('a keyword', () => {
  it.each([
    ['ads', 'Uploads and roads are loads', 0],
    ['ads', 'ADS, ads; (Ads)', 3],
    ['go', 'Go is not Google, and going is not go', 2],
    ['c', 'C++ and C# are not C, says c.', 2],
    ['C++', 'c++ and C++20', 2],
    ['c#', 'I like C#!', 1],
    ['.NET', 'ASP.NET, .net and dotnet', 2],
    ['node.js', 'Node.js or nodeXjs', 1],
    ['straße', 'Die STRASSE', 1],
    ['café', 'A cafe\u0301', 1],
    ['ΟΔΟΣ', 'μια οδος', 1],
    ['tail sampling', 'Tail\n  sampling, tail-sampling, tail of sampling', 2],
    ['機械学習', '機械学習', 1],
    ['ｗｉｄｅ', 'wide', 1],
    ['', 'anything', 0],
    ['  ', 'anything', 0],
    ['a.b', 'axb', 0],
    ['snake', 'snake_case', 0],
  ])('%j in %j is found %i times', (keyword, text, times) => {
    expect(count(keyword, text)).toBe(times)
  })

  it('is counted no further than asked', () => {
    expect(new Keyword('a').countIn('a a a a', 2)).toBe(2)
  })
})

const subject = (topic: Partial<Topic>) =>
  subjectOf({ id: 1, title: 'T', tags: [], extractedContent: null, ...topic } as unknown as Topic)
const category = (words: Partial<Category>) => ({ keywords: [], negativeKeywords: [], ...words }) as unknown as Category

describe('negative keywords', () => {
  it('veto in title and tags, but not across two tags', () => {
    const ads = category({ negativeKeywords: ['ads', 'big sale'] })
    expect(negativeKeywords(subject({ title: 'No ADS here' }), ads).veto).toBe('"ads" is in the title')
    expect(negativeKeywords(subject({ tags: ['big sale'] }), ads).veto).toBe('"big sale" is among the tags')
    expect(negativeKeywords(subject({ tags: ['big', 'sale'] }), ads).veto).toBeUndefined()
    expect(negativeKeywords(subject({ title: 'Uploads' }), ads)).toEqual({ veto: undefined, penalty: 1 })
  })

  it('count against a topic in its text by how dense they are, at most by half', () => {
    const ads = category({ negativeKeywords: ['ads'] })
    const of = (text: string) => negativeKeywords(subject({ extractedContent: text }), ads).penalty
    const long = 'word '.repeat(500)
    expect(of(`${long} ads`)).toBeGreaterThan(0.9)
    expect(of(`${long} ${'ads '.repeat(5)}`)).toBeLessThan(of(`${long} ads`))
    expect(of('ads '.repeat(50))).toBe(0.5)
  })
})

describe('the lexical score', () => {
  const wanted = category({ keywords: ['sampling', 'tail sampling', 'collector'] })
  const score = (topic: Partial<Topic>) => lexicalScore(subject(topic), wanted)!.score

  it('is 0 without a keyword, and absent without keywords', () => {
    expect(score({ title: 'Bread' })).toBe(0)
    expect(lexicalScore(subject({}), category({ keywords: [' '] }))).toBeUndefined()
  })

  it('counts the title most, then tags, then the text', () => {
    const [title, tags, text] = [{ title: 'sampling' }, { tags: ['sampling'] }, { extractedContent: 'sampling' }]
    expect(score(title)).toBeGreaterThan(score(tags))
    expect(score(tags)).toBeGreaterThan(score(text))
  })

  it('knows a keyword in the tags that sites make of it', () => {
    const of = (keyword: string, tag: string) =>
      lexicalScore(subject({ tags: [tag] }), category({ keywords: [keyword] }))!.score
    expect(of('tail sampling', 'tailsampling')).toBe(of('tail sampling', 'tail-sampling'))
    expect([of('C++', 'cpp') > 0, of('.NET', 'dotnet') > 0, of('sampling', 'tailsampling')]).toEqual([true, true, 0])
  })

  it('grows with other keywords more than with repetition, and stays below 1', () => {
    const repeated = score({ extractedContent: 'sampling '.repeat(1000) })
    expect(score({ extractedContent: 'tail sampling collector' })).toBeGreaterThan(repeated)
    expect(score({ title: 'tail sampling collector', extractedContent: 'collector '.repeat(500) })).toBeLessThan(1)
  })

  it('gives a mention in passing less the longer the text is', () => {
    const filler = (words: number) => ({ extractedContent: `collector ${'word '.repeat(words)}` })
    expect(score(filler(3000))).toBeLessThan(score(filler(100)) / 1.5)
  })
})
