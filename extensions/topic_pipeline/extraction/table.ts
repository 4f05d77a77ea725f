import type { BlockWalker } from './block-walker.ts'
import { oneLine } from './markdown-parts.ts'
import { childrenOf, isElement, type Markup } from './markup.ts'

const MAX_COLUMNS = 50

/** A table of GitHub's Markdown; one that only lays out a page, with blocks in its cells, becomes those blocks. */
export function tableBlock(table: Markup, walker: BlockWalker, depth: number): string[] {
  const rows = [...rowsOf(table)].map(row => [...cellsOf(row)].slice(0, MAX_COLUMNS)).filter(row => row.length > 0)
  const width = Math.max(0, ...rows.map(row => row.length))
  if (width === 0) return []
  if (width === 1 || rows.some(row => row.some(cell => walker.hasBlocks(cell) && hasMoreThanParagraphs(cell)))) {
    return rows.flatMap(row => row.flatMap(cell => walker.blocksOf(cell, depth + 1)))
  }
  const text = rows.map(row => row.map(cell => cellText(cell, walker, depth)))
  if (text.every(row => row.every(cell => cell === ''))) return []
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`
  const [head, ...body] = text
  return [[line(head!), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n')]
}

function cellText(cell: Markup, walker: BlockWalker, depth: number): string {
  return oneLine(walker.blocksOf(cell, depth + 1).join(' ')).replaceAll('|', '\\|')
}

function hasMoreThanParagraphs(cell: Markup): boolean {
  for (const child of childrenOf(cell)) {
    if (isElement(child) && /^(table|pre|ul|ol|blockquote|h[1-6]|article|section)$/.test(child.localName)) return true
  }
  return false
}

function* rowsOf(table: Markup): Generator<Markup> {
  for (const child of childrenOf(table)) {
    if (!isElement(child)) continue
    if (child.localName === 'tr') yield child
    else if (/^t(head|body|foot)$/.test(child.localName)) {
      for (const row of childrenOf(child)) if (isElement(row) && row.localName === 'tr') yield row
    }
  }
}

function* cellsOf(row: Markup): Generator<Markup> {
  for (const cell of childrenOf(row)) if (isElement(cell) && /^t[hd]$/.test(cell.localName)) yield cell
}
