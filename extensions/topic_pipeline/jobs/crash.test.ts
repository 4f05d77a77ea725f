import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  ON_POSTGRES,
  type Place,
  POSTGRES_URL,
  postgres,
  SQLITE,
  type TestDatabase,
} from '../store/conformance/place.test-support.ts'
import { recount } from '../store/conformance/samples.test-support.ts'
import type { CrashOrder } from './crash-child.test-support.ts'

const CHILD = new URL('crash-child.test-support.ts', import.meta.url).pathname
const TOPICS = 200
const KILLS = 6

describe('Processes that are killed while they work, on SQLite', () => everyTopicOnce(SQLITE, ['a']))

describe.skipIf(POSTGRES_URL === undefined)(`Processes that are killed while they work, on ${ON_POSTGRES}`, () =>
  everyTopicOnce(postgres(POSTGRES_URL!), ['a', 'b']),
)

/** `owners`: of the processes that run at the same time. */
function everyTopicOnce(database: TestDatabase, owners: readonly string[]): void {
  it('leave every topic exactly once, each stage done once, and counters that are right', async () => {
    await using place = await database.create()
    // Makes the tables, so that the first are not killed before they have begun.
    const store = await place.open()
    let seed = 7
    for (let i = 0; i < KILLS; i++) {
      const children = owners.map(owner => start(place, owner))
      await Promise.race(children.map(child => child.working))
      // Somewhere in the middle of its work.
      seed = (seed * 31 + 11) % 97
      await setTimeout(seed)
      for (const child of children) child.process.kill('SIGKILL')
      await Promise.all(children.map(child => child.ended))
    }
    const last = owners.map(owner => start(place, owner))
    expect(await Promise.all(last.map(child => child.ended))).toEqual(
      owners.map(() => expect.stringMatching(/^(working\n)?done\n$/)),
    )

    expect(await store.topics.byStage()).toEqual([
      { stage: 'analyzed', count: TOPICS * 0.9 },
      { stage: 'extracted', count: 0 },
      { stage: 'rejected', count: TOPICS * 0.1 },
      { stage: 'scanned', count: 0 },
    ])
    expect(await store.jobs.counts()).toEqual([
      { stage: 'ANALYZE', status: 'COMPLETED', count: TOPICS },
      { stage: 'EXTRACT', status: 'COMPLETED', count: TOPICS },
    ])
    const { counted, really } = await recount(store)
    expect(counted).toEqual(really)
    const analyzed = await store.topics.feed({ page: 0, size: TOPICS })
    const rejected = await store.topics.feed({ page: 0, size: TOPICS, stage: 'rejected' })
    const topics = [...analyzed.topics, ...rejected.topics]
    expect(new Set(topics.map(topic => topic.externalId)).size).toBe(TOPICS)
    for (const { id } of topics) {
      const times = [await store.memory.get('EXTRACT', String(id)), await store.memory.get('ANALYZE', String(id))]
      expect([id, ...times]).toEqual([id, 1, 1])
    }
  }, 300_000)
}

function start(place: Place, owner: string) {
  const order: CrashOrder = { options: place.options, topics: TOPICS, owner }
  const child = spawn(process.execPath, [CHILD, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const working = once(child.stdout, 'data')
  return { process: child, working, ended: once(child, 'close').then(() => output) }
}
