import { plainText } from '../language_model/sentences.ts'
import { wordsOf } from '../language_model/words.ts'
import type { Topic } from '../model/topic.ts'
import { fold } from './fold.ts'

/** So many characters of a body are looked at, from its beginning: what follows changes no decision. */
const BODY = 30_000
/** So many characters are embedded, after the title. */
const EMBEDDED = 1000

/** A topic as the filters look at it, each view made once. */
export interface Subject {
  readonly topic: Topic
  /** Markdown. */
  readonly body: string
  /** The body without marks, code and addresses. */
  readonly plain: string
  /** Words of {@link plain} in lower case. */
  readonly words: readonly string[]
  readonly folded: { readonly title: string; readonly tags: string; readonly body: string }
  /** What its vector is made of. */
  readonly embedded: string
}

/** The views of `topic`. Its body is what was extracted, else what the source's API gave. */
export function subjectOf(topic: Topic): Subject {
  const body = (topic.extractedContent ?? topic.content ?? '').slice(0, BODY)
  const plain = plainText(body).trim()
  return {
    topic,
    body,
    plain,
    words: wordsOf(plain),
    // A tag ends where the next begins: no phrase may reach over the bar.
    folded: { title: fold(topic.title), tags: fold(topic.tags.join(' | ')), body: fold(plain) },
    embedded: embeddedText(topic.title, plain),
  }
}

/** Title and beginning of a text, as topics are embedded. */
export function embeddedText(title: string, plain: string): string {
  return `${title}\n${plain.slice(0, EMBEDDED)}`
}
