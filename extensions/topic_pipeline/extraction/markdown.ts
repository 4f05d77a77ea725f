/**
 * HTML to Markdown: headings, paragraphs, code with its language, lists, quotes, tables, links, emphasis. What is not
 * text is left out, and nothing that comes out is read as HTML by who renders it.
 * @module
 */
import type { BlockWalker } from './block-walker.ts'
import { fence, inlineCode, inlineText, languageOf, linkTo, oneLine, paragraph, wrapped } from './markdown-parts.ts'
import { childrenOf, contentOf, type Element, isElement, type Markup } from './markup.ts'
import { tableBlock } from './table.ts'

/** Elements deeper than this are taken as plain text. */
const MAX_DEPTH = 200

const SKIPPED = new Set(
  'script style noscript template iframe object embed svg canvas audio video head link meta button select textarea input dialog'.split(
    ' ',
  ),
)
const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody thead tfoot tr td th ul'.split(
    ' ',
  ),
)
const EMPHASIS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}

/** @param base what relative links are resolved against; without it they are left as text */
export function toMarkdown(root: Markup, base?: string): string {
  return new Walker(base).blocksOf(root, 0).join('\n\n')
}

class Walker implements BlockWalker {
  readonly #base: string | undefined

  constructor(base: string | undefined) {
    this.#base = base
  }

  blocksOf(node: Markup, depth: number): string[] {
    if (depth > MAX_DEPTH) return nonEmpty(paragraph(inlineText(node.textContent ?? '')))
    const blocks: string[] = []
    let run = ''
    const flush = () => {
      blocks.push(...nonEmpty(paragraph(run)))
      run = ''
    }
    for (const child of contentOf(node)) {
      if (typeof child !== 'string' && !SKIPPED.has(child.localName) && this.#isBlock(child)) {
        flush()
        blocks.push(...this.#block(child, depth + 1))
      } else {
        run += this.#inline(child, depth + 1)
      }
    }
    flush()
    return blocks
  }

  inlineOf(node: Markup, depth: number): string {
    if (depth > MAX_DEPTH) return inlineText(node.textContent ?? '')
    let text = ''
    for (const child of contentOf(node)) text += this.#inline(child, depth + 1)
    return text
  }

  hasBlocks(node: Markup): boolean {
    for (const child of childrenOf(node)) if (isElement(child) && BLOCKS.has(child.localName)) return true
    return false
  }

  /** An inline element around blocks is a block, too: a link around a heading and a paragraph. */
  #isBlock(element: Element): boolean {
    return BLOCKS.has(element.localName) || this.hasBlocks(element)
  }

  #block(element: Element, depth: number): string[] {
    const { localName } = element
    if (/^h[1-6]$/.test(localName)) {
      const text = oneLine(this.inlineOf(element, depth))
      return text === '' ? [] : [`${'#'.repeat(Number(localName[1]))} ${text}`]
    }
    switch (localName) {
      case 'pre':
        return nonEmpty(fence(preText(element), languageOf(element)))
      case 'hr':
        return ['---']
      case 'ul':
      case 'ol':
        return nonEmpty(this.#list(element, depth))
      case 'blockquote':
        return nonEmpty(quoted(this.blocksOf(element, depth).join('\n\n')))
      case 'table':
        return tableBlock(element, this, depth)
      case 'dt':
        return this.blocksOf(element, depth).map(block => (block.includes('\n') ? block : wrapped(block, '**')))
      default:
        return this.blocksOf(element, depth)
    }
  }

  #list(list: Element, depth: number): string {
    const start = Number.parseInt(list.getAttribute('start') ?? '1', 10)
    let number = Number.isSafeInteger(start) && start >= 0 && start < 1e9 ? start : 1
    const items: string[] = []
    for (const child of childrenOf(list)) {
      if (!isElement(child)) continue
      const blocks = this.blocksOf(child, depth + 1)
      if (blocks.length === 0) continue
      const marker = list.localName === 'ol' ? `${number++}. ` : '- '
      const tight = blocks.every((block, index) => index === 0 || /^(\d+\.|-) /.test(block))
      const text = blocks.join(tight ? '\n' : '\n\n')
      items.push(marker + text.replaceAll('\n', `\n${' '.repeat(marker.length)}`).replace(/^ +$/gm, ''))
    }
    return items.join('\n')
  }

  #inline(node: Element | string, depth: number): string {
    if (typeof node === 'string') return inlineText(node)
    if (SKIPPED.has(node.localName)) return ''
    const { localName } = node
    const emphasis = EMPHASIS[localName]
    if (emphasis !== undefined) return wrapped(this.inlineOf(node, depth), emphasis)
    switch (localName) {
      case 'br':
        return '\n'
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return inlineCode(node.textContent ?? '')
      case 'a':
        return linkTo(this.inlineOf(node, depth), node.getAttribute('href'), this.#base)
      case 'img':
        return inlineText(node.getAttribute('alt') ?? '')
      case 'q':
        return `"${this.inlineOf(node, depth)}"`
      default:
        return this.inlineOf(node, depth)
    }
  }
}

/** Text of a `pre` as it stands, `<br>` as a line break; without recursion, because it may hold anything. */
function preText(pre: Markup): string {
  let text = ''
  let node: Markup | null = pre
  while (node !== null) {
    if (node.nodeType === 3 || node.nodeType === 4) text += node.textContent ?? ''
    else if (node.localName === 'br') text += '\n'
    if (node.firstChild !== null) {
      node = node.firstChild
      continue
    }
    while (node !== null && node !== pre && node.nextSibling === null) node = node.parentNode
    node = node === null || node === pre ? null : node.nextSibling
  }
  return text
}

function quoted(text: string): string {
  return text === '' ? '' : text.replace(/^/gm, '> ').replace(/^> $/gm, '>')
}

function nonEmpty(block: string): string[] {
  return block === '' ? [] : [block]
}
