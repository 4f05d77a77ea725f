import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareDrafts } from './compare-drafts.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd ', ' ', '\n\n', 'word '), { maxLength: 60 })
  .map(words => words.join(''))

test('what stayed and what was removed is the text before, what stayed and was added the text after', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = compareDrafts(before, after)
      const without = (kind: string) =>
        changes
          .filter(each => each.kind !== kind)
          .map(each => each.text)
          .join('')
      expect([without('added'), without('removed')]).toEqual([before, after])
    }),
  )
})

test('only words that changed are told as changes', () => {
  expect(compareDrafts('We sample one in ten traces.', 'We keep one in two traces.')).toEqual([
    { kind: 'same', text: 'We ' },
    { kind: 'removed', text: 'sample ' },
    { kind: 'added', text: 'keep ' },
    { kind: 'same', text: 'one in ' },
    { kind: 'removed', text: 'ten ' },
    { kind: 'added', text: 'two ' },
    { kind: 'same', text: 'traces.' },
  ])
})

test('texts that have nothing in common end soon', () => {
  const words = (letter: string) => Array.from({ length: 20_000 }, (_, i) => `${letter}${i} `).join('')
  expect(compareDrafts(words('a'), words('b')).map(({ kind }) => kind)).toEqual(['removed', 'added'])
})
