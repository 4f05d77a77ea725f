import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostApi } from '../../distributions/agent-gateway/tracing-plugin/host.ts'

/**
 * Microseconds that the gateway's tracing plugin takes of each hook: the recorded chat turn, replayed in runs and sessions
 * of their own into the plugin as it is shipped, with a collector that never answers. The limit is 50 µs.
 * Run: node test/bench/gateway-plugin.ts [turns]
 */

const FOLDER = join(import.meta.dirname, '../../distributions/agent-gateway')
const LIMIT = 50
const turns = Number(process.argv[2] ?? 20_000)

type Handler = (event: unknown, context: unknown) => unknown
const handlers = new Map<string, Handler>()
const api: HostApi = {
  config: {
    diagnostics: { otel: { enabled: true, endpoint: 'http://127.0.0.1:9' } },
    plugins: { entries: { 'millrace-tracing': { hooks: { allowConversationAccess: true } } } },
  },
  runtime: { version: '2026.9.6' },
  on: (hook, handler) => void handlers.set(hook, handler),
}
const { default: plugin } = await import(join(FOLDER, 'plugin/index.mjs'))
plugin.register(api)

const chat = readFileSync(join(FOLDER, 'tracing-plugin/testdata/hooks-2026.9.6.jsonl'), 'utf8')
  .split('\n')
  .filter(line => line.includes('agent:main:main') && !line.includes('session_end'))
const spent = new Map<string, { calls: number; nanoseconds: number; worst: number }>()
for (let turn = 0; turn < turns; turn++) {
  if (turn === 500) spent.clear()
  const trace = turn.toString(16).padStart(8, '0')
  for (const line of chat) {
    const { h, ev, ctx } = JSON.parse(
      line
        .replaceAll('"k1', `"k${turn}`)
        .replaceAll('agent:main:main', `agent:main:${turn}`)
        .replaceAll('8371b09b', trace),
    )
    const handler = handlers.get(h)
    if (handler === undefined) continue
    const begun = process.hrtime.bigint()
    handler(ev, ctx)
    const took = Number(process.hrtime.bigint() - begun)
    const sum = spent.get(h) ?? { calls: 0, nanoseconds: 0, worst: 0 }
    spent.set(h, { calls: sum.calls + 1, nanoseconds: sum.nanoseconds + took, worst: Math.max(sum.worst, took) })
  }
  if (turn % 50 === 0) await new Promise(resolve => setTimeout(resolve, 1))
}

const all = [...spent.values()]
const mean = total(all, 'nanoseconds') / total(all, 'calls') / 1000
console.log('hook                    mean µs   worst µs')
for (const [hook, { calls, nanoseconds, worst }] of spent) {
  console.log(`${hook.padEnd(22)}${micros(nanoseconds / calls)}${micros(worst)}`)
}
console.log(`${mean.toFixed(2)} µs a hook over ${total(all, 'calls').toLocaleString('en')} hooks, limit ${LIMIT} µs`)
if (mean > LIMIT) throw new Error(`A hook takes ${mean.toFixed(1)} µs, more than ${LIMIT} µs`)
process.exit()

function total(sums: readonly { calls: number; nanoseconds: number }[], what: 'calls' | 'nanoseconds'): number {
  return sums.reduce((sum, each) => sum + each[what], 0)
}

function micros(nanoseconds: number): string {
  return (nanoseconds / 1000).toFixed(2).padStart(11)
}
