/**
 * The word nearest to `word` by insertions, deletions, replacements and swaps of neighbours, case aside. Undefined when
 * none is near enough to be meant.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === '' || word.length > MAX_LENGTH) return undefined
  const wanted = normalize(word)
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, normalize(candidate))
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

const MAX_LENGTH = 100

/** `maxBatchSize`, `max-batch-size` and `max_batch_size` are the same word to whoever wrote them. */
function normalize(word: string): string {
  return word.toLowerCase().replace(/[-_. ]/g, '')
}

/** Optimal string alignment distance. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let distance = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) distance = Math.min(distance, before[j - 2]! + 1)
      next.push(distance)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
