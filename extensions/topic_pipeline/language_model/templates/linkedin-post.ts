import type { DraftMaterial } from '../material.ts'
import { cited, hashtags, type Quote } from './quotes.ts'

/** A good deal below the format's 3000 characters. */
const ROOM = 2000

/** Hook, short paragraphs, a question, hashtags. */
export function linkedinPost({ title, tags }: DraftMaterial, quotes: readonly Quote[]): string {
  const paragraphs: string[] = []
  let length = 0
  for (const quote of quotes.slice(0, 4)) {
    const paragraph = cited(quote)
    length += paragraph.length
    if (length > ROOM) break
    paragraphs.push(paragraph)
  }
  return [
    `${title}: what is behind it?`,
    ...paragraphs,
    'My own experience with it, in one sentence: …',
    'How do you handle this?',
    hashtags(tags, 5),
  ].join('\n\n')
}
