import type { CallFrame, ProfileBuilder } from './profile-builder.ts'

/** A node of V8's sampling heap profile. */
export interface V8HeapNode {
  readonly callFrame: CallFrame
  /** Bytes allocated here that are still in use, as estimated from the samples. */
  readonly selfSize: number
  readonly children: readonly V8HeapNode[]
}

/** What {@link addHeapSamples} measures. */
export const HEAP_MEASURES = [['inuse_space', 'bytes']] as const

/** Adds what is in use by where it was allocated. */
export function addHeapSamples(head: V8HeapNode, builder: ProfileBuilder): void {
  // A stack of its own: nodes may be nested deeper than calls can be.
  const waiting: { readonly node: V8HeapNode; readonly stack: readonly number[] }[] = [{ node: head, stack: [] }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, stack } = next
    const here = node === head ? stack : [builder.location(node.callFrame), ...stack]
    if (node.selfSize > 0 && here.length > 0) builder.add(here, [node.selfSize])
    for (const child of node.children) waiting.push({ node: child, stack: here })
  }
}
