import { expect, test } from 'vitest'
import { build, openDraft } from '#core/data'
import { LATENCY_BOUNDS, SpanStore } from './span-store.ts'

function spans(made: readonly { name: string; start: bigint; duration: bigint; failed?: boolean }[]) {
  const list = made.map(({ name, start, duration, failed }) => ({
    name,
    startTimeUnixNano: start,
    endTimeUnixNano: start + duration,
    status: { code: failed === true ? 2 : 0 },
  }))
  return openDraft(build('traces', { resourceSpans: [{ scopeSpans: [{ spans: list }] }] })).spans()
}

const SECOND = 1_000_000_000n

test('bounds are the decades from 10 µs to 100 s', () => {
  expect(LATENCY_BOUNDS).toEqual([0, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11])
})

test('every span is counted, but a bucket keeps one a second, the latest first, and forgets the oldest', () => {
  const store = new SpanStore()
  for (let i = 0; i < 40; i++) {
    const start = BigInt(i) * SECOND + 1n
    for (const span of spans([0n, 1n].map(more => ({ name: 'a', start: start + more, duration: 5n })))) store.add(span)
  }
  const [summary] = store.summaries()
  expect(summary?.latencies[0]?.total).toBe(80)
  expect(summary?.latencies[0]?.samples).toHaveLength(16)
  expect(summary?.latencies[0]?.samples[0]?.start).toBe(39_000)
})

test('errors are kept all, up to their limit', () => {
  const store = new SpanStore()
  const failed = Array.from({ length: 20 }, () => ({ name: 'a', start: 1n, duration: 5n, failed: true }))
  for (const span of spans(failed)) store.add(span)
  expect(store.summaries()[0]?.errors.total).toBe(20)
  expect(store.summaries()[0]?.errors.samples).toHaveLength(16)
})

test('names without end do not fill the memory', () => {
  const store = new SpanStore()
  const many = Array.from({ length: 1000 }, (_, i) => ({ name: `span ${i}`, start: 1n, duration: 1n }))
  for (const span of spans(many)) store.add(span)
  expect(store.summaries()).toHaveLength(200)
})
