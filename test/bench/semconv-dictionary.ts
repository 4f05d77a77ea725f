/**
 * What a dictionary of ten thousand entries costs to export, query, keep and load, and how it stands against a million
 * hostile names. Runs in the process of the bench, so that turns of the event loop can be measured.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { systemClock } from '#core/component'
import { encode, type PlainKeyValue } from '#core/data'
import { configure, TestHost, testContext } from '#core/testing'
import { fileStorageConfig } from '../../extensions/file_storage/config.ts'
import { FileStorage } from '../../extensions/file_storage/extension.ts'
import { Observer } from '../../processors/semconv_dictionary/analysis/observer.ts'
import { walk } from '../../processors/semconv_dictionary/analysis/walk.ts'
import { semconvDictionaryConfig } from '../../processors/semconv_dictionary/config.ts'
import { Learner } from '../../processors/semconv_dictionary/learning/learner.ts'

const ENTRIES = 10_000

/** A request of one log record with these attributes. */
function request(names: readonly string[], value: number): Buffer {
  const attributes: PlainKeyValue[] = names.map(key => ({ key, value: { intValue: value } }))
  return encode('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] })
}

async function learnNames(
  learner: Learner,
  observer: Observer,
  from: number,
  to: number,
  values: number,
): Promise<void> {
  const names = Array.from({ length: to - from }, (_, i) => `acme.module_${(from + i) % 97}.name_${from + i}`)
  for (let value = 0; value < values; value++) walk(observer, 'logs', request(names, value))
  await learner.dictionary.apply(observer.take(1, values))
}

async function open(directory: string, budget: number) {
  const storage = new FileStorage(
    configure(fileStorageConfig, { directory }),
    testContext({ id: 'file_storage', kind: 'extension', clock: systemClock }),
  )
  await storage.start()
  const context = testContext({ id: 'semconv_dictionary', clock: systemClock })
  const learner = new Learner(
    configure(semconvDictionaryConfig, { storage: 'file_storage', global_budget: budget }),
    context,
  )
  const user = {}
  const begun = performance.now()
  await learner.open(user, new TestHost({ file_storage: storage }))
  await learner.ready
  const loaded = performance.now() - begun
  await learner.classified
  return {
    learner,
    loaded,
    async close() {
      await learner.close(user)
      await storage.shutdown()
    },
  }
}

/** Milliseconds `run` takes, and the longest turn of the event loop meanwhile. */
async function timed(run: () => Promise<void>): Promise<{ ms: number; turn: number; cpu: number }> {
  await setTimeout(50)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await setTimeout(20)
  delay.reset()
  const begun = performance.now()
  const used = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(used)
  const ms = performance.now() - begun
  await setTimeout(20)
  delay.disable()
  return { ms, turn: delay.max / 1e6, cpu: (user + system) / 1000 }
}

const routeOf = (learner: Learner, path: string) => learner.routes.find(route => route.path === path)!
const asked = (query: object) => ({ params: {}, query: query as Record<string, unknown>, body: undefined, headers: {} })

/** Export, query, cardinality and reload with ten thousand entries; prints a line for each. */
export async function benchDictionary(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const first = await open(directory, 10 * ENTRIES)
  const before = process.memoryUsage()
  const observer = new Observer(1)
  for (let from = 0; from < ENTRIES; from += 1000) await learnNames(first.learner, observer, from, from + 1000, 5)
  const after = process.memoryUsage()
  const heap = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / ENTRIES
  console.log(`memory an entry with five values, observer included: ${(heap / 1024).toFixed(1)} KiB`)
  for (const run of [1, 2, 3]) {
    let bytes = 0
    const { ms, turn, cpu } = await timed(async () => {
      const { body } = await routeOf(first.learner, '/api/v1/export').handle(asked({ format: 'registry' }))
      for await (const piece of body as AsyncIterable<string>) bytes += piece.length
    })
    console.log(
      `export ${run}: ${ms.toFixed(0)} ms (${cpu.toFixed(0)} ms of CPU), ${(bytes / 2 ** 20).toFixed(1)} MiB, longest turn ${turn.toFixed(1)} ms`,
    )
  }
  const page = { sort: 'name', order: 'asc', limit: 100, offset: 0 }
  const queries: [string, string, object][] = [
    ['first page', '/api/v1/dictionary', page],
    ['q=acme.*', '/api/v1/dictionary', { ...page, q: 'acme.*' }],
    ['by cardinality', '/api/v1/dictionary', { ...page, sort: 'cardinality', order: 'desc' }],
    ['classification=custom', '/api/v1/dictionary', { ...page, classification: 'custom' }],
    ['cardinality', '/api/v1/cardinality', { threshold: 1, limit: 1000 }],
    ['migration', '/api/v1/migration', {}],
  ]
  for (const [name, path, query] of queries) {
    const times: number[] = []
    for (let run = 0; run < 5; run++) {
      const begun = performance.now()
      const answer = await routeOf(first.learner, path).handle(asked(query))
      JSON.stringify(answer.body)
      times.push(performance.now() - begun)
      await setImmediate()
    }
    console.log(
      `query ${name}: first ${times[0]!.toFixed(1)} ms, median ${times.sort((a, b) => a - b)[2]!.toFixed(1)} ms`,
    )
  }
  const begun = performance.now()
  await first.close()
  console.log(`store everything at shutdown: ${(performance.now() - begun).toFixed(0)} ms`)
  const second = await open(directory, 10 * ENTRIES)
  console.log(`reload: ${second.loaded.toFixed(0)} ms for ${second.learner.dictionary.size} entries`)
  await second.close()
}

/** A million different names, a hundred a record, against the default budget. */
export async function benchHostileNames(): Promise<void> {
  const rig = await open(mkdtempSync(join(tmpdir(), 'millrace-bench-')), 10_000)
  const observer = new Observer(1)
  const { dictionary } = rig.learner
  let most = 0
  const { ms, turn, cpu } = await timed(async () => {
    for (let from = 0; from < 1_000_000; from += 1000) {
      await learnNames(rig.learner, observer, from, from + 1000, 1)
      most = Math.max(most, dictionary.usedSlots)
      await setImmediate()
    }
  })
  console.log(
    `a million names: ${(ms / 1000).toFixed(1)} s (${(cpu / 1000).toFixed(1)} s of CPU), at most ${most} of 10000 slots used, ` +
      `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB resident, longest turn ${turn.toFixed(0)} ms`,
  )
  await rig.close()
}
