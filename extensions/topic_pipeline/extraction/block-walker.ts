import type { Markup } from './markup.ts'

/** Renders inline and block content for the parts that are files of their own. */
export interface BlockWalker {
  inlineOf(node: Markup, depth: number): string
  hasBlocks(node: Markup): boolean
  blocksOf(node: Markup, depth: number): string[]
}
