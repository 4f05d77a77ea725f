import { expect, test } from 'vitest'
import type { DraftSource } from '../model/writing.ts'
import { exportMarkdown } from './export-markdown.ts'

const source = (marker: string, more: Partial<DraftSource> = {}): DraftSource => ({
  marker,
  topicId: 1,
  title: `Title of ${marker}`,
  url: `https://example.org/${marker}`,
  author: null,
  licence: null,
  excerptHash: '',
  ...more,
})

test('citations become links and the cited sources are listed with author and licence', () => {
  const text = 'Tails are sampled last [S2]. Heads first [S1, S2].\n'
  const sources = [source('S1'), source('S2', { author: 'Ann', licence: 'CC BY-SA 4.0' }), source('S3')]
  expect(exportMarkdown({ text, sources })).toBe(
    `Tails are sampled last [\\[S2\\]](https://example.org/S2). Heads first [\\[S1\\]](https://example.org/S1) [\\[S2\\]](https://example.org/S2).

## Sources

- S2: [Title of S2](https://example.org/S2) by Ann, CC BY-SA 4.0
- S1: [Title of S1](https://example.org/S1)
`,
  )
})

test('a text that cites nothing lists all it was made of, unknown markers stay text', () => {
  expect(exportMarkdown({ text: 'Nothing [S7].', sources: [source('S1')] })).toBe(
    'Nothing [S7].\n\n## Sources\n\n- S1: [Title of S1](https://example.org/S1)\n',
  )
  expect(exportMarkdown({ text: 'Alone', sources: [] })).toBe('Alone\n')
})

test('titles and addresses of others cannot leave their place', () => {
  const hostile = source('S1', { title: 'x](javascript:1) <b>\n# y', url: 'javascript:alert(1)' })
  const wide = source('S2', { url: 'https://example.org/a_(b)' })
  expect(exportMarkdown({ text: 'See [S1] and [S2]', sources: [hostile, wide] })).toBe(
    'See [\\[S1\\]](#) and [\\[S2\\]](https://example.org/a_%28b%29)\n\n## Sources\n\n' +
      '- S1: [x\\](javascript:1) \\<b\\> # y](#)\n- S2: [Title of S2](https://example.org/a_%28b%29)\n',
  )
})
