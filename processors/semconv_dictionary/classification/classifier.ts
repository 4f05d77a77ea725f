import type { Entry } from '../dictionary/entry.ts'
import { classify, type Verdict } from './classify.ts'
import type { Conventions } from './conventions.ts'

interface Known {
  readonly verdict: Verdict
  /** What of the entry the verdict rests on. */
  readonly values: number
  readonly unit: string
}

/** Verdicts on entries, kept until the entry or the conventions change. Knows nothing until conventions are loaded. */
export class Classifier {
  #conventions: Conventions | undefined
  #known = new WeakMap<Entry, Known>()

  get conventions(): Conventions | undefined {
    return this.#conventions
  }

  use(conventions: Conventions): void {
    this.#conventions = conventions
    this.#known = new WeakMap()
  }

  /** `undefined` while no conventions are loaded. */
  verdict(entry: Entry): Verdict | undefined {
    if (this.#conventions === undefined) return undefined
    const known = this.#known.get(entry)
    if (known !== undefined && known.values === entry.values && known.unit === entry.unit) return known.verdict
    const verdict = classify(entry, this.#conventions)
    this.#known.set(entry, { verdict, values: entry.values, unit: entry.unit })
    return verdict
  }

  /** Whether the standard has the name. */
  isStandard(entry: Entry): boolean {
    return this.#conventions?.find(entry.kind, entry.name) !== undefined
  }
}
