/** A line of a source to show with a fault: secrets and comments are taken out. */
export interface Excerpt {
  /** Number of the line in the source, from 1. */
  readonly line: number
  readonly text: string
  /** The part of `text` that is meant, as indexes; `to` is exclusive and beyond `from`. */
  readonly from: number
  readonly to: number
  /** Column in the source, from 1, right after the word that begins at the fault. */
  readonly endColumn: number
}

/**
 * The line with its number, and below it the meant part underlined.
 * @param indent put before both lines
 */
export function formatExcerpt(excerpt: Excerpt, indent = ''): string {
  const { text, from, to } = windowOf(excerpt)
  const number = String(excerpt.line)
  const carets = '^'.repeat(Math.max(1, blank(text.slice(from, to)).length))
  return [
    `${indent}${number} | ${text}`,
    `${indent}${' '.repeat(number.length)} | ${blank(text.slice(0, from))}${carets}`,
  ].join('\n')
}

/** Columns of a terminal that an excerpt may take. */
const WIDTH = 120
const DOTS = '…'

/** Of a long line, what is around the meant part. */
function windowOf({ text, from, to }: Excerpt): Pick<Excerpt, 'text' | 'from' | 'to'> {
  if (text.length <= WIDTH) return { text, from, to }
  const length = Math.min(to - from, WIDTH / 2)
  const start = Math.max(0, Math.min(from - Math.floor((WIDTH - length) / 2), text.length - WIDTH))
  const end = Math.min(text.length, start + WIDTH)
  const before = start > 0 ? DOTS : ''
  const after = end < text.length ? DOTS : ''
  const shown = before + text.slice(start, end) + after
  return { text: shown, from: from - start + before.length, to: from + length - start + before.length }
}

/** As many blanks as a terminal needs columns for the text; tabs stay what they are. */
function blank(text: string): string {
  return [...text.replace(NO_WIDTH, '')].map(char => (char === '\t' ? '\t' : WIDE.test(char) ? '  ' : ' ')).join('')
}

const NO_WIDTH = /\p{M}|\p{Cf}/gu
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u
