import type { Category } from '../model/category.ts'
import { Keyword } from './keyword.ts'
import type { Subject } from './subject.ts'

export interface NegativeVerdict {
  /** Why the topic is out; `undefined` when it is not. */
  readonly veto: string | undefined
  /** What relevance is multiplied by: 1 without any in the body, at least 0.5. */
  readonly penalty: number
}

/** Occurrences in a hundred words from which the penalty is full. */
const DENSE = 2

/** A negative keyword in title or tags keeps a topic out; in the body it counts against it, by how often it occurs. */
export function negativeKeywords(subject: Subject, category: Category): NegativeVerdict {
  let occurrences = 0
  for (const text of category.negativeKeywords) {
    const keyword = new Keyword(text)
    const { title, tags, body } = subject.folded
    if (keyword.countIn(title, 1) > 0) return { veto: `"${keyword.text}" is in the title`, penalty: 0 }
    if (keyword.countIn(tags, 1) > 0) return { veto: `"${keyword.text}" is among the tags`, penalty: 0 }
    occurrences += keyword.countIn(body, 1000)
  }
  const density = (100 * occurrences) / Math.max(100, subject.words.length)
  return { veto: undefined, penalty: 1 - 0.5 * Math.min(1, density / DENSE) }
}
