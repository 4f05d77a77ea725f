/**
 * How long the steps of an analysis hold the event loop, over long texts: the first call, the median and the 90th
 * percentile of the others, in milliseconds of wall time: other programs on a busy
 * machine count. Ends with code 1 when a median is above 5 ms.
 *
 * node test/bench/topic-analysis.ts
 */
import { fingerprintOf } from '../../extensions/topic_pipeline/analysis/duplicates.ts'
import { languageOf } from '../../extensions/topic_pipeline/analysis/language.ts'
import { lexicalScore } from '../../extensions/topic_pipeline/analysis/lexical.ts'
import { qualityScore } from '../../extensions/topic_pipeline/analysis/quality.ts'
import { subjectOf } from '../../extensions/topic_pipeline/analysis/subject.ts'
import { summaryOf } from '../../extensions/topic_pipeline/analysis/summary.ts'
import { tagsOf } from '../../extensions/topic_pipeline/analysis/tags.ts'
import { hashedEmbedding } from '../../extensions/topic_pipeline/language_model/hashed-embedding.ts'
import type { Category } from '../../extensions/topic_pipeline/model/category.ts'
import type { Topic } from '../../extensions/topic_pipeline/model/topic.ts'

const RUNS = 200
const BUDGET = 5

/** The same numbers every time. Source: S. Park and K. Miller, minimal standard generator. */
let seed = 1
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}

const vocabulary = Array.from({ length: 4000 }, (_, i) => `word${((i * 7919) % 10_007).toString(36)}`)
let body = ''
while (body.length < 1_000_000) {
  const end = random() < 0.08 ? '. The ' : ' '
  body += vocabulary[Math.floor(random() ** 2 * vocabulary.length)]! + end + (random() < 0.01 ? '\n\n' : '')
}
const topic = {
  ...{ id: 1, title: 'Tail sampling at scale', tags: ['a', 'b'], extractedContent: body, url: 'https://example.com/y' },
  ...{ sourceType: 'devto', extractionStatus: 'COMPLETED', collectedAt: 0 },
} as unknown as Topic
const category = {
  keywords: Array.from({ length: 20 }, (_, i) => vocabulary[i * 3]!),
  negativeKeywords: [],
} as unknown as Category
const subject = subjectOf(topic)
const embedded = body.slice(0, 2000)

const STEPS: Readonly<Record<string, () => unknown>> = {
  'views of the text': () => subjectOf(topic),
  language: () => languageOf(subject.words),
  quality: () => qualityScore(subject, [], 0),
  'shingles and MinHash': () => fingerprintOf(subject),
  'keywords (20)': () => lexicalScore(subject, category),
  'hashing-v1, 2000 chars': () => hashedEmbedding(embedded, 1536),
  summary: () => summaryOf(subject.body),
  tags: () => tagsOf(subject, []),
}

let slow = false
console.log(`Body of ${body.length} characters, of which ${subject.body.length} are looked at; ${RUNS} runs; ms`)
for (const [name, step] of Object.entries(STEPS)) {
  const times = Array.from({ length: RUNS + 1 }, () => {
    const started = performance.now()
    step()
    return performance.now() - started
  })
  const [first, ...rest] = times as [number, ...number[]]
  rest.sort((a, b) => a - b)
  const [median, most] = [rest[RUNS >> 1]!, rest[Math.floor(RUNS * 0.9)]!]
  slow ||= median > BUDGET
  console.log(`${name.padEnd(24)} first ${first.toFixed(2)}   median ${median.toFixed(2)}   p90 ${most.toFixed(2)}`)
}
process.exitCode = slow ? 1 : 0
