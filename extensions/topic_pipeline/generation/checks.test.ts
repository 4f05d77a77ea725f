import { describe, expect, test } from 'vitest'
import { checkFormat, trimPost } from './check-format.ts'
import { checkGrounding } from './check-grounding.ts'
import type { NumberedSource } from './sources.ts'

const failing = (checks: readonly { name: string; ok: boolean }[]) =>
  checks.filter(({ ok }) => !ok).map(({ name }) => name)
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i % 90}`).join(' ')

describe('formats', () => {
  test('a blog post has an introduction, headings, code and a conclusion', () => {
    const post = `# Tail sampling\n\n${words(30)}\n\n## How\n\n\`\`\`yaml\na: 1\n\`\`\`\n\n## Conclusion\n\nDone.`
    expect(failing(checkFormat('blog_post', post))).toEqual([])
    expect(failing(checkFormat('blog_post', '## One\n\nText'))).toEqual([
      'intro',
      'headings',
      'code_examples',
      'conclusion',
    ])
  })

  test.each([
    [1099, ['duration']],
    [1100, []],
    [1800, []],
    [1801, ['duration']],
  ])('a script of %i spoken words: %j', (count, expected) => {
    const ending = 'Subscribe for more.'
    const spoken = `${words(20)}.\n\n## One\n\n[VISUAL: a chart]\n\n${words(count - 20 - 3)}.\n\n## Two\n\n${ending}`
    expect(failing(checkFormat('youtube_script', spoken))).toEqual(expected)
  })

  test('what is to be seen is not spoken', () => {
    const visuals = '[VISUAL] Fifty words that nobody says aloud\n\n'.repeat(40)
    const checks = checkFormat('youtube_script', `Hook of five words here.\n\n## One\n\n${visuals}${words(900)}.`)
    expect(checks.find(({ name }) => name === 'duration')?.detail).toMatch(/^905 words/)
  })

  test('a script without its parts tells each', () => {
    expect(failing(checkFormat('youtube_script', '## A\n\nShort.'))).toEqual([
      'hook',
      'sections',
      'visual_cues',
      'call_to_action',
      'duration',
    ])
  })

  test('a post is shorter than 3000 code points, counted as people see them', () => {
    const post = (length: number) =>
      `Hook.\n\n${'🙂'.repeat(length - 'Hook.\n\n'.length - '\n\nWhat do you do?\n\n#otel'.length)}\n\nWhat do you do?\n\n#otel`
    expect([...post(2999)]).toHaveLength(2999)
    expect(failing(checkFormat('linkedin_post', post(2999)))).toEqual([])
    expect(failing(checkFormat('linkedin_post', post(3000)))).toEqual(['length'])
  })

  test('a post ends with a question or a call, and has hashtags', () => {
    expect(failing(checkFormat('linkedin_post', 'Hook.\n\nIt ends.'))).toEqual([
      'question_or_call_to_action',
      'hashtags',
    ])
    expect(failing(checkFormat('linkedin_post', 'Hook.\n\nTell me below.\n\n#a #b'))).toEqual([])
    expect(failing(checkFormat('linkedin_post', `One paragraph ${words(90)} C# and a/#b`))).toContain('hashtags')
  })

  test('a newsletter has headings, bullets and key takeaways', () => {
    expect(failing(checkFormat('newsletter', '## News\n\n- a\n\n## Key takeaways\n\n- b'))).toEqual([])
    expect(failing(checkFormat('newsletter', 'Text'))).toEqual(['headings', 'bullets', 'key_takeaways'])
  })

  test('a post that is too long loses paragraphs from the middle, never its end or its hashtags', () => {
    const long = [
      'Hook.',
      ...Array.from({ length: 20 }, () => words(40)),
      'What do you think?',
      '#otel #sampling',
    ].join('\n\n')
    const trimmed = trimPost(long)
    expect([...trimmed].length).toBeLessThan(3000)
    expect(trimmed.startsWith('Hook.\n\nword0')).toBe(true)
    expect(trimmed.endsWith('What do you think?\n\n#otel #sampling')).toBe(true)
    expect([...trimPost(`${words(2000)}`)].length).toBeLessThan(3000)
    expect(trimPost('short')).toBe('short')
  })
})

describe('grounding', () => {
  const source = (marker: string, text: string): NumberedSource => ({
    source: {
      marker,
      topicId: 1,
      title: 'T',
      url: 'https://example.org',
      author: null,
      licence: null,
      excerptHash: '',
    },
    text,
    tags: [],
  })
  const given = [
    source(
      'S1',
      'Version 2.14 drops 37% of spans. The tail sampler waits thirty seconds before it decides what is kept and what is not. A **gateway** needs `Spans`, "as they say", and [more memory](https://example.org/m).',
    ),
  ]

  test('a text that keeps to its sources passes', () => {
    const text = 'Since 2.14 about 37 % of spans go [S1]. “The tail sampler waits thirty seconds” they write [S1].'
    expect(failing(checkGrounding(text, given))).toEqual([])
  })

  test.each([
    ['No source is named.', ['citations']],
    ['Made up [S4].', ['citations']],
    ['In 2019 it was so [S1].', ['numbers']],
    ['They say “nobody ever wrote this sentence here” [S1].', ['quotations']],
    ['The tail sampler waits thirty seconds before it decides what is kept and what is not [S1].', ['copying']],
    ['“The tail sampler waits thirty seconds before it decides what is kept and what is not” [S1].', []],
    ['```\nport: 4317\n```\nText [S1].', []],
    ["“A gateway needs Spans, 'as they say', and more memory” [S1].", []],
  ])('%s: %j', (text, expected) => {
    expect(failing(checkGrounding(text, given))).toEqual(expected)
  })
})
