// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import { describe, expect, test } from 'vitest'
import { type Secrecy, SourceText, SourceTexts } from './source-text.ts'

const nothingKnown: Secrecy = () => undefined
const allShown: Secrecy = () => 'shown'
/** Everything but what begins the line; keys below are secret, too. */
const allSecret: Secrecy = (_, column) => (column > 1 ? 'secret' : undefined)

/** The line of a text as it is shown, and the part of it that is meant. */
function shown(text: string, line: number, column: number, secrecy: Secrecy) {
  const excerpt = new SourceText(text).excerptAt(line, column, secrecy)
  return excerpt && [excerpt.text, excerpt.text.slice(excerpt.from, excerpt.to)]
}

describe('a line', () => {
  test.each([
    ['a: hush # hush', nothingKnown, 'a: [REDACTED]'],
    ['a: hush # hush', allShown, 'a: hush'],
    ['a: hush hush, b', allSecret, 'a: [REDACTED]'],
    ['a: [hush, {b: "hush"}]', allSecret, 'a: [[REDACTED], {[REDACTED]: [REDACTED]}]'],
    ['a: [true, 10, 2.5, 200ms, 64KiB, ~]', nothingKnown, 'a: [true, 10, 2.5, 200ms, 64KiB, ~]'],
    ['a: 10', allSecret, 'a: [REDACTED]'],
    ['a: 12345678901', nothingKnown, 'a: [REDACTED]'],
    ['a: ${env:NAME}', allSecret, 'a: ${env:NAME}'],
    ['a: "${file:/run/secret.txt}"', allSecret, 'a: "${file:/run/secret.txt}"'],
    ['a: ${env:NAME:-hush}', allSecret, 'a: [REDACTED]'],
    ['a: ${https://me:hush@host/}', allSecret, 'a: [REDACTED]'],
    ['a: https://me:hush@host/?key=hush&x=1', allShown, 'a: https://[REDACTED]@host/?key=[REDACTED]&x=1'],
    ['a: &b !!str hush', allSecret, 'a: &b !!str [REDACTED]'],
    ['a: &b 1\nc: *b', allSecret, 'a: &b [REDACTED]'],
    ['a: |\n  hush', allSecret, 'a: |'],
  ])('%j is shown without secrets', (text, secrecy, expected) => {
    expect(shown(text, 1, 1, secrecy)).toEqual([expected, 'a'])
  })

  test.each([
    ['a: |\n  hush\n  hush', 2],
    ['a: hush\n  hush', 2],
    ['a: "hush\n  hush: b\n', 2],
    ['a: x\nhush\nb: c', 2],
    ['hush', 1],
  ])('of %j that belongs to a longer value is not shown', (text, line) => {
    expect(shown(text, line, 1, allSecret)?.join() ?? '').not.toContain('hush')
  })

  test('that is not there, or holds nothing, has no excerpt', () => {
    expect([shown('a', 2, 1, allShown), shown('a', 1, 9, allShown), shown('a\n\n', 2, 1, allShown)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('ends where its value ends in the source, whatever is shown', () => {
    expect(new SourceText('\ufeffa: {b: hush}\r\n').excerptAt(1, 8, nothingKnown)).toEqual({
      line: 1,
      text: 'a: {b: [REDACTED]}',
      from: 7,
      to: 17,
      endColumn: 12,
    })
  })
})

test.each([
  ['a: 1\n---\nb: 2\n', 2],
  ['---\na: 1\n---\nb: 2\n', 3],
  ['---\na: 1\n', undefined],
  ['a: 1\n---\n# nothing\n', undefined],
  ['a: |\n  ---\n  x\n', undefined],
])('a further document: %j', (text, line) => {
  expect(new SourceText(text).furtherDocument).toBe(line)
})

test('a name that stands for several texts has none', () => {
  const texts = new SourceTexts()
  texts.add('a', 'x: 1', true)
  texts.add('a', 'x: 1', true)
  expect([texts.get('a')?.text, texts.configurations.length]).toEqual(['x: 1', 1])
  texts.add('a', 'x: 2', false)
  expect(texts.get('a')).toBeUndefined()
})
