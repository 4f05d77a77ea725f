import type { DraftMaterial } from '../material.ts'
import { cited, type Quote } from './quotes.ts'

/** 1100 to 1800 words are 8 to 12 minutes at an easy pace. */
const ENOUGH_WORDS = 1250

/** What a speaker can always say more about, one a scene. */
const CUES: readonly (readonly [string, string])[] = [
  [
    'A diagram of the parts',
    'Let us take that apart slowly. Name the parts you see here, one after the other, and say in plain words what each of them is for and which of them people usually overlook.',
  ],
  [
    'Screen recording',
    'Now show it. Do it once at normal speed while you talk, then stop at the moment where it usually goes wrong, and say what you look at first when that happens to you.',
  ],
  [
    'You, close to the camera',
    'Tell a story here. When did you meet this for the first time, what did you believe then, and what do you know today that you wish somebody had told you back then?',
  ],
  [
    'Before and after, side by side',
    'Compare the two. What was there before, what is there now, what did the change cost, and for whom is it not worth the trouble at all? Be honest about the price.',
  ],
  [
    'The sentence on the screen',
    'Read that once more, because it is easy to miss. Say it in your own words, then give one example from your own work which shows it, and one which does not fit.',
  ],
  [
    'A short list, line by line',
    'Give three steps somebody can take tomorrow morning. Keep each of them to a sentence, and say how they will notice that the step has worked before they take the next one.',
  ],
]

/** Hook, sections with [VISUAL] cues, call to action, of 8 to 12 minutes. */
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
  for (let scene = 0; words < ENOUGH_WORDS; scene++) {
    const [visual, cue] = CUES[scene % CUES.length]!
    const quote = rest[scene]
    const said = quote === undefined ? `Back to ${title}.` : cited(quote)
    const section = [`## Part ${letters(scene)}`, `[VISUAL] ${visual}`, said, cue]
    parts.push(...section)
    words += count(section)
  }
  parts.push(
    '## Call to action',
    '[VISUAL] End screen',
    'If this helped you, subscribe, and write into the comments what you would have done differently. The sources are below.',
  )
  return parts.join('\n\n')
}

/** A, B, … Z, AA, AB: a number would be one that no source has. */
function letters(scene: number): string {
  const last = String.fromCharCode(65 + (scene % 26))
  return scene < 26 ? last : letters(Math.floor(scene / 26) - 1) + last
}

function count(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.split(/\s+/).length, 0)
}
