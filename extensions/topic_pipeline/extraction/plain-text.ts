import { oneLine } from './markdown-parts.ts'
import { parseFragment } from './markup.ts'

/** Tags that titles carry for looks; other angle brackets in a title are meant, as in `Array<T>`. */
const TITLE_TAGS = /<\/?(?:a|b|br|code|em|font|i|mark|p|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,500})?\/?>/gi

/** A title written as HTML, as plain text on one line: character references decoded, markup gone. */
export function plainTitle(html: string): string {
  const text = html.replace(TITLE_TAGS, '')
  return oneLine(/&/.test(text) ? decodeReferences(text) : text).replaceAll('\0', '')
}

function decodeReferences(text: string): string {
  return parseFragment(text.replaceAll('<', '&lt;')).textContent ?? text
}
