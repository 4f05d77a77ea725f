import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText, sentencesOf } from '../language_model/sentences.ts'
import { wordsOf } from '../language_model/words.ts'
import type { Topic } from '../model/topic.ts'
import { languageOf } from './language.ts'
import { stories } from './stories.test-support.ts'
import { subjectOf } from './subject.ts'
import { beginning, summaryOf } from './summary.ts'
import { cleanTags, tagsOf } from './tags.ts'

describe('the language of a text', () => {
  it.each([
    ['en', stories[0]!.original.text],
    ['de', 'Das ist nicht so einfach, wie es aussieht, denn alle Teile müssen auf dem Rechner ankommen.'],
    [
      'fr',
      'Ce n’est pas aussi simple que cela, car toutes les parties de la trace doivent arriver dans le collecteur.',
    ],
    ['es', 'No es tan sencillo como parece, porque todas las partes de la traza tienen que llegar al colector.'],
    ['pt', 'Não é tão simples como parece, porque as partes do rastro também têm que chegar ao mesmo coletor.'],
    [
      'it',
      'Non è così semplice come sembra, perché tutte le parti della traccia devono arrivare nella stessa macchina.',
    ],
    ['nl', 'Het is niet zo eenvoudig als het lijkt, want alle delen van een spoor moeten bij de verzamelaar aankomen.'],
    ['pl', 'To nie jest tak proste, jak się wydaje, bo wszystkie części muszą być już na tym komputerze.'],
    ['ru', 'Это не так просто, как кажется, потому что все части должны прийти.'],
    ['zh', '这并不像看起来那么简单,因为所有部分都必须到达同一个收集器。'],
    ['ja', 'これは見た目ほど簡単ではありません。すべての部分が同じコレクタに届く必要があります。'],
    ['ko', '모든 부분이 같은 수집기에 도착해야 하므로 보이는 것만큼 간단하지 않습니다.'],
  ])('is %s', (language, text) => {
    expect(languageOf(wordsOf(text))).toBe(language)
  })

  it('is not told from a few words, names or code', () => {
    for (const text of ['', 'OpenTelemetry Collector', 'foo bar baz qux', '12 34 56']) {
      expect(languageOf(wordsOf(text))).toBeNull()
    }
  })

  it('is English for English with a quotation', () => {
    const text = `${stories[1]!.original.text} Wie man so sagt: das ist nicht so einfach.`
    expect(languageOf(wordsOf(text))).toBe('en')
  })
})

describe('a summary', () => {
  it('is made of sentences of the text, in their order, at most 400 characters', () => {
    for (const { original, retelling } of stories) {
      const whole = `# A heading\n\n${original.text}\n\n${retelling.text}`
      const summary = summaryOf(whole)
      expect(summary.length).toBeGreaterThan(60)
      expect(summary.length).toBeLessThanOrEqual(400)
      const places = sentencesOf(summary).map(sentence => plainText(whole).indexOf(sentence))
      expect(places).not.toContain(-1)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    }
  })

  it('of a text without whole sentences is its beginning', () => {
    expect(summaryOf('short')).toBe('short')
    expect(summaryOf(`${'word '.repeat(300)}`)).toMatch(/^word [\s\S]{300,398}…$/)
    expect(summaryOf('')).toBe('')
    expect(beginning('😀'.repeat(300), 100)).toMatch(/^(?:😀)+…$/u)
  })
})

describe('tags', () => {
  const topic = {
    id: 1,
    title: 'Sampling traces',
    tags: ['OpenTelemetry'],
    extractedContent: stories[0]!.original.text,
  }

  it('are those of the source, keywords that were found and words that stand out', () => {
    const tags = tagsOf(subjectOf(topic as unknown as Topic), ['Tail Sampling'])
    expect(tags.slice(0, 2)).toEqual(['opentelemetry', 'tail sampling'])
    expect(tags).toContain('spans')
    expect(tags.length).toBeLessThanOrEqual(8)
  })

  it('can be joined by commas', () => {
    expect(cleanTags(['#A, b', ' c ', 'C', '', 7, 'x'.repeat(41), 'd\ne'])).toEqual(['a b', 'c', 'd e'])
  })
})

describe('plain text of Markdown', () => {
  it('has no code, marks, addresses and tables', () => {
    const markdown =
      '# Title\n\nA *bold* [link](https://a.example) and `code` at https://b.example now.\n\n```js\nvar x\n```\n\n| a | b |\n\n> quoted\n- item\n1. first\n![alt](x.png) 2 \\* 3 snake_case __strong__'
    expect(plainText(markdown).replace(/\s+/g, ' ').trim()).toBe(
      'Title A bold link and code at now. quoted item first 2 * 3 snake_case strong',
    )
  })

  it('takes no longer for hostile Markdown', () => {
    const piece = fc.constantFrom('[', '![', '](', '<', '```\n', '\n', ' ', '*', '- ', '|', '. ', 'a', '`', '\\')
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), pieces => {
        const text = pieces.join('').repeat(5000).slice(0, 20_000)
        const started = performance.now()
        sentencesOf(text)
        expect(performance.now() - started).toBeLessThan(2000)
      }),
      { numRuns: 60 },
    )
  })
})
