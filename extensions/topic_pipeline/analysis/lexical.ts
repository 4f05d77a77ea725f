import type { Category } from '../model/category.ts'
import { slugOf } from '../scanners/slug.ts'
import { Keyword } from './keyword.ts'
import type { Subject } from './subject.ts'

/** How much a keyword in each field counts. */
const FIELDS = { title: 3, tags: 2, body: 1 } as const
/** BM25's saturation and correction for length. A usual article has so many words; a shorter one gains nothing. */
const K1 = 1.2
const B = 0.75
const USUAL_WORDS = 600
/** One keyword in the title alone comes to 0.6 of the scale. */
const HALF = 1
/** Occurrences beyond this change nothing. */
const ENOUGH = 100

export interface LexicalScore {
  /** 0 to 1. */
  readonly score: number
  /** Keywords that were found, as the category has them. */
  readonly found: readonly string[]
}

/**
 * How much a topic is about a category's keywords: BM25 over title, tags and body, where each keyword counts the same,
 * saturating towards 1. `undefined` when there are no keywords.
 */
export function lexicalScore(subject: Subject, category: Category): LexicalScore | undefined {
  const keywords = category.keywords.map(text => new Keyword(text)).filter(({ text }) => text !== '')
  if (keywords.length === 0) return undefined
  const length = Math.max(1, 1 - B + (B * subject.words.length) / USUAL_WORDS)
  const slugs = new Set(subject.topic.tags.map(tag => slugOf(tag, '')))
  let sum = 0
  const found: string[] = []
  for (const keyword of keywords) {
    const weight = weighted(keyword, subject, slugs, length)
    if (weight === 0) continue
    found.push(keyword.text)
    sum += (weight * (K1 + 1)) / (weight + K1)
  }
  return { score: sum / (sum + HALF), found }
}

/**
 * A long text mentions many things: only what stands in the body is measured by its length. Sites write tags without
 * blanks and signs, so a keyword's own tag counts, too: `distributedtracing`, `cpp`.
 */
function weighted(keyword: Keyword, { folded }: Subject, slugs: ReadonlySet<string>, length: number): number {
  const title = FIELDS.title * keyword.countIn(folded.title, ENOUGH)
  const tags = FIELDS.tags * Math.max(keyword.countIn(folded.tags, ENOUGH), slugs.has(slugOf(keyword.text, '')) ? 1 : 0)
  return title + tags + (FIELDS.body * keyword.countIn(folded.body, ENOUGH)) / length
}
