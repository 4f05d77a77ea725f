/**
 * `npm run torture:dictionary-kill -- [kills=20]`: the semantic-convention proxy as a process, killed with SIGKILL at
 * random moments while it learns a new name from every request. After each restart every name that was acknowledged more
 * than a second before the kill must be in the export; younger ones may be gone, and the oldest of those is printed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from '#core/data'
import { Child } from '../bench/child.ts'
import { answers, freePorts } from '../bench/ports.ts'
import { generator } from '../bench/workload.ts'

/** Milliseconds before a kill whose names may be lost. */
const LOSS = 1000
const KILLS = Number(process.argv[2] ?? 20)

const directory = mkdtempSync(join(tmpdir(), 'millrace-kill-'))
const random = generator(Date.now())
const sink = new Child(process.execPath, [new URL('../bench/sink.ts', import.meta.url).pathname])
const backend = await sink.read<{ http: number }>()
/** When each name was acknowledged, in milliseconds on one scale with the kills. */
const acknowledged = new Map<string, number>()
let oldestLost = 0
let killedAt = 0
let broken = 0

for (let kill = 1; kill <= KILLS; kill++) {
  const proxy = await start()
  const missing = await missingAt(proxy.api)
  broken += report(kill - 1, missing)
  await learn(proxy.http, 500 + random() * 3000, kill)
  await proxy.child.stop('SIGKILL')
  killedAt = performance.now()
}
const last = await start()
broken += report(KILLS, await missingAt(last.api))
await last.child.stop()
await sink.stop()
rmSync(directory, { recursive: true })
console.log(
  `${acknowledged.size} names acknowledged over ${KILLS} kills; the oldest lost was ${oldestLost.toFixed(0)} ms old; beyond a second: ${broken}`,
)
process.exitCode = broken === 0 ? 0 : 1

async function start(): Promise<{ child: Child; http: number; api: number }> {
  const [grpc, http, api] = (await freePorts(3)) as [number, number, number]
  const child = new Child(process.execPath, [
    'distributions/semconv-proxy/main.ts',
    ...['--backend-endpoint', `http://127.0.0.1:${backend.http}`, '--backend-protocol=http', '--data-dir', directory],
    ...[
      '--listen-host',
      '127.0.0.1',
      '--global-budget=1000000',
      `--otlp-grpc-port=${grpc}`,
      `--otlp-http-port=${http}`,
      `--api-port=${api}`,
    ],
  ])
  await answers(`http://127.0.0.1:${api}/readyz`)
  return { child, http, api }
}

/** Sends requests, each with a name of its own, for `ms` milliseconds. */
async function learn(port: number, ms: number, kill: number): Promise<void> {
  const until = performance.now() + ms
  const headers = { 'content-type': 'application/x-protobuf' }
  for (let i = 0; performance.now() < until; i++) {
    const name = `kill${kill}.name${i}`
    const attributes = [{ key: name, value: { stringValue: 'x' } }]
    const body = encode('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] })
    const answer = await fetch(`http://127.0.0.1:${port}/v1/logs`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    if (answer.ok) acknowledged.set(name, performance.now())
  }
}

/** Acknowledged names that the export does not have, with their ages at the kill. */
async function missingAt(api: number): Promise<readonly (readonly [string, number])[]> {
  const answer = await fetch(`http://127.0.0.1:${api}/api/v1/export?format=registry`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The export answers ${answer.status}: ${text}`)
  const names = new Set(text.match(/kill\d+\.name\d+/g))
  return [...acknowledged].filter(([name]) => !names.has(name)).map(([name, at]) => [name, killedAt - at] as const)
}

/** Forgets what may be lost; gives how many names may not. */
function report(kill: number, missing: readonly (readonly [string, number])[]): number {
  for (const [name, age] of missing) {
    oldestLost = Math.max(oldestLost, age)
    acknowledged.delete(name)
  }
  const beyond = missing.filter(([, age]) => age > LOSS)
  if (kill > 0)
    console.log(`kill ${kill}: ${missing.length} names of the last second gone, ${beyond.length} older ones`)
  return beyond.length
}
