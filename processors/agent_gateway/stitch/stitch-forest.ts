/** One span of a trace, as far as its place among the others goes. */
export interface SpanNode {
  /** Lower-case hexadecimal, as `parent`; that is empty for a root. */
  readonly id: string
  readonly parent: string
  /** In one unit, from any origin. */
  readonly start: number
  readonly end: number
  /** It reports something besides the work, such as token counts, and so never encloses other spans. */
  readonly leaf: boolean
  /** Its parent is left alone even when it is missing. */
  readonly fixed: boolean
}

/** Why a span was given another parent. */
export type Reason = 'missing_parent' | 'second_root' | 'cycle' | 'duplicate_id'

export interface Reparented {
  /** Of the span in the list. */
  readonly index: number
  /** Empty: it is the root now. */
  readonly parent: string
  readonly reason: Reason
}

/** What has left already of the same trace. */
export interface Departed {
  readonly root: string
  has(id: string): boolean
  /** Those that spans may go below when they enclose them. */
  readonly around?: readonly Pick<SpanNode, 'id' | 'start' | 'end'>[]
}

export interface Forest {
  readonly changes: readonly Reparented[]
  /** Id of the root of the trace, empty for a trace of no spans. */
  readonly root: string
}

/** Steps taken in search of enclosing spans, before the root is taken without looking: a bound for hostile traces. */
const MOST_STEPS = 4_000_000

const NONE = -1
const ELSEWHERE = -2

/**
 * Makes one tree of the spans of a trace, changing as few parents as possible.
 *
 * - The root is the span that begins first, the longest of those, when it has no parent or encloses those that have none;
 *   else the first of those that have none. No span is made up to be the root: it would be counted as work that nobody did.
 * - Spans that miss the same parent stay together: they go below the shortest span that encloses them all, since that is
 *   the nearest one can know to the parent they lost. Where none encloses them, below the root. Leaves among them, which
 *   may report on another stretch of time, do not count, and go their own way when that span does not enclose them.
 * - A second root goes below the shortest span that encloses it.
 * - A ring of parents is opened at the span that begins first.
 * - Of several spans with one id, the first decides where all of them hang.
 *
 * With `departed`, the root of earlier is the root, parents of earlier are parents, and some of earlier may enclose.
 */
export function planForest(nodes: readonly SpanNode[], departed?: Departed): Forest {
  return new Planner(nodes, departed).plan()
}

class Planner {
  /** The spans to be placed, then those that have left. */
  readonly #nodes: readonly SpanNode[]
  /** How many are to be placed. */
  readonly #count: number
  readonly #departed: Departed | undefined
  readonly #byId = new Map<string, number>()
  /** Index of the parent, {@link NONE} or {@link ELSEWHERE}. */
  readonly #parents: Int32Array
  readonly #cut = new Set<number>()
  #steps = 0

