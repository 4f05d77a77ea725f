import { expect, test } from 'vitest'
import { parseHtpasswd } from './htpasswd.ts'

test('an htpasswd file names users; of two lines for one user the later counts', () => {
  const { users, skipped } = parseHtpasswd('# agents\n\n a:one \nb:with:colon\r\na:two\nnonsense\nc:$y$unknown$x\n')
  expect([...users].map(([user, { text }]) => [user, text])).toEqual([
    ['a', 'two'],
    ['b', 'with:colon'],
  ])
  expect(skipped).toEqual([6, 7])
})
