import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeywordFilter } from './keywords.ts'

test.each([
  ['ads', 'Uploads and roads', false],
  ['ads', 'Ads, and more', true],
  ['ads', 'about (ads)', true],
  ['C', 'C++ and C# for beginners', false],
  ['C', 'Learning C in a week', true],
  ['C++', 'Modern C++ in a week', true],
  ['c#', 'What is new in C#?', true],
  ['.net', 'ASP .NET today', true],
  ['tail sampling', 'Tail sampling at scale', true],
  ['tail sampling', 'Tail-sampling at scale', true],
  ['tail sampling', 'Tail\n sampling', true],
  ['tail sampling', 'Sampling the tail', false],
  ['tail sampling', 'tail based sampling', false],
  ['go', 'Gopher goes', false],
  ['go', 'Go: a tour', true],
  ['STRASSE', 'Auf der Straße', true],
  ['İstanbul', 'i̇stanbul', true],
  ['ΟΔΟΣ', 'η οδος', true],
  ['café', 'Un cafe\u0301 noir', true],
  ['ﬁnance', 'FINANCE', true],
  ['監視', 'システム監視の基本', true],
  ['a.b', 'axb', false],
  ['[x', 'about [x here', true],
  ['node_exporter', 'the node_exporter', true],
])('the keyword %s in "%s": %s', (keyword, title, found) => {
  expect(createKeywordFilter([keyword], []).accepts({ title })).toBe(found)
})

test('any keyword is enough, in title, tags or text', () => {
  const filter = createKeywordFilter(['opentelemetry', 'tail sampling'], [])
  expect(filter.accepts({ title: 'Nothing', content: 'about OpenTelemetry' })).toBe(true)
  expect(filter.accepts({ title: 'Nothing', tags: ['tailsampling'] })).toBe(true)
  expect(filter.accepts({ title: 'Nothing', tags: ['tail-sampling'] })).toBe(true)
  expect(filter.accepts({ title: 'Nothing', tags: ['sampling'], content: 'at all' })).toBe(false)
  expect(createKeywordFilter([], []).accepts({ title: 'Anything' })).toBe(true)
  expect(createKeywordFilter(['', ' '], []).accepts({ title: 'Anything' })).toBe(true)
})

test('a negative keyword in title or tags is a veto, in the text it is not', () => {
  const filter = createKeywordFilter(['otel'], ['ads', 'hiring'])
  expect(filter.accepts({ title: 'OTel and ads' })).toBe(false)
  expect(filter.accepts({ title: 'OTel', tags: ['hiring'] })).toBe(false)
  expect(filter.accepts({ title: 'OTel uploads', content: 'We are hiring, and show ads' })).toBe(true)
})

test('whatever stands in a keyword, it is looked for and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), keyword => {
      const filter = createKeywordFilter([keyword], [])
      filter.accepts({ title: 'Some title', content: 'some text' })
    }),
  )
})
