import type { DraftMaterial } from '../material.ts'
import { cited, type Quote } from './quotes.ts'
import { SCENES } from './scenes.ts'

/** With what is seen but not said: about nine minutes at an easy pace. */
const ENOUGH_WORDS = 1390
/** A quotation in each scene is opened with one of these. */
const OPENINGS = [
  'Listen to this:',
  'One of the sources puts it like this:',
  'And here is another one:',
  'Or take this:',
]

/** Hook, scenes with [VISUAL] cues, call to action, of 8 to 12 minutes. */
export function youtubeScript({ title, sources }: DraftMaterial, quotes: readonly Quote[]): string {
  const [hook, ...rest] = quotes
  const parts = [
    `# ${title}`,
    '## Hook',
    '[VISUAL] Title card',
    `What if the usual answer to this is only half of it? ${hook === undefined ? title : cited(hook)}`,
    `Stay with me: we look at ${sources.length === 1 ? 'one source' : `${sources.length} sources`}, and at the end you know what to do with them.`,
  ]
  let words = count(parts)
  for (const [i, { heading, visual, cue }] of SCENES.entries()) {
    if (words >= ENOUGH_WORDS) break
    const quote = rest[i]
    const said = quote === undefined ? [] : [`${OPENINGS[i % OPENINGS.length]} ${cited(quote)}`]
    const scene = [`## ${heading}`, `[VISUAL] ${visual}`, ...said, cue]
    parts.push(...scene)
    words += count(scene)
  }
  parts.push(
    '## Call to action',
    '[VISUAL] End screen',
    'If this helped you, subscribe, and write into the comments what you would have done differently. The sources are below.',
  )
  return parts.join('\n\n')
}

function count(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.split(/\s+/).length, 0)
}
