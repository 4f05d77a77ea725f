import type { DraftMaterial } from '../material.ts'
import { cited, type Quote } from './quotes.ts'

/** Longer ones are no examples. */
const LONGEST_CODE = 1500
const CODE = /^```[^\n]*\n[\s\S]*?^```[^\n]*$/m

/** Introduction, headings, a code example, conclusion. */
export function blogPost(material: DraftMaterial, quotes: readonly Quote[]): string {
  const { title, sources } = material
  const [opening, ...rest] = quotes
  const sections = sources.map(({ title: heading, marker }) => {
    const own = rest.filter(quote => quote.marker === marker).slice(0, 4)
    const said = own.length === 0 ? `What does it say about the subject? [${marker}]` : own.map(cited).join('\n\n')
    return `## ${heading === title ? 'What it is about' : heading}\n\n${said}\n\nSay here what you make of it, and where you have seen otherwise.`
  })
  const example = sources
    .map(({ text }) => CODE.exec(text)?.[0])
    .find(code => code !== undefined && code.length <= LONGEST_CODE)
  return [
    `# ${title}`,
    opening === undefined ? `This post is about ${title}.` : `It begins with this: ${cited(opening)}`,
    'Why does that matter to you, and to whom are you telling it? Two sentences are enough.',
    ...sections,
    '## An example',
    example ?? '```\nThe smallest example that shows it stands here.\n```',
    '## Conclusion',
    `What should a reader do now who has read about ${title}? Say it in your own words, and where to read on.`,
  ].join('\n\n')
}
