import { slugOf } from './slug.ts'

/** What of a topic is searched. */
export interface Searched {
  readonly title: string
  readonly tags?: readonly string[]
  readonly content?: string
}

export interface KeywordFilter {
  /** Whether some keyword occurs, or there are none, and no negative keyword stands in title or tags. */
  accepts(topic: Searched): boolean
}

/**
 * Finds whole words, whatever their case: `ads` is not in `uploads`, `C` is not in `C++`, and the words of a phrase stand
 * next to each other, with spaces or hyphens between. A tag also matches by its slug: `tailsampling` is `tail sampling`.
 */
export function createKeywordFilter(keywords: readonly string[], negative: readonly string[]): KeywordFilter {
  const wanted = termsOf(keywords)
  const unwanted = termsOf(negative)
  return {
    accepts({ title, tags = [], content = '' }) {
      const folded = fold(title)
      if (unwanted.some(term => term.pattern.test(folded) || tags.some(tag => matchesTag(term, tag)))) return false
      if (wanted.length === 0) return true
      if (wanted.some(term => term.pattern.test(folded) || tags.some(tag => matchesTag(term, tag)))) return true
      const body = fold(content)
      return wanted.some(term => term.pattern.test(body))
    },
  }
}

interface Term {
  readonly pattern: RegExp
  /** Without hyphens. */
  readonly slug: string
}

function termsOf(keywords: readonly string[]): Term[] {
  return keywords
    .map(keyword => ({ pattern: patternOf(keyword), slug: slugOf(keyword, '') }))
    .filter((term): term is Term => term.pattern !== undefined)
}

function matchesTag(term: Term, tag: string): boolean {
  return term.pattern.test(fold(tag)) || (term.slug !== '' && slugOf(tag, '') === term.slug)
}

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** `undefined`: there is nothing to find. */
function patternOf(keyword: string): RegExp | undefined {
  const words = fold(keyword)
    .split(/[\s\p{Pd}_]+/u)
    .filter(word => word !== '')
  if (words.length === 0) return undefined
  const first = [...words[0]!][0]!
  const last = [...words.at(-1)!].at(-1)!
  const before = UNSPACED.test(first) ? '' : '(?<![\\p{L}\\p{N}_])'
  const after = UNSPACED.test(last) ? '' : '(?![\\p{L}\\p{N}_]|\\+\\+|#)'
  return new RegExp(before + words.map(escaped).join('[\\s\\p{Pd}_]+') + after, 'u')
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Text without its differences of case and of compatibility forms. */
function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
