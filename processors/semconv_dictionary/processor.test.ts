import { describe, expect, test } from 'vitest'
import { Code, PermanentError, RetryableError } from '#core/component'
import { logs, metrics, payloadFor, traces, until } from '#core/testing'
import { FlakyStorage, running } from './rig.test-support.ts'

const STALLED = new URL('testdata/stalled-worker.ts', import.meta.url)
const FAILING = new URL('testdata/failing-worker.ts', import.meta.url)
const METRIC = { signal_type: 'trace', protocol: 'grpc' }

describe('forwarding', () => {
  test('hands on the very payload', async () => {
    await using rig = await running()
    const sent = (['traces', 'metrics', 'logs'] as const).map(payloadFor)
    for (const payload of sent) await rig.send(payload)
    expect(rig.sink.payloads).toEqual(sent)
    for (const [i, payload] of rig.sink.payloads.entries()) expect(payload).toBe(sent[i])
  })

  test('tells the sender what the next one says, and counts what a backend has answered with an error', async () => {
    await using rig = await running()
    const value = (name: string) => rig.context.meter.value(name, METRIC)
    for (const error of [new RetryableError('away'), new RetryableError('busy', { code: Code.RESOURCE_EXHAUSTED })]) {
      rig.sink.refuse(error)
      await expect(rig.send(traces(2))).rejects.toBe(error)
    }
    rig.sink.refuse(new PermanentError('bad'))
    await expect(rig.send(traces(2))).rejects.toThrow('bad')
    rig.sink.accept()
    await rig.send(traces(3))
    expect([value('signals_received_total'), value('signals_forwarded_total'), value('signals_dropped_total')]).toEqual(
      [9, 3, 4],
    )
  })

  test('goes on when all workers are stuck; what finds no room is counted as dropped', async () => {
    await using rig = await running({ ring_buffer_size: 300 }, { worker: STALLED })
    for (let i = 0; i < 1000; i++) await rig.send(logs(2))
    expect(rig.sink.items).toBe(2000)
    // 256 went to the worker, 300 wait.
    expect(rig.counter('pipeline_drops_total')).toBe(2 * (1000 - 256 - 300))
    await rig.shutdown()
    expect(rig.counter('pipeline_drops_total')).toBe(2000)
  })

  test('goes on when analysis fails', async () => {
    await using rig = await running({}, { worker: FAILING })
    await rig.send(traces(5))
    await until(() => rig.counter('pipeline_drops_total') === 5)
    expect(rig.context.logger.lines.find(line => line.level === 'error')?.message).toBe(
      'Analysis failed, its payloads are not learned from',
    )
  })

  test('bounds the bytes that wait', async () => {
    await using rig = await running({ ring_buffer_bytes: 1000 }, { worker: STALLED })
    for (let i = 0; i < 100; i++) await rig.send(logs(1))
    expect(rig.counter('pipeline_drops_total')).toBeGreaterThan(80)
    expect(rig.sink.items).toBe(100)
  })
})

describe('learning', () => {
  test('happens on worker threads, and everything is either analysed or dropped', async () => {
    await using rig = await running({ worker_count: 2 })
    for (let i = 0; i < 600; i++) await rig.send([traces(3), metrics(3), logs(3)][i % 3]!)
    await until(() => rig.counter('pipeline_analyzed_total') + rig.counter('pipeline_drops_total') === 1800)
    expect(rig.counter('pipeline_drops_total')).toBe(0)
    const names = [...rig.dictionary.entries()].map(({ kind, name, count }) => `${kind} ${name} ${count}`).sort()
    expect(names).toEqual(['attribute n 1800', 'attribute service.name 600', 'metric requests 600'])
    expect(rig.dictionary.get('attribute', 'n')!.sketch.cardinality).toBe(3)
    expect(rig.counter('dictionary_entries')).toBe(3)
  })

  test('tells at debug what goes on', async () => {
    await using rig = await running({}, { storage: new FlakyStorage() })
    await rig.send(traces(1))
    const wanted = [
      'Signal received',
      'Signal forwarded',
      'Dictionary upserted',
      'Ring buffer and worker pool',
      'Persistence batch written',
    ]
    await until(() => wanted.every(message => rig.context.logger.lines.some(line => line.message === message)))
  })
})

describe('storage', () => {
  test('brings back what was learned, and goes on counting the same values', async () => {
    const storage = new FlakyStorage()
    const first = await running({}, { storage })
    await first.send(logs(20))
    await first.shutdown()
    await using second = await running({}, { storage })
    await second.learner.ready
    expect(second.dictionary.get('attribute', 'n')!.count).toBe(20)
    await second.send(logs(30))
    await until(() => second.dictionary.get('attribute', 'n')!.count === 50)
    expect(second.dictionary.get('attribute', 'n')!.sketch.cardinality).toBe(30)
  })

  test('that fails leaves forwarding and learning alone, is told, and is written again later', async () => {
    const storage = new FlakyStorage()
    await using rig = await running({}, { storage })
    await rig.learner.ready
    storage.failing = true
    await rig.send(logs(5))
    const state = () => rig.learner.readiness.find(part => part.name === 'storage')!.read()
    await until(() => state().state === 'DEGRADED')
    expect(state().detail).toBe('Cannot store the dictionary: no space left on device')
    await until(() => rig.counter('storage_errors_total') > 1)
    expect(rig.context.logger.lines.filter(line => line.message === 'Dictionary cannot be stored')).toHaveLength(1)
    await rig.send(logs(8))
    await until(() => rig.dictionary.get('attribute', 'n')!.sketch.cardinality === 8)
    expect(rig.sink.items).toBe(13)
    storage.failing = false
    await until(() => state().state === 'OK')
    await rig.shutdown()
    await using again = await running({}, { storage })
    await again.learner.ready
    expect(again.dictionary.get('attribute', 'n')!.sketch.cardinality).toBe(8)
  })

  test('that is damaged is set aside with a message, and an empty one takes its place', async () => {
    const storage = new FlakyStorage()
    storage.broken.add('')
    const first = await running({}, { storage })
    await first.send(logs(5))
    await first.shutdown()
    await using rig = await running({}, { storage })
    await rig.learner.ready
    expect(rig.dictionary.get('attribute', 'n')!.sketch.cardinality).toBe(5)
    expect(rig.learner.keeper.state).toEqual({
      state: 'DEGRADED',
      detail: 'The stored dictionary was set aside: Cannot open "": it is not an LMDB file of version 2',
    })
    expect(rig.context.logger.lines.find(line => line.level === 'error')?.message).toBe(
      'Stored dictionary cannot be read and is set aside',
    )
  })

  test('that is not there at all leaves a dictionary in memory', async () => {
    const storage = new FlakyStorage()
    storage.broken.add('').add('replacement')
    await using rig = await running({}, { storage })
    await rig.send(logs(5))
    await until(() => rig.dictionary.size === 2)
    expect(rig.learner.keeper.state.state).toBe('DEGRADED')
  })

  test('with entries that cannot be read loses these alone', async () => {
    const storage = new FlakyStorage()
    const first = await running({}, { storage })
    await first.send(logs(5))
    await first.shutdown()
    await storage.stores.get('')!.set('e/attribute/n', Buffer.from('{damaged'))
    await using rig = await running({}, { storage })
    await rig.learner.ready
    expect([...rig.dictionary.entries()].map(each => each.name)).toEqual(['service.name'])
    expect(await storage.stores.get('')!.get('e/attribute/n')).toBeUndefined()
  })
})
