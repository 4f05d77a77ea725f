import type { Change } from '../api/service.ts'

/** Edits that are searched for before the rest of both texts is told as one change. */
const MOST_EDITS = 800

/** Word by word, what became of a text: shortest list of edits after Myers. Runs of words in reading order. */
export function compareDrafts(before: string, after: string): Change[] {
  const [a, b] = [tokens(before), tokens(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const changes: Change[] = []
  const tell = (kind: Change['kind'], words: readonly string[]) => {
    if (words.length === 0) return
    const last = changes.at(-1)
    if (last?.kind === kind) changes[changes.length - 1] = { kind, text: last.text + words.join('') }
    else changes.push({ kind, text: words.join('') })
  }
  tell('same', a.slice(0, start))
  for (const [kind, word] of edits(a.slice(start, a.length - end), b.slice(start, b.length - end))) tell(kind, [word])
  tell('same', a.slice(a.length - end))
  return changes
}

/** Words with the white space behind them. */
function tokens(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

function edits(a: readonly string[], b: readonly string[]): [Change['kind'], string][] {
  const numbers = new Map<string, number>()
  const trace = furthest(numbered(a, numbers), numbered(b, numbers))
  if (trace === undefined) {
    return [...a.map(word => ['removed', word] as const), ...b.map(word => ['added', word] as const)].map(each => [
      ...each,
    ])
  }
  const told: [Change['kind'], string][] = []
  let [x, y] = [a.length, b.length]
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = trace[d]!
    const k = x - y
    const down = goesDown(reached, k, d)
    const from = d === 0 ? 0 : reached[d + (down ? k + 1 : k - 1)]!
    const fromY = d === 0 ? 0 : from - (down ? k + 1 : k - 1)
    while (x > from + (d > 0 && !down ? 1 : 0) && y > fromY + (d > 0 && down ? 1 : 0)) {
      told.push(['same', a[--x]!])
      y--
    }
    if (d === 0) break
    if (down) told.push(['added', b[--y]!])
    else told.push(['removed', a[--x]!])
  }
  return told.reverse()
}

/** Equal words get equal numbers, which are compared faster. */
function numbered(words: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(words, word => {
    const known = numbers.get(word)
    if (known === undefined) numbers.set(word, numbers.size)
    return known ?? numbers.size - 1
  })
}

/**
 * For each number of edits `d`, how far along `a` every diagonal `k` from `-d` to `d` had come before them, at index
 * `d + k`; `undefined`: too many edits.
 */
function furthest(a: Int32Array, b: Int32Array): Int32Array[] | undefined {
  const most = Math.min(MOST_EDITS, a.length + b.length)
  const middle = most + 1
  const reached = new Int32Array(2 * middle + 1).fill(-1)
  reached[middle + 1] = 0
  const trace: Int32Array[] = []
  for (let d = 0; d <= most; d++) {
    const before = reached.slice(middle - d, middle + d + 1)
    trace.push(before)
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(before, k, d) ? reached[middle + k + 1]! : reached[middle + k - 1]! + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reached[middle + k] = x
      if (x >= a.length && x - k >= b.length) return trace
    }
  }
  return undefined
}

/** Whether the last of `d` edits on diagonal `k` added a word. */
function goesDown(before: Int32Array, k: number, d: number): boolean {
  return k === -d || (k !== d && before[d + k - 1]! < before[d + k + 1]!)
}
