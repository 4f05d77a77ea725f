/**
 * `node test/bench/hops.ts`: what the graph itself costs a request on its way through an outlet, a transform and a hop to
 * an exporter, in CPU of this process: without guards, and with those that contain what components do wrong.
 */
import { NO_CONTEXT } from '../../core/component/index.ts'
import { Cell } from '../../core/pipeline/cell.ts'
import { Guard } from '../../core/pipeline/guard.ts'
import type { PlanNode } from '../../core/pipeline/index.ts'
import { Link } from '../../core/pipeline/link.ts'
import type { GraphServices } from '../../core/pipeline/services.ts'
import { TransformChain } from '../../core/pipeline/transform-chain.ts'
import { traces } from '../../core/testing/published.ts'

const ROUNDS = 20
const REQUESTS = 100_000
const payload = traces(100)
let counted = 0
const meter = {
  begin(items: number) {
    counted += items
  },
}

function way(guard?: Guard): Cell {
  const sink = { async consume() {} }
  const stage = { id: 'a', transform: { transform() {} }, before: [meter], after: [meter], dropped() {} }
  const chain = new TransformChain([guard === undefined ? stage : { ...stage, guard }], Link.to(sink, [meter], guard))
  const target = Link.to(chain, [meter])
  return guard === undefined ? new Cell(target) : new Cell(target, { guard, signal: 'traces' })
}

async function nanos(outlet: Cell): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < REQUESTS; i++) await outlet.consume(payload, NO_CONTEXT)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / REQUESTS
}

// Nothing goes wrong here, so that a guard is never asked who it stands around.
const around = {
  node: { configured: { definition: {} } } as unknown as PlanNode,
  instance: { kind: 'processor', id: 'a', pipelines: [] },
}
const ways = { without: way(), with: way(new Guard(around as never, {} as GraphServices)) }
const best = { without: Number.POSITIVE_INFINITY, with: Number.POSITIVE_INFINITY }
for (let round = 0; round < ROUNDS; round++) {
  for (const name of ['without', 'with'] as const) best[name] = Math.min(best[name], await nanos(ways[name]))
}
console.log(`CPU a request, the least of ${ROUNDS} rounds of ${REQUESTS}`)
for (const [name, ns] of Object.entries(best))
  console.log(`${`${name} guards`.padEnd(16)} ${ns.toFixed(0).padStart(5)} ns`)
if (counted === 0) throw new Error('nothing was counted')
