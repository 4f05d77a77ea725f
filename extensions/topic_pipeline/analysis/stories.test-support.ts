import { readFileSync } from 'node:fs'

export interface Story {
  readonly title: string
  readonly text: string
}

/** What two texts are to each other, as a person says. */
export type Relation = 'duplicate' | 'group' | 'related' | 'unrelated'

export interface Pair {
  readonly a: Story
  readonly b: Story
  readonly relation: Relation
  /** For people, for example `tail-sampling original / retelling`. */
  readonly name: string
}

interface Stories {
  readonly stories: readonly {
    readonly id: string
    readonly original: Story
    readonly retelling: Story
    readonly relative: Story
  }[]
}

const { stories } = JSON.parse(readFileSync(new URL('./testdata/stories.json', import.meta.url), 'utf8')) as Stories

/** The same piece as another site would carry it: a line before and after, the last sentence gone. */
export function crossPosted({ title, text }: Story): Story {
  const body = text
    .split(/(?<=\.) /)
    .slice(0, -1)
    .join(' ')
  return {
    title,
    text: `This was first published on my own blog.\n\n${body}\n\nThanks for reading! Follow me for more posts like this one.`,
  }
}

/** The same piece with one word in fifteen written otherwise. */
export function edited({ title, text }: Story): Story {
  const words = text.split(' ')
  return { title: `${title} (updated)`, text: words.map((word, i) => (i % 15 === 7 ? 'revised' : word)).join(' ') }
}

/** Every labelled pair: two kinds of copies, retellings, relatives, and all pairs of originals of different stories. */
export function labelledPairs(): Pair[] {
  const pairs: Pair[] = []
  for (const [i, { id, original, retelling, relative }] of stories.entries()) {
    const add = (b: Story, relation: Relation, name: string) =>
      pairs.push({ a: original, b, relation, name: `${id} original / ${name}` })
    add(crossPosted(original), 'duplicate', 'cross-post')
    add(edited(original), 'duplicate', 'edited')
    add(retelling, 'group', 'retelling')
    add(relative, 'related', 'relative')
    for (const other of stories.slice(i + 1)) {
      add(other.original, 'unrelated', `${other.id} original`)
      add(other.retelling, 'unrelated', `${other.id} retelling`)
      add(other.relative, 'unrelated', `${other.id} relative`)
    }
  }
  return pairs
}

export { stories }
