/**
 * Text in which letters that differ by case only are one, `ß` and `SS` among them, and so are code points that look
 * alike (NFKC). White space and hyphens are one blank: tags are often phrases with hyphens.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[\s\u2010\u2011-]+/gu, ' ')
    .trim()
}
