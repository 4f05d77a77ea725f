/**
 * Topics a second that one and two workers bring from the scan to the analysis, on one PostgreSQL and with a source that
 * answers after 200 ms: `test/postgres/with-postgres node test/bench/topics-workers.ts [topics]`.
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { POSTGRES_URL, postgres } from '../../extensions/topic_pipeline/store/conformance/place.test-support.ts'
import { manyFound } from '../../extensions/topic_pipeline/store/conformance/samples.test-support.ts'

const TOPICS = Number(process.argv[2] ?? 300)
const ANSWER = 200
const WORKER = new URL('topics-worker.ts', import.meta.url).pathname

if (POSTGRES_URL === undefined) throw new Error('Run it with test/postgres/with-postgres')
const source = createServer(
  (_, response) => void setTimeout(ANSWER).then(() => response.end('Tail sampling '.repeat(200))),
)
source.listen(0, '127.0.0.1')
await once(source, 'listening')
const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`

const one = await rate(1)
const two = await rate(2)
console.log(`two workers do ${(two / one).toFixed(2)} times the work of one (at least 1.7)`)
source.closeAllConnections()
source.close()

async function rate(count: number): Promise<number> {
  await using place = await postgres(POSTGRES_URL!).create()
  const store = await place.open()
  await store.topics.add(manyFound(TOPICS), null, Date.now())
  const workers = Array.from({ length: count }, (_, i) =>
    spawn(process.execPath, [WORKER, place.options.database!, url, `worker-${i}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(workers.map(worker => once(worker.stdout!, 'data')))
  const started = performance.now()
  for (const worker of workers) worker.stdin!.write('go')
  while ((await store.topics.byStage()).find(each => each.stage === 'analyzed')!.count < TOPICS) await setTimeout(20)
  const perSecond = TOPICS / ((performance.now() - started) / 1000)
  console.log(`${count} ${count === 1 ? 'worker ' : 'workers'} ${perSecond.toFixed(1)} topics/s`)
  for (const worker of workers) worker.stdin!.end()
  await Promise.all(workers.map(worker => once(worker, 'exit')))
  return perSecond
}
