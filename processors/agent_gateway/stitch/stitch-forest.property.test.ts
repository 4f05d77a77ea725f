import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Departed, planForest, type SpanNode } from './stitch-forest.ts'

/** Spans with parents anywhere: in the trace, missing, in rings, their own; some share an id. */
const anyNodes = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 12 }).map(n => `id${n}`),
    parent: fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 16 }).map(n => `id${n}`),
    ),
    start: fc.integer({ min: 0, max: 50 }).map(ms => ms * 1e6),
    length: fc.integer({ min: 0, max: 50 }).map(ms => ms * 1e6),
    leaf: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

const toNodes = (plain: { id: string; parent: string; start: number; length: number; leaf: boolean }[]): SpanNode[] =>
  plain.map(({ length, ...rest }) => ({ ...rest, end: rest.start + length, fixed: false }))

/** Every pair of id and parent after the plan. */
function edges(nodes: readonly SpanNode[], departed?: Departed): { edges: [string, string][]; root: string } {
  const plan = planForest(nodes, departed)
  const parents = nodes.map(node => node.parent)
  for (const { index, parent } of plan.changes) parents[index] = parent
  return { edges: nodes.map((node, index) => [node.id, parents[index]!]), root: plan.root }
}

function expectOneTree(all: readonly [string, string][], root: string): void {
  const parents = new Map<string, Set<string>>()
  for (const [id, parent] of all) {
    if (!parents.has(id)) parents.set(id, new Set())
    parents.get(id)!.add(parent)
  }
  for (const [id, parent] of all) expect(parent === '' ? id === root : parents.has(parent)).toBe(true)
  const done = new Set<string>()
  const visit = (id: string, path: ReadonlySet<string>): void => {
    expect(path.has(id)).toBe(false)
    if (done.has(id)) return
    for (const parent of parents.get(id)!) if (parent !== '') visit(parent, new Set([...path, id]))
    done.add(id)
  }
  for (const id of parents.keys()) visit(id, new Set())
  expect(all.filter(([, parent]) => parent === '').length).toBeGreaterThan(0)
}

test('any spans become one tree: no parent missing, one root, no ring', () => {
  fc.assert(
    fc.property(anyNodes, plain => {
      const { edges: all, root } = edges(toNodes(plain))
      expectOneTree(all, root)
    }),
    { numRuns: 2000 },
  )
})

test('spans that come after others of their trace join the same tree', () => {
  fc.assert(
    fc.property(anyNodes, anyNodes, (first, second) => {
      const before = edges(toNodes(first))
      const ids = new Set(before.edges.map(([id]) => id))
      const departed = { root: before.root, has: (id: string) => ids.has(id), around: toNodes(first) }
      const late = toNodes(second).filter(node => !ids.has(node.id) || node.id === before.root)
      if (late.length === 0) return
      expectOneTree([...before.edges, ...edges(late, departed).edges], before.root)
    }),
    { numRuns: 2000 },
  )
})

test('spans whose parents are all there keep them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 20 }), links => {
      const nodes = [0, ...links].map((link, index) => ({
        id: `id${index}`,
        parent: index === 0 ? '' : `id${link % index}`,
        start: index,
        end: index,
        leaf: false,
        fixed: false,
      }))
      expect(planForest(nodes)).toEqual({ changes: [], root: 'id0' })
    }),
  )
})
