import type { Source } from './tree.ts'

/**
 * Each cycle of imports once, as `a.ts -> b.ts -> a.ts`, from its alphabetically first file. Imports of types do not
 * count: they are gone at run time. Tarjan's strongly connected components; of each component the shortest way round its
 * first file is shown.
 */
export function cyclesOf(sources: readonly Source[]): string[] {
  const paths = new Set(sources.map(source => source.path))
  const edges = new Map(
    sources.map(source => [
      source.path,
      source.imports.filter(i => i.own && !i.typeOnly && paths.has(i.target)).map(i => i.target),
    ]),
  )
  return components(edges)
    .map(component => component.sort())
    .filter(component => component.length > 1 || edges.get(component[0]!)!.includes(component[0]!))
    .map(component => wayRound(component[0]!, edges).join(' -> '))
    .sort()
}

function components(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string) => {
    order.set(node, order.size)
    low.set(node, order.get(node)!)
    stack.push(node)
    for (const next of edges.get(node)!) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) === order.get(node)) found.push(stack.splice(stack.indexOf(node)))
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found
}

function wayRound(start: string, edges: ReadonlyMap<string, readonly string[]>): string[] {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const next of edges.get(node)!) {
      if (next === start) {
        const way = [start]
        for (let at = node; at !== start; at = cameFrom.get(at)!) way.unshift(at)
        return [start, ...way]
      }
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      queue.push(next)
    }
  }
  return [start]
}
