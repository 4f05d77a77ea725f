import type { EmbeddingSpace } from '../language_model/language-model.ts'
import type { Category } from '../model/category.ts'
import { type LexicalScore, lexicalScore } from './lexical.ts'
import { ramp, weightedMean } from './quality.ts'
import type { Subject } from './subject.ts'

/** Parts of the relevance score, each 0 to 1; what could not be had is absent. */
export interface RelevanceParts {
  /** Keywords. */
  readonly lex?: number
  /** Nearness of topic and category as vectors. */
  readonly sem?: number
  /** What a language model says. */
  readonly llm?: number
}

const WEIGHTS = { lex: 0.3, sem: 0.2, llm: 0.5 } as const

/** The parts that cost nothing, and which keywords were found. */
export interface CheapRelevance {
  readonly parts: RelevanceParts
  readonly lexical: LexicalScore | undefined
}

/**
 * From which cosine of topic and category on their nearness counts, and where it is complete. A category is a few words:
 * no article comes as near to it as to another article.
 */
const SCALE = {
  lexical: ({ related, group }) => [related / 2, group],
  semantic: ({ related }) => [0.4 * related, 0.9 * related],
} as const satisfies Record<EmbeddingSpace['kind'], (thresholds: EmbeddingSpace['thresholds']) => [number, number]>

/** Relevance by keywords and, where both have vectors, by their cosine on the scale of the embedding space. */
export function cheapRelevance(
  subject: Subject,
  category: Category,
  similarity: number | undefined,
  space: EmbeddingSpace | undefined,
): CheapRelevance {
  const lexical = lexicalScore(subject, category)
  const sem =
    similarity === undefined || space === undefined
      ? undefined
      : ramp(similarity, ...SCALE[space.kind](space.thresholds))
  return { lexical, parts: { ...(lexical && { lex: lexical.score }), ...(sem !== undefined && { sem }) } }
}

/** Neither keywords nor vectors speak for a topic: no model need be paid to say so. */
export function isHopeless({ lex, sem }: RelevanceParts): boolean {
  return lex === 0 && (sem ?? 0) < 0.2
}

/** The whole, times the penalty for negative keywords in the body. */
export function relevanceScore(parts: RelevanceParts, penalty: number): number {
  return weightedMean<keyof RelevanceParts>(parts, WEIGHTS) * penalty
}

/** For example `lex 0.20, sem 0.30, llm 0.50`. */
export function describe(parts: object): string {
  return Object.entries(parts)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toFixed(2) : value}`)
    .join(', ')
}

/** What a category is embedded by. */
export function categoryText({ name, description, keywords }: Category): string {
  return `${name}\n${description}\n${keywords.join(', ')}`
}
