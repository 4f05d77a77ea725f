import fc from 'fast-check'
import { expect, test } from 'vitest'
import { traces } from '#core/testing'
import { Rig } from './lab.test-support.ts'

interface Shape {
  readonly receivers: readonly string[]
  readonly processors: readonly string[]
  readonly exporters: readonly string[]
  /** The earlier pipelines that feed this one through a connector. */
  readonly fedBy: readonly number[]
}

/** Pipelines of traces, of which later ones may be fed by earlier ones. */
const shapes = fc.array(
  fc.record({
    receivers: fc.subarray(['probe/r1', 'probe/r2'], { minLength: 1 }),
    processors: fc.subarray(['probe', 'transform', 'transform/2']),
    exporters: fc.subarray(['probe/e1', 'probe/e2', 'probe/e3'], { minLength: 1 }),
    fedBy: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
)

function yaml(all: readonly Shape[]): string {
  const lines = all.map((shape, n) => {
    const feeds = all.flatMap((other, m) => (m > n && other.fedBy.includes(n) ? [`probe/c${m}`] : []))
    const receivers = shape.fedBy.some(from => from < n) ? [...shape.receivers, `probe/c${n}`] : shape.receivers
    return `    traces/${n}: ${JSON.stringify({ receivers, processors: shape.processors, exporters: [...shape.exporters, ...feeds] })}`
  })
  return `
receivers: { probe/r1: , probe/r2: }
processors: { probe: , transform: , transform/2: }
exporters: { probe/e1: , probe/e2: , probe/e3: }
connectors: { ${all.map((_, n) => `probe/c${n}: `).join(', ')} }
service:
  pipelines:
${lines.join('\n')}`
}

/** How many times a payload passes through each pipeline when it enters at `receiver`. */
function passes(all: readonly Shape[], receiver: string): number[] {
  const counts: number[] = []
  for (const [n, shape] of all.entries()) {
    const fed = shape.fedBy.filter(from => from < n).reduce((sum, from) => sum + counts[from]!, 0)
    counts.push(fed + (shape.receivers.includes(receiver) ? 1 : 0))
  }
  return counts
}

test('every payload reaches every branch, on every way that leads there, as the very bytes that came in', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, fc.constantFrom('probe/r1', 'probe/r2'), async (all, receiver) => {
      fc.pre(all.some(shape => shape.receivers.includes(receiver)))
      const { lab, graph } = await Rig.start(yaml(all))
      const payload = traces(2)
      await lab.feed(receiver, payload)
      const counts = passes(all, receiver)
      for (const [id, sink] of lab.sinks) {
        const expected = all.reduce((sum, shape, n) => sum + (shape.exporters.includes(id) ? counts[n]! : 0), 0)
        expect(sink.payloads).toHaveLength(expected)
        for (const arrived of sink.payloads) expect(arrived).toBe(payload)
      }
      await graph.shutdown()
    }),
  )
})
