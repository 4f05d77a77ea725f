import { STOP_WORDS } from '../language_model/words.ts'
import type { Subject } from './subject.ts'

const MOST = 8
const LONGEST = 40
/** Terms of the text beside the source's own tags. */
const TERMS = 4
/** A term that occurs less often says nothing. */
const LEAST = 3

/** Tags without a model: those of the source, keywords of the category that were found, terms that stand out in the text. */
export function tagsOf(subject: Subject, keywords: readonly string[]): string[] {
  return cleanTags([...subject.topic.tags, ...keywords, ...terms(subject)])
}

/** At most eight, each once, in lower case, of at most 40 characters, and without the comma that lists of tags are split at. */
export function cleanTags(tags: readonly unknown[]): string[] {
  const clean = tags
    .filter(tag => typeof tag === 'string')
    .map(tag =>
      tag
        .replace(/[,\s]+/g, ' ')
        .replace(/^[#\s]+|\s+$/g, '')
        .toLowerCase(),
    )
    .filter(tag => tag !== '' && [...tag].length <= LONGEST)
  return [...new Set(clean)].slice(0, MOST)
}

/** Words by how often they occur, those of the title three times as important. */
function terms({ words, folded }: Subject): string[] {
  const counts = new Map<string, number>()
  for (const word of words) {
    if (word.length < 3 || STOP_WORDS.has(word) || /^\d+$/.test(word)) continue
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const title = new Set(folded.title.split(/[^\p{L}\p{N}]+/u))
  return [...counts]
    .filter(([, count]) => count >= LEAST)
    .map(([word, count]) => [word, Math.log2(1 + count) * (title.has(word) ? 3 : 1)] as const)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, TERMS)
    .map(([word]) => word)
}
