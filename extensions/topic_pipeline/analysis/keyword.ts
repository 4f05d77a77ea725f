import { fold } from './fold.ts'

/** Letters, digits and marks: between two of them no word begins or ends. */
const INNER = /[\p{L}\p{N}\p{M}_]/u
/** What may follow a name and make another one of it: C++, C#. */
const SUFFIX = /[+#]/

/** A word or phrase that texts are searched for: whole words only, case and width of letters ignored. */
export class Keyword {
  /** As it was written. */
  readonly text: string
  readonly #folded: string
  readonly #checkStart: boolean
  readonly #checkEnd: boolean

  constructor(text: string) {
    this.text = text.trim()
    this.#folded = fold(text)
    this.#checkStart = INNER.test(this.#folded.slice(0, 1))
    this.#checkEnd = INNER.test(lastCharacter(this.#folded))
  }

  /** How often it stands in a text that was folded before, counted up to `limit`. */
  countIn(folded: string, limit = Number.POSITIVE_INFINITY): number {
    if (this.#folded === '') return 0
    let count = 0
    for (let at = folded.indexOf(this.#folded); at >= 0 && count < limit; ) {
      const end = at + this.#folded.length
      if (this.#standsAlone(folded, at, end)) count++
      at = folded.indexOf(this.#folded, end)
    }
    return count
  }

  #standsAlone(text: string, from: number, to: number): boolean {
    if (this.#checkStart && from > 0 && INNER.test(lastCharacter(text.slice(Math.max(0, from - 2), from)))) return false
    if (!this.#checkEnd || to >= text.length) return true
    const next = String.fromCodePoint(text.codePointAt(to)!)
    return !INNER.test(next) && !SUFFIX.test(next)
  }
}

function lastCharacter(text: string): string {
  return [...text].at(-1) ?? ''
}
