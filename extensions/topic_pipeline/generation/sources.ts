import { createHash } from 'node:crypto'
import { withoutCitations } from '../language_model/citations.ts'
import type { Topic } from '../model/topic.ts'
import type { DraftSource } from '../model/writing.ts'

/** Characters of a source that the model reads. */
const READ = 3000

/** A source as the model reads it. */
export interface NumberedSource {
  readonly source: DraftSource
  /** Markdown without anything that looks like a citation. */
  readonly text: string
  readonly tags: readonly string[]
}

/** Numbers the topics S1, S2, … in their order, the one that is written about first. */
export function numberSources(topics: readonly Topic[]): NumberedSource[] {
  return topics.map((topic, i) => {
    const whole = topic.extractedContent ?? topic.content ?? topic.summary ?? topic.title
    const text = withoutCitations(whole.slice(0, READ))
    const source: DraftSource = {
      marker: `S${i + 1}`,
      topicId: topic.id,
      title: topic.title,
      url: topic.url,
      author: topic.author ?? null,
      licence: topic.licence ?? null,
      excerptHash: createHash('sha256').update(text).digest('hex'),
    }
    return { source, text, tags: topic.tags }
  })
}
