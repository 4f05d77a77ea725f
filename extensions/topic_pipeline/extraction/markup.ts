import { parseHTML } from 'linkedom'

/** What this folder needs of a DOM node; linkedom's nodes have it, and Node's own types know no DOM. */
export interface Markup {
  /** 1 element, 3 text, 4 CDATA section. */
  readonly nodeType: number
  /** Lowercase name of an element; absent elsewhere. */
  readonly localName?: string
  readonly firstChild: Markup | null
  readonly nextSibling: Markup | null
  readonly parentNode: Markup | null
  readonly textContent: string | null
  getAttribute(name: string): string | null
}

export interface MarkupDocument {
  readonly documentElement: Markup | null
  readonly body: Markup | null
  readonly title: string
  querySelector(selector: string): Markup | null
  querySelectorAll(selector: string): Iterable<Markup>
}

/** A page; nothing of it is executed or fetched. */
export function parseDocument(html: string): MarkupDocument {
  const { document } = parseHTML(html) as unknown as { document: MarkupDocument }
  if (document.documentElement?.localName === 'html') return document
  return parseFragmentDocument(html)
}

/** A piece of HTML, as feeds and APIs carry them. */
export function parseFragment(html: string): Markup {
  return parseFragmentDocument(html).body!
}

function parseFragmentDocument(html: string): MarkupDocument {
  const page = `<!doctype html><html><head></head><body>${html}</body></html>`
  return (parseHTML(page) as unknown as { document: MarkupDocument }).document
}

export function isElement(node: Markup): node is Element {
  return node.nodeType === 1
}

export function* childrenOf(node: Markup): Generator<Markup> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child
}

export type Element = Markup & { readonly localName: string }

/** Children as elements and runs of text: a character reference begins a text node of its own. */
export function* contentOf(node: Markup): Generator<Element | string> {
  let text = ''
  for (const child of childrenOf(node)) {
    if (child.nodeType === 3 || child.nodeType === 4) {
      text += child.textContent ?? ''
    } else if (isElement(child)) {
      if (text !== '') yield text
      text = ''
      yield child
    }
  }
  if (text !== '') yield text
}

/** Whether elements are nested more than `limit` deep. */
export function isDeeperThan(root: Markup, limit: number): boolean {
  let depth = 0
  let node: Markup | null = root
  while (node !== null) {
    if (node.firstChild !== null) {
      node = node.firstChild
      if (++depth > limit) return true
      continue
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode
      depth--
    }
    if (node === null || node === root) return false
    node = node.nextSibling
  }
  return false
}
