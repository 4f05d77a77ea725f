/**
 * Text in which letters that differ by case only are one, `ß` and `SS` among them, and so are code points that look
 * alike (NFKC). White space is one blank.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim()
}
