import type { OutputFormat } from '../model/stages.ts'
import type { DraftCheck } from '../model/writing.ts'
import { sentencesOf, wordsOf } from '../style/measure.ts'
import { LINKEDIN_LIMIT, SCRIPT_WORDS } from './formats.ts'

/** Spoken words a minute. */
const PACE = 145
const HEADING = /^#{1,6}\s+\S.*$/gm
const HASHTAG = /(?<![\p{L}\p{N}_/&])#\p{L}[\p{L}\p{N}_]*/gu
const BULLET = /^\s*[-*+]\s+\S/m
const CALL =
  /\b(?:try|let me know|tell me|comment|subscribe|follow|share|join|download|read|check out|sign up|reach out|start|give it a go|drop|reply|like)\b/i

/** Whether a text keeps what its format promises: by counting, each promise with its finding. */
export function checkFormat(format: OutputFormat, text: string): DraftCheck[] {
  return CHECKS[format](text)
}

const CHECKS: Readonly<Record<OutputFormat, (text: string) => DraftCheck[]>> = {
  blog_post(text) {
    const headings = text.match(HEADING) ?? []
    return [
      check('intro', wordsOf(introOf(text)).length >= 15, 'An introduction before the first section'),
      check('headings', headings.length >= 2, `${headings.length} headings`),
      check('code_examples', /^(?:```|~~~)/m.test(text), 'Fenced code'),
      check(
        'conclusion',
        /conclu|closing|wrap|summary|final|takeaway|in short|where this leaves/i.test(headings.at(-1) ?? ''),
        `The last heading is ${JSON.stringify(headings.at(-1) ?? '')}`,
      ),
    ]
  },
  youtube_script(text) {
    const words = wordsOf(spokenOf(text)).length
    const minutes = words / PACE
    const visuals = text.match(/\[VISUAL\b[^\]]*\]/g)?.length ?? 0
    const sections = text.match(HEADING)?.length ?? 0
    return [
      check('hook', wordsOf(spokenOf(introOf(text))).length >= 5, 'A hook before the first section'),
      check('sections', sections >= 2, `${sections} sections`),
      check('visual_cues', visuals >= 1, `${visuals} [VISUAL] cues`),
      check('call_to_action', CALL.test(tailOf(text)), 'A call to action at the end'),
      check(
        'duration',
        words >= SCRIPT_WORDS.least && words <= SCRIPT_WORDS.most,
        `${words} words, about ${minutes.toFixed(1)} minutes; 8 to 12 are wanted`,
      ),
    ]
  },
  linkedin_post(text) {
    const length = [...text].length
    const paragraphs = text
      .split(/\n\s*\n/)
      .map(each => each.trim())
      .filter(each => each !== '')
    const prose = paragraphs.filter(each => each.replace(HASHTAG, '').trim() !== '')
    const longest = Math.max(0, ...prose.map(each => wordsOf(each).length))
    const last = prose.at(-1)?.replace(HASHTAG, '').trim() ?? ''
    const hashtags = text.match(HASHTAG)?.length ?? 0
    return [
      check('length', length < LINKEDIN_LIMIT, `${length} characters, fewer than ${LINKEDIN_LIMIT} are allowed`),
      check('hook', sentencesOf(prose[0] ?? '').length <= 3 && prose.length > 1, 'A hook in a paragraph of its own'),
      check('short_paragraphs', longest <= 80, `The longest paragraph has ${longest} words`),
      check(
        'question_or_call_to_action',
        last.endsWith('?') || CALL.test(last),
        'A question or a call to action at the end',
      ),
      check('hashtags', hashtags >= 1, `${hashtags} hashtags`),
    ]
  },
  newsletter(text) {
    const headings = text.match(HEADING) ?? []
    return [
      check('headings', headings.length >= 2, `${headings.length} headings`),
      check('bullets', BULLET.test(text), 'A bulleted list'),
      check('key_takeaways', /^(?:#{1,6}\s+|\*\*).*key takeaways/im.test(text), 'A section headed “Key takeaways”'),
    ]
  },
}

function check(name: string, ok: boolean, detail: string): DraftCheck {
  return { name, ok, detail }
}

/** What stands before the first section; a title at the top is none. */
function introOf(text: string): string {
  const body = text.trimStart().replace(/^#\s+.*\n/, '')
  return body.split(/^#{1,6}\s+\S/m)[0] ?? ''
}

/** What is said, without headings and stage directions: those in brackets, and lines that begin with `[VISUAL]`. */
function spokenOf(text: string): string {
  return text
    .replace(HEADING, '')
    .replace(/^\s*(?:[-*]\s+|\**)\[VISUAL\].*$/gim, '')
    .replace(/\[(?:VISUAL|S\d+)\b[^\]]*\]/g, '')
}

/** The last five sentences. */
function tailOf(text: string): string {
  return sentencesOf(spokenOf(text)).slice(-5).join(' ')
}

/**
 * A LinkedIn post that is short enough: whole paragraphs are left out from the end, the last one and the hashtags stay.
 * A text that is short enough already is returned as it is.
 */
export function trimPost(text: string): string {
  if ([...text].length < LINKEDIN_LIMIT) return text
  const paragraphs = text.split(/\n\s*\n/)
  const isTags = (paragraph: string) => paragraph.replace(HASHTAG, '').trim() === '' && paragraph.trim() !== ''
  const kept = paragraphs.findLastIndex(paragraph => !isTags(paragraph))
  const ending = paragraphs.slice(Math.max(kept, 1)).join('\n\n')
  const body: string[] = []
  let length = lengthOf(ending)
  for (const paragraph of paragraphs.slice(0, Math.max(kept, 1))) {
    length += lengthOf(paragraph) + 2
    if (length >= LINKEDIN_LIMIT && body.length > 0) break
    body.push(paragraph)
  }
  const trimmed = [...body, ending].filter(part => part !== '').join('\n\n')
  const points = [...trimmed]
  return points.length < LINKEDIN_LIMIT
    ? trimmed
    : `${points
        .slice(0, LINKEDIN_LIMIT - 2)
        .join('')
        .replace(/\s+\S*$/u, '')}…`
}

/** In code points. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
