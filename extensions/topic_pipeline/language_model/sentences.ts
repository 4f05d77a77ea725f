/** Markdown as somebody would read it aloud: without code, marks, addresses and tables. Paragraphs stay apart. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gm, '\n')
    .replace(/!\[[^\][\n]{0,300}\]\([^()\n]{0,1000}\)/g, ' ')
    .replace(/\[([^\][\n]{0,300})\]\([^()\n]{0,1000}\)/g, '$1')
    .replace(/<[^<>\n]{1,200}>/g, ' ')
    .replace(/^[ \t]{0,8}\|.*$/gm, '')
    .replace(/^[ \t]{0,8}(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+/gm, '')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(MARKS, '$1')
    .replace(/[ \t]+/g, ' ')
}

/** Escaped characters stay, emphasis and code marks go; an underscore within a name is none. */
const MARKS =
  /\\([!-/:-@[-`{-~])|[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|~~|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu

const SENTENCE_END = /(?<=[.!?…]["'”’)]?)\s+(?=["'“‘(]?[\p{Lu}\p{N}])|(?<=[。！？])|\n\s*\n/u

/** Sentences of a Markdown text in order, headings and code left out. */
export function sentencesOf(markdown: string): string[] {
  const withoutHeadings = markdown.replace(/^#{1,6}\s.*$/gm, '')
  return plainText(withoutHeadings)
    .split(SENTENCE_END)
    .map(sentence => sentence.replace(/\s+/g, ' ').trim())
    .filter(sentence => sentence !== '')
}
