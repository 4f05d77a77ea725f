import { sentencesOf } from '../language_model/sentences.ts'
import { STOP_WORDS, wordsOf } from '../language_model/words.ts'

/** So many characters, and sentences, are looked at. */
const SAMPLE = 8000
const MOST_SENTENCES = 30
const LONGEST = 400
const CHOSEN = 3
const DAMPING = 0.85
const ROUNDS = 20

/**
 * The sentences of a text that say most of what the others say, in their order, at most 400 characters. Sentences
 * vouch for each other by the words that they share; earlier ones count a little more.
 * Source: R. Mihalcea and P. Tarau, TextRank
 */
export function summaryOf(markdown: string): string {
  const all = sentencesOf(markdown.slice(0, SAMPLE))
  const sentences = all.filter(sentence => sentence.length >= 30 && sentence.length <= LONGEST).slice(0, MOST_SENTENCES)
  if (sentences.length === 0) return beginning(all.join(' '))
  const ranks = rank(sentences.map(sentence => new Set(wordsOf(sentence).filter(word => !STOP_WORDS.has(word)))))
  const order = ranks
    .map((value, i) => ({ i, value: value * (1 + 0.5 / (1 + i)) }))
    .sort((a, b) => b.value - a.value || a.i - b.i)
  const chosen: number[] = []
  let length = 0
  for (const { i } of order) {
    if (chosen.length === CHOSEN) break
    if (length + sentences[i]!.length + 1 > LONGEST) continue
    chosen.push(i)
    length += sentences[i]!.length + 1
  }
  return chosen
    .sort((a, b) => a - b)
    .map(i => sentences[i]!)
    .join(' ')
}

/** At most 400 characters, to a word's end. */
export function beginning(text: string, longest = LONGEST): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= longest) return line
  const cut = line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')
  return `${cut.slice(0, cut.lastIndexOf(' ') > longest / 2 ? cut.lastIndexOf(' ') : cut.length)}…`
}

function rank(words: readonly ReadonlySet<string>[]): number[] {
  const weights = words.map((a, i) => words.map((b, j) => (i === j ? 0 : overlap(a, b))))
  const sums = weights.map(row => row.reduce((sum, weight) => sum + weight, 0))
  let ranks = words.map(() => 1)
  for (let round = 0; round < ROUNDS; round++) {
    ranks = ranks.map((_, i) => {
      const votes = ranks.reduce((sum, other, j) => sum + (sums[j]! > 0 ? (other * weights[j]![i]!) / sums[j]! : 0), 0)
      return 1 - DAMPING + DAMPING * votes
    })
  }
  return ranks
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const word of a) if (b.has(word)) common++
  const length = Math.log(1 + a.size) + Math.log(1 + b.size)
  return length === 0 ? 0 : common / length
}
