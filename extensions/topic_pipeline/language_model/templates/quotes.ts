import { withoutCitations } from '../citations.ts'
import type { DraftMaterial } from '../material.ts'
import { sentencesOf } from '../sentences.ts'

/** A sentence of a source, as drafts cite it. */
export interface Quote {
  readonly sentence: string
  readonly marker: string
}

const SHORTEST = 6
const LONGEST = 45

/** Sentences that say something, of the sources in turn, so that none speaks alone; most of the first. */
export function quotesOf({ sources }: DraftMaterial): Quote[] {
  const rows = sources.map(({ marker, text }) =>
    sentencesOf(text)
      .filter(sentence => {
        const words = sentence.split(' ').length
        return words >= SHORTEST && words <= LONGEST && sentence.length <= 400
      })
      .map(sentence => ({ marker, sentence: withoutCitations(sentence.replace(/[“”"]/g, "'")) })),
  )
  const rounds = Math.max(0, ...rows.map((row, i) => Math.ceil(row.length / share(i))))
  return Array.from({ length: rounds }, (_, round) =>
    rows.flatMap((row, i) => row.slice(round * share(i), (round + 1) * share(i))),
  ).flat()
}

/** Sentences of a source in each round: the first one is what is written about, the others are background. */
function share(source: number): number {
  return source === 0 ? 2 : 1
}

/** `“sentence” [S1]` */
export function cited({ sentence, marker }: Quote): string {
  return `“${sentence}” [${marker}]`
}

/** `#LikeThis`, at most `limit`. */
export function hashtags(tags: readonly string[], limit: number): string {
  const names = tags.map(tag =>
    tag
      .split(/[^\p{L}\p{N}]+/u)
      .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
      .join(''),
  )
  const known = [...new Set(names.filter(name => name !== '' && name.length <= 40))].slice(0, limit)
  return (known.length === 0 ? ['Notes'] : known).map(name => `#${name}`).join(' ')
}

/** On one line, at most 200 characters, without what looks like a citation, a link or an image. */
export function headline(title: string): string {
  const bare = title.replace(/!?\[([^\][\n]{0,300})\]\([^()\n]{0,1000}\)/g, '$1')
  return [...withoutCitations(bare).replace(/\s+/g, ' ').trim()].slice(0, 200).join('')
}
