import { childrenOf, isElement, type Markup } from './markup.ts'

/** Text with white space as HTML has it, and the characters escaped that would mean something in Markdown or HTML. */
export function inlineText(text: string): string {
  return text
    .replaceAll('\0', '')
    .replace(/[\t\n\f\r ]+/g, ' ')
    .replace(/\\(?=[!-/:-@[-`{-~])|`|\*(?=\S)|(?<=\S)\*|<(?=[a-z/!?])|\](?=\()/gi, '\\$&')
}

/** A paragraph: trimmed, without what at the beginning of a line would make it something else. */
export function paragraph(run: string): string {
  const lines = run.split('\n').map(line => line.trim())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(/^(#{1,6}|[-+]|>|~~~)(?=\s|$)/gm, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
}

/** For headings and cells. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Emphasis hugs its words: the spaces go outside. */
export function wrapped(text: string, mark: string): string {
  const inner = text.trim()
  if (inner === '' || inner.includes('\n\n')) return text
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  return `${before}${mark}${inner}${mark}${after}`
}

/** Code within a line, between more backticks than it has in a row. Source: CommonMark §6.1. */
export function inlineCode(text: string): string {
  const code = text.replaceAll('\0', '').replace(/\s+/g, ' ')
  if (code.trim() === '') return code === '' ? '' : ' '
  const ticks = '`'.repeat(longestRun(code, '`') + 1)
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${code.trim()}${pad}${ticks}`
}

/** A block of code, fenced with more backticks than it has in a row. */
export function fence(text: string, language: string): string {
  const code = text
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n')
    .replace(/^\n+|\s+$/g, '')
  if (code === '') return ''
  const ticks = '`'.repeat(Math.max(3, longestRun(code, '`') + 1))
  return `${ticks}${language}\n${code}\n${ticks}`
}

/** The language of a `pre`, by the class or attribute that highlighters use. */
export function languageOf(pre: Markup): string {
  const candidates = [pre, ...[...childrenOf(pre)].filter(child => isElement(child) && child.localName === 'code')]
  const parent = pre.parentNode
  if (parent !== null && isElement(parent)) candidates.push(parent)
  for (const element of candidates) {
    const named = element.getAttribute('data-lang') ?? element.getAttribute('data-language')
    const classes = `${named === null ? '' : `language-${named}`} ${element.getAttribute('class') ?? ''}`
    const match = /(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([a-z0-9+#.-]{1,20})(?:\s|;|$)/i.exec(classes)
    if (match !== null) return match[1]!.toLowerCase()
  }
  return ''
}

/** A link, or its text alone when it leads nowhere that a reader can follow. */
export function linkTo(text: string, href: string | null, base: string | undefined): string {
  const label = oneLine(text)
  if (label === '' || href === null || href.startsWith('#')) return text
  const url = URL.parse(href.trim(), base)
  if (url === null || !/^(https?|mailto):$/.test(url.protocol) || url.href.length > 2_000) return text
  const target = url.href.replaceAll('(', '%28').replaceAll(')', '%29')
  return wrapped(text, '').replace(text.trim(), () => `[${label}](${target})`)
}

function longestRun(text: string, character: string): number {
  let longest = 0
  let run = 0
  for (const each of text) {
    run = each === character ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}
