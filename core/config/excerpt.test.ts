import { describe, expect, test } from 'vitest'
import { formatExcerpt } from './excerpt.ts'

const show = (text: string, word: string, line = 7) => {
  const from = text.indexOf(word)
  return formatExcerpt({ line, text, from, to: from + word.length, endColumn: 0 }, '  ').split('\n')
}

describe('an excerpt underlines its word', () => {
  test('below the line, behind its number', () => {
    expect(show('  a: bcd', 'bcd', 120)).toEqual(['  120 |   a: bcd', '      |      ^^^'])
  })

  test.each([
    ['\ta:\tb', 'b', '    | \t  \t^'],
    ['größe: x', 'x', '    |        ^'],
    ['gro\u0308ße: x', 'x', '    |        ^'],
    ['日本: 大き', '大き', '    |       ^^^^'],
    ['🚦: 🚦', ': 🚦', '    |   ^^^^'],
    ['👨\u200d👩: x', 'x', '    |       ^'],
  ])('where a terminal shows it: %j', (text, word, below) => {
    expect(show(text, word)[1]).toBe(below)
  })

  test.each([0, 100, 300])('in the middle of a long line, %i characters before it', before => {
    const [line = '', carets = ''] = show(`${'x'.repeat(before)} here ${'y'.repeat(400)}`, 'here')
    expect(line.length).toBeLessThan(130)
    expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('here')
  })

  test('that is longer than any line, in part', () => {
    const [line = '', carets = ''] = show('z'.repeat(1000), 'z'.repeat(1000))
    expect([line.length, carets.length].every(length => length < 130)).toBe(true)
    expect(carets).toContain('^^^')
  })
})
