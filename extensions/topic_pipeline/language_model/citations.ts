const LIST = String.raw`S\d+(?:\s*,\s*S\d+)*`

/** `[S1]`, or several as `[S1, S2]`; the first group is the list. */
export const CITATION = new RegExp(String.raw`\[(${LIST})\]`, 'g')

const ALIKE = /\[(\s*S\s*\d+(?:\s*[,;]\s*S?\s*\d+)*\s*)\]/gi

/**
 * A text of others in which nothing looks like a citation any more: it must not cite on our behalf. Brackets become
 * parentheses, so that what remains cannot grow together to a new one.
 */
export function withoutCitations(text: string): string {
  return text.replace(ALIKE, '($1)')
}
