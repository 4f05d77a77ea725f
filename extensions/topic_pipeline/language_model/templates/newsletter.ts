import type { DraftMaterial } from '../material.ts'
import { cited, type Quote } from './quotes.ts'

/** Conversational, with headings, bullets and key takeaways. */
export function newsletter({ title, sources }: DraftMaterial, quotes: readonly Quote[]): string {
  const pieces = sources.map(({ title: heading, marker }) => {
    const own = quotes.filter(quote => quote.marker === marker).slice(0, 3)
    const bullets = own.length === 0 ? [`- Worth a look [${marker}]`] : own.map(quote => `- ${cited(quote)}`)
    return `## ${heading === title ? 'First of all' : heading}\n\n${bullets.join('\n')}`
  })
  const takeaways = quotes.slice(0, 3).map(quote => `- Remember: ${cited(quote)}`)
  return [
    `# ${title}`,
    'Hello again! Here is what caught my eye since the last letter, and why I think you should know.',
    ...pieces,
    '## Key takeaways',
    takeaways.length === 0 ? `- ${title}` : takeaways.join('\n'),
    'That is all for this time. Hit reply and tell me what you think: I read everything.',
  ].join('\n\n')
}
