import { setImmediate } from 'node:timers/promises'
import { FUNCTION_WORDS } from './function-words.ts'

/** How a text is written, by counting. Rates are per thousand words. */
export interface Measures {
  readonly words: number
  readonly sentences: number
  /** Words a sentence. */
  readonly sentenceLength: number
  /** Standard deviation of the words a sentence. */
  readonly sentenceSpread: number
  /** Words a paragraph. */
  readonly paragraphLength: number
  /** Share of words of seven letters and more, 0 to 1. */
  readonly longWords: number
  readonly rates: Readonly<Record<Trait, number>>
  /** Rate of each of the commonest words, which say who writes because nobody chooses them. */
  readonly functionWords: Readonly<Record<string, number>>
}

export const TRAITS = [
  'commas',
  'semicolons',
  'dashes',
  'parentheses',
  'exclamations',
  'questions',
  'firstPerson',
  'secondPerson',
  'contractions',
  'headings',
  'listItems',
  'codeBlocks',
] as const
export type Trait = (typeof TRAITS)[number]

/** Characters that are measured; a style does not change behind them. */
export const MEASURED = 40_000
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })
const WORD = /\p{L}[\p{L}\p{N}]*(?:['’-][\p{L}\p{N}]+)*/gu
/** Words that are counted at a turn of the event loop. */
const TURN = 5000
const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm

/** Counts. `text` is Markdown or plain text; code is not counted as prose. */
export function measure(text: string): Measures {
  const whole = text.slice(0, MEASURED).replace(/\r\n?/g, '\n')
  const prose = whole.replace(FENCED, '\n\n').replace(/`[^`\n]*`/g, 'code')
  const running = prose.replace(/^#{1,6}\s.*$/gm, '').replace(/^\s*(?:[-*+]|\d+[.)])\s+/gm, '')
  const words = wordsOf(prose)
  const lengths = sentencesOf(running).map(sentence => wordsOf(sentence).length)
  const paragraphs = running
    .split(/\n\s*\n/)
    .map(each => wordsOf(each).length)
    .filter(length => length > 0)
  const per = (count: number) => (words.length === 0 ? 0 : (count * 1000) / words.length)
  const count = (pattern: RegExp, within = prose) => within.match(pattern)?.length ?? 0
  const rates: Record<Trait, number> = {
    commas: per(count(/,/g)),
    semicolons: per(count(/;/g)),
    dashes: per(count(/[–—]| - /g)),
    parentheses: per(count(/\(/g)),
    exclamations: per(count(/!(?!\[)/g)),
    questions: per(count(/\?/g)),
    firstPerson: per(count(/\b(?:I|I['’](?:m|ve|d|ll)|me|my|mine|we|us|our|ours|we['’](?:re|ve|d|ll))\b/g)),
    secondPerson: per(count(/\b(?:you|your|yours|yourself|you['’](?:re|ve|d|ll))\b/gi)),
    contractions: per(count(/\p{L}['’](?:s|t|re|ve|m|d|ll)\b/giu)),
    headings: per(count(/^#{1,6}\s/gm)),
    listItems: per(count(/^\s*(?:[-*+]|\d+[.)])\s+/gm)),
    codeBlocks: per(count(FENCED, whole)),
  }
  const seen = new Map<string, number>()
  for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1)
  return {
    words: words.length,
    sentences: lengths.length,
    sentenceLength: mean(lengths),
    sentenceSpread: deviation(lengths),
    paragraphLength: mean(paragraphs),
    longWords: words.length === 0 ? 0 : words.filter(word => word.length >= 7).length / words.length,
    rates,
    functionWords: Object.fromEntries(FUNCTION_WORDS.map(word => [word, per(seen.get(word) ?? 0)])),
  }
}

/** The words of a text in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

/** How many words a text has, however long it is: gives way to others now and then. */
export async function countWords(text: string): Promise<number> {
  let words = 0
  for (const _ of text.matchAll(WORD)) {
    words++
    if (words % TURN === 0) await setImmediate()
  }
  return words
}

/** The sentences of running text that have words in them. */
export function sentencesOf(text: string): string[] {
  return [...SENTENCES.segment(text)].map(({ segment }) => segment.trim()).filter(each => /\p{L}/u.test(each))
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Standard deviation of all there are. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map(value => (value - middle) ** 2)))
}
