import type { Clock } from '#core/component'
import type { TopicStore } from '../store/store.ts'
import { type AnalysisOptions, MINIMUM_LENGTH } from './analysis-options.ts'
import { type Duplicate, sameAddress, sameText, sameVector } from './duplicates.ts'
import type { Examination } from './examination.ts'
import { languageOf } from './language.ts'
import { negativeKeywords } from './negative-keywords.ts'
import { neighbourhood } from './neighbours.ts'
import { qualityScore } from './quality.ts'
import { describe } from './relevance.ts'
import type { RelevanceJudge } from './relevance-judge.ts'

/** What filters look at beside the topic. */
export interface FilterDeps {
  readonly store: Pick<TopicStore, 'topics' | 'vectors'>
  readonly clock: Clock
  readonly options: AnalysisOptions
  readonly judge: RelevanceJudge
}

/** One step of an analysis. */
export interface Filter {
  /** What rejections begin with. */
  readonly name: string
  /** Why the topic is kept out; `undefined`: it goes on. Adds what it finds out to the examination. */
  check(examination: Examination, deps: FilterDeps): Promise<string | undefined> | string | undefined
}

/** Other topics of a source that engagement is compared with: how far back, in milliseconds, and how many. */
const ENGAGEMENT_WINDOW = 90 * 24 * 3_600_000
const ENGAGEMENT_SAMPLE = 500

/** The cheapest first; the first that objects ends the analysis. */
export const FILTERS: readonly Filter[] = [
  {
    name: 'duplicate',
    async check({ subject }, { store }) {
      return duplicateOf(await sameAddress(store, subject.topic))
    },
  },
  {
    name: 'negative_keywords',
    check(examination) {
      if (examination.category === undefined) return undefined
      const { veto, penalty } = negativeKeywords(examination.subject, examination.category)
      examination.penalty = penalty
      if (penalty < 1) examination.notes.push(`Negative keywords in the text: relevance times ${penalty.toFixed(2)}`)
      return veto
    },
  },
  {
    name: 'language',
    check(examination, { options }) {
      examination.language = languageOf(examination.subject.words)
      return languageFault(examination.language, options)
    },
  },
  {
    name: 'length',
    check({ subject }, { options }) {
      const minimum = options.minimumLength?.(subject.topic.sourceType) ?? MINIMUM_LENGTH
      const { length } = subject.plain
      return length < minimum ? `${length} characters < ${minimum}` : undefined
    },
  },
  {
    name: 'quality',
    async check(examination, { store, clock, options }) {
      const { subject } = examination
      const now = clock.now()
      const sample =
        subject.topic.engagement?.score === undefined
          ? []
          : await store.topics.engagements(subject.topic.sourceType, now - ENGAGEMENT_WINDOW, ENGAGEMENT_SAMPLE)
      const quality = qualityScore(subject, sample, now)
      examination.quality = quality
      return below(quality.score, options.qualityThreshold, quality.parts)
    },
  },
  {
    name: 'duplicate',
    async check({ subject, fingerprint }, { store }) {
      return duplicateOf(await sameText(store, subject.topic.id, fingerprint))
    },
  },
  {
    name: 'duplicate',
    async check(examination, { store, clock, judge }) {
      const { topic } = examination.subject
      const { space } = judge
      const vector = await judge.embed(examination)
      if (vector === undefined || space === undefined) return undefined
      const found = await neighbourhood(store, vector, space, clock.now())
      examination.neighbourhood = found
      return duplicateOf(await sameVector(store, topic.id, found.neighbours, space))
    },
  },
  {
    name: 'relevance',
    async check(examination, { judge, options }) {
      const threshold = await judge.judge(examination)
      const { score, parts } = examination.relevance!
      const { lex, sem, llm } = parts
      const shown = Object.fromEntries(Object.entries({ lex, sem, llm }).filter(([, value]) => value !== undefined))
      return languageFault(examination.language, options) ?? below(score, threshold, shown)
    },
  },
]

/** For example `0.41 < 0.70 (lex 0.20, sem 0.30, llm 0.50)`. */
function below(score: number, threshold: number, parts: object): string | undefined {
  return score < threshold ? `${score.toFixed(2)} < ${threshold.toFixed(2)} (${describe(parts)})` : undefined
}

function languageFault(language: string | null, { languages }: AnalysisOptions): string | undefined {
  if (language === null || languages.length === 0 || languages.includes(language)) return undefined
  return `${language} is not among ${languages.join(', ')}`
}

/** The sentence that a rejection ends with; `undefined` without a duplicate. */
export function duplicateOf(duplicate: Duplicate | undefined): string | undefined {
  return duplicate && `duplicate of #${duplicate.id} (${duplicate.why})`
}