  constructor(nodes: readonly SpanNode[], departed: Departed | undefined) {
    const left = (departed?.around ?? []).map(span => ({ ...span, parent: '', leaf: false, fixed: true }))
    this.#nodes = left.length === 0 ? nodes : [...nodes, ...left]
    this.#count = nodes.length
    this.#departed = departed
    this.#parents = new Int32Array(this.#nodes.length).fill(NONE).fill(ELSEWHERE, this.#count)
    for (const [index, { id }] of this.#nodes.entries()) {
      const known = this.#byId.get(id)
      if (known === undefined || (index < this.#count && this.#earlier(index, known))) this.#byId.set(id, index)
    }
  }

  plan(): Forest {
    this.#link()
    this.#openRings()
    const tops = this.#tops()
    const root = this.#departed === undefined ? this.#rootOf(tops) : NONE
    const rootId = root === NONE ? (this.#departed?.root ?? '') : this.#nodes[root]!.id
    const changes: Reparented[] = []
    const move = (index: number, parent: string) => {
      if (this.#nodes[index]!.parent === parent) return
      changes.push({ index, parent, reason: this.#reasonOf(index) })
    }
    if (root !== NONE && !this.#stays(root)) move(root, '')
    for (const family of this.#familiesOf(tops, root)) {
      for (const [index, found] of this.#placesOf(family)) {
        const target = found === NONE ? root : found
        const id = target === NONE ? rootId : this.#nodes[target]!.id
        const isRoot = this.#nodes[index]!.id === id
        if (!isRoot) this.#parents[index] = target === NONE ? ELSEWHERE : target
        move(index, isRoot ? '' : id)
      }
    }
    this.#placeTwins(changes)
    return { changes, root: rootId }
  }

  #link(): void {
    for (let index = 0; index < this.#count; index++) {
      const { id, parent } = this.#nodes[index]!
      if (this.#isTwin(index) || parent === '' || parent === id || id === this.#departed?.root) continue
      const found = this.#byId.get(parent)
      if (found !== undefined) this.#parents[index] = found
      else if (this.#departed?.has(parent) && !this.#isBack(index)) this.#parents[index] = ELSEWHERE
    }
  }

  /** Whether a span of this id has left before: sent twice, or in two parts. */
  #isBack(index: number): boolean {
    return this.#departed?.has(this.#nodes[index]!.id) ?? false
  }

  #openRings(): void {
    const seen = new Int32Array(this.#nodes.length)
    for (let first = 0; first < this.#count; first++) {
      let at = first
      while (at >= 0 && seen[at] === 0) {
        seen[at] = first + 1
        at = this.#parents[at]!
      }
      if (at < 0 || seen[at] !== first + 1) continue
      let open = at
      for (let next = this.#parents[at]!; next !== at; next = this.#parents[next]!) {
        if (this.#earlier(next, open)) open = next
      }
      this.#cutOff(open)
    }
  }

  #cutOff(index: number): void {
    this.#parents[index] = NONE
    this.#cut.add(index)
  }

  /** Whether an earlier span has the same id. */
  #isTwin(index: number): boolean {
    return this.#byId.get(this.#nodes[index]!.id) !== index
  }

  #placeTwins(changes: Reparented[]): void {
    if (this.#byId.size === this.#nodes.length) return
    const moved = new Map(changes.map(({ index, parent }) => [index, parent]))
    for (let index = 0; index < this.#count; index++) {
      const { id, parent, fixed } = this.#nodes[index]!
      const first = this.#byId.get(id)!
      if (first === index || fixed) continue
      const place = moved.get(first) ?? this.#nodes[first]!.parent
      if (place !== parent) changes.push({ index, parent: place, reason: 'duplicate_id' })
    }
  }

  /** Spans whose parent is not there. */
  #tops(): number[] {
    const tops: number[] = []
    for (const [index, parent] of this.#parents.entries()) {
      if (parent === NONE && !this.#isTwin(index)) tops.push(index)
    }
    return tops
  }

  #rootOf(tops: readonly number[]): number {
    const inner = tops.filter(index => !this.#nodes[index]!.leaf)
    const candidates = inner.length > 0 ? inner : tops
    const first = this.#first(candidates)
    const genuine = candidates.filter(index => this.#isGenuine(index))
    if (first === NONE || genuine.length === 0 || this.#isGenuine(first)) return first
    return genuine.every(index => this.#encloses(first, index)) ? first : this.#first(genuine)
  }

  /** It has no parent, or one that lives elsewhere. */
  #isGenuine(index: number): boolean {
    return this.#nodes[index]!.parent === '' || this.#stays(index)
  }

  #stays(index: number): boolean {
    const { fixed, id, parent } = this.#nodes[index]!
    return fixed && parent !== id && !this.#cut.has(index)
  }

  #first(candidates: readonly number[]): number {
    let best = NONE
    for (const index of candidates) if (best === NONE || this.#earlier(index, best)) best = index
    return best
  }

  /** Tops that are to be moved, those that miss the same parent together. */
  #familiesOf(tops: readonly number[], root: number): Iterable<readonly number[]> {
    const families = new Map<string | number, number[]>()
    for (const index of tops) {
      const node = this.#nodes[index]!
      if (index === root || this.#stays(index)) continue
      const key = node.parent === '' || this.#cut.has(index) || this.#isBack(index) ? index : node.parent
      const family = families.get(key)
      if (family === undefined) families.set(key, [index])
      else family.push(index)
    }
    return families.values()
  }

  /** Each of a family with the span it goes below, {@link NONE} for the root. To be followed one by one. */
  *#placesOf(family: readonly number[]): Iterable<[index: number, target: number]> {
    const isBack = this.#isBack(family[0]!)
    const inner = family.filter(index => !this.#nodes[index]!.leaf)
    const target = isBack || inner.length === 0 ? NONE : this.#around(inner, family)
    for (const index of inner) yield [index, target]
    for (const index of family) {
      if (!this.#nodes[index]!.leaf) continue
      if (isBack || (target !== NONE && this.#encloses(target, index))) yield [index, target]
      else yield [index, this.#around([index], family)]
    }
  }

  /** The shortest span that encloses all of `inner`, is longer than that, and is not below one of the family. */
  #around(inner: readonly number[], family: readonly number[]): number {
    let start = Number.POSITIVE_INFINITY
    let end = Number.NEGATIVE_INFINITY
    for (const index of inner) {
      start = Math.min(start, this.#nodes[index]!.start)
      end = Math.max(end, this.#nodes[index]!.end)
    }
    let best = NONE
    let bestLength = Number.POSITIVE_INFINITY
    const members = new Set(family)
    this.#steps += this.#nodes.length
    if (this.#steps > MOST_STEPS) return NONE
    for (const [index, node] of this.#nodes.entries()) {
      const length = node.end - node.start
      if (node.leaf || node.start > start || node.end < end || length === end - start) continue
      if (length >= bestLength || this.#isTwin(index) || this.#leadsTo(index, members)) continue
      best = index
      bestLength = length
    }
    return best
  }

  #leadsTo(from: number, members: ReadonlySet<number>): boolean {
    for (let at = from; at >= 0; at = this.#parents[at]!) {
      if (members.has(at) || this.#steps++ > MOST_STEPS) return true
    }
    return false
  }

  #encloses(outer: number, inner: number): boolean {
    const a = this.#nodes[outer]!
    const b = this.#nodes[inner]!
    return a.start <= b.start && a.end >= b.end
  }

  /** Begins before, or is longer, or comes first in the list. */
  #earlier(a: number, b: number): boolean {
    const one = this.#nodes[a]!
    const other = this.#nodes[b]!
    if (one.start !== other.start) return one.start < other.start
    if (one.end !== other.end) return one.end > other.end
    return a < b
  }

  #reasonOf(index: number): Reason {
    if (this.#cut.has(index)) return 'cycle'
    const { parent, id } = this.#nodes[index]!
    if (parent === '') return 'second_root'
    return parent === id ? 'cycle' : 'missing_parent'
  }
}
