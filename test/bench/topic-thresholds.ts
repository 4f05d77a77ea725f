/**
 * Precision and recall of the thresholds for duplicates, groups and related topics over the labelled pairs of
 * `extensions/topic_pipeline/analysis/testdata/stories.json`, for the word vectors that need no model. Deterministic.
 *
 * node test/bench/topic-thresholds.ts
 */
import { jaccard, shinglesOf } from '../../extensions/topic_pipeline/analysis/fingerprint.ts'
import {
  labelledPairs,
  type Relation,
  type Story,
} from '../../extensions/topic_pipeline/analysis/stories.test-support.ts'
import { embeddedText } from '../../extensions/topic_pipeline/analysis/subject.ts'
import { THRESHOLDS } from '../../extensions/topic_pipeline/language_model/embedding-space.ts'
import { hashedEmbedding } from '../../extensions/topic_pipeline/language_model/hashed-embedding.ts'
import { wordsOf } from '../../extensions/topic_pipeline/language_model/words.ts'

const DIMENSIONS = 1536

interface Measured {
  readonly relation: Relation
  readonly name: string
  readonly value: number
}

const vectors = new Map<string, Float32Array>()
const vectorOf = ({ title, text }: Story) => {
  const embedded = embeddedText(title, text)
  const known = vectors.get(embedded) ?? hashedEmbedding(embedded, DIMENSIONS)
  vectors.set(embedded, known)
  return known
}

const cosines: Measured[] = labelledPairs().map(({ a, b, ...pair }) => {
  const other = vectorOf(b)
  return { ...pair, value: vectorOf(a).reduce((sum, x, i) => sum + x * other[i]!, 0) }
})
const shared: Measured[] = labelledPairs().map(({ a, b, ...pair }) => ({
  ...pair,
  value: jaccard(shinglesOf(wordsOf(a.text)), shinglesOf(wordsOf(b.text))),
}))

function spread(title: string, pairs: readonly Measured[]): void {
  console.log(`\n${title}`)
  for (const relation of ['duplicate', 'group', 'related', 'unrelated'] as const) {
    const values = pairs.filter(pair => pair.relation === relation).map(({ value }) => value)
    values.sort((x, y) => x - y)
    const [least, median, most] = [values[0]!, values[values.length >> 1]!, values.at(-1)!]
    const figures = [least, median, most].map(value => value.toFixed(3)).join(' / ')
    console.log(
      `  ${relation.padEnd(10)} ${String(values.length).padStart(3)} pairs   least / median / most ${figures}`,
    )
  }
}

/** How well `value >= threshold` tells pairs of these relations from the others. */
function score(what: string, pairs: readonly Measured[], threshold: number, relations: readonly Relation[]): void {
  const found = pairs.filter(({ value }) => value >= threshold)
  const right = found.filter(({ relation }) => relations.includes(relation)).length
  const wanted = pairs.filter(({ relation }) => relations.includes(relation)).length
  const precision = found.length === 0 ? 1 : right / found.length
  console.log(
    `  ${what.padEnd(24)} >= ${threshold.toFixed(2)}   precision ${precision.toFixed(3)}   recall ${(right / wanted).toFixed(3)}   (${right} of ${wanted}, ${found.length - right} wrong)`,
  )
}

spread('Cosine of hashing-v1', cosines)
spread('Shared shingles (Jaccard)', shared)
const { duplicate, group, related } = THRESHOLDS.lexical
console.log('\nThresholds in use')
score('duplicate by text', shared, 0.8, ['duplicate'])
score('duplicate by vector', cosines, duplicate, ['duplicate'])
score('group', cosines, group, ['duplicate', 'group'])
score('related', cosines, related, ['duplicate', 'group', 'related'])
console.log('\nOther thresholds')
for (const [what, relations, values] of [
  ['duplicate', ['duplicate'], [0.6, 0.65, 0.7, 0.75, 0.8, 0.85]],
  ['group', ['duplicate', 'group'], [0.15, 0.2, 0.22, 0.25, 0.3, 0.35]],
  ['related', ['duplicate', 'group', 'related'], [0.04, 0.06, 0.08, 0.1, 0.12, 0.15]],
] as const) {
  for (const value of values) score(what, cosines, value, relations)
}
