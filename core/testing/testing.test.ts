import { expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import {
  aSpan,
  decodePayload,
  encodeOtlp,
  FakeClock,
  logs,
  metrics,
  payloadOf,
  RecordingMeter,
  Sink,
  settle,
  tempDir,
  testContext,
  traces,
  tracesOf,
  until,
} from './index.ts'

test('the fake clock runs timers in the order in which they fall due, also those set meanwhile', async () => {
  const clock = new FakeClock(1_000)
  const seen: string[] = []
  clock.after(20, () => seen.push(`b ${clock.monotonic()}`))
  clock.after(10, () => {
    seen.push(`a ${clock.monotonic()}`)
    clock.after(5, () => seen.push(`nested ${clock.monotonic()}`))
  })
  clock.after(15, () => seen.push('cancelled')).cancel()
  await clock.advance(19)
  expect(seen).toEqual(['a 10', 'nested 15'])
  await clock.advance(1)
  expect(seen).toEqual(['a 10', 'nested 15', 'b 20'])
  expect([clock.now(), clock.pending]).toEqual([1_020, 0])
})

test('what a sleeper does next happens at the time it woke up', async () => {
  const clock = new FakeClock(0)
  const times: number[] = []
  const sleeper = (async () => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(100)
      times.push(clock.now())
    }
  })()
  await clock.advance(1_000)
  await sleeper
  expect(times).toEqual([100, 200, 300])
})

test('an aborted sleep rejects with the reason and leaves no timer', async () => {
  const clock = new FakeClock()
  const abort = new AbortController()
  const sleep = clock.sleep(10, abort.signal)
  abort.abort(new Error('enough'))
  await expect(sleep).rejects.toThrow('enough')
  expect(clock.pending).toBe(0)
})

test('a sink refuses every n-th request and remembers the others', async () => {
  const sink = new Sink()
  sink.failEvery(3)
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => sink.consume(traces(2), NO_CONTEXT)))
  expect(results.map(result => result.status === 'fulfilled')).toEqual([true, true, false, true, true, false])
  expect([sink.calls, sink.payloads.length, sink.items]).toEqual([6, 4, 8])
})

test('a sink that holds answers by the rule in force at release', async () => {
  const sink = new Sink()
  sink.hold()
  const answer = sink.consume(logs(1), NO_CONTEXT)
  await settle()
  expect([sink.waiting, sink.items]).toEqual([1, 0])
  sink.refuse(new Error('no'))
  sink.release()
  await expect(answer).rejects.toThrow('no')
})

test('a sink tells when enough has arrived', async () => {
  const sink = new Sink()
  const enough = sink.received(3)
  await sink.consume(metrics(1), NO_CONTEXT)
  await sink.consume(metrics(2), NO_CONTEXT)
  await enough
})

test('builders make the items they promise', () => {
  for (const payload of [traces(3), logs(3), metrics(3)]) {
    expect(payload.items).toBe(3)
    expect(payload.bytes).toBe(payload.flat().length)
    expect(encodeOtlp(payload.signal, decodePayload(payload))).toEqual(payload.flat())
  }
})

test('a 64-bit time survives the builder exactly', () => {
  const time = 1_767_225_600_123_456_789n
  const payload = payloadOf('traces', tracesOf([aSpan({ startTimeUnixNano: time })]))
  const read = decodePayload(payload) as {
    resourceSpans: { scopeSpans: { spans: { startTimeUnixNano: string }[] }[] }[]
  }
  expect(read.resourceSpans[0]!.scopeSpans[0]!.spans[0]!.startTimeUnixNano).toBe(String(time))
})

test('a meter refuses labels that were not declared', () => {
  const meter = new RecordingMeter()
  const declaration = { kind: 'counter', name: 'c', unit: '1', description: 'C', labels: ['a'] } as const
  const { c } = meter.bind({ c: declaration }, { bound: 'x' })
  c.add(2, { a: '1' })
  expect(meter.value('c', { a: '1', bound: 'x' })).toBe(2)
  expect(() => c.add(1, { b: '1' })).toThrow('does not declare the label b')
})

test('contexts of one id share state when they share the map', () => {
  const state = new Map<string, object>()
  const one = testContext({ id: 'a/b', state }).shared(() => ({ n: 1 }))
  expect(testContext({ id: 'a/b', state }).shared(() => ({ n: 2 }))).toBe(one)
})

test('until gives up with the name of what it waited for', async () => {
  await expect(until(() => false, { timeout: 5, what: 'a miracle' })).rejects.toThrow('a miracle')
})

test('a temporary directory is gone after its scope', async () => {
  let path: string
  {
    await using dir = await tempDir()
    path = dir.path
  }
  const { access } = await import('node:fs/promises')
  await expect(access(path)).rejects.toThrow('ENOENT')
})
