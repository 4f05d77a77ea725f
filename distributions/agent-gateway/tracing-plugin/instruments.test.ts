import { expect, test } from 'vitest'
import { INSTRUMENTS, Instruments } from './instruments.ts'
import type { Point } from './otlp-metrics.ts'

test('sums add up and histograms count, under the prefix that only standard names go without', () => {
  const instruments = new Instruments(5)
  instruments.record('tool.calls', 2, { tool: 'exec' })
  instruments.record('tool.calls', 3, { tool: 'exec' })
  for (const value of [0, 10, 10.5, 1_000_000]) instruments.record('tool.duration', value, {})
  instruments.record('gen_ai.client.token.usage', 4, {})
  const [calls, duration, tokens] = instruments.collect('acme_')
  expect(calls).toMatchObject({ name: 'acme_tool.calls', points: [{ attributes: { tool: 'exec' }, start: 5, sum: 5 }] })
  expect(duration!.points).toMatchObject([{ count: 4, sum: 1_000_020.5, min: 0, max: 1_000_000 }])
  const { buckets } = duration!.points[0] as Extract<Point, { count: number }>
  expect(buckets).toHaveLength(INSTRUMENTS['tool.duration'].bounds.length + 1)
  expect([buckets[0], buckets[1], buckets.at(-1)]).toEqual([2, 1, 1])
  expect(tokens!.name).toBe('gen_ai.client.token.usage')
})

test('what differs in too many ways is added up as overflow', () => {
  const instruments = new Instruments(0)
  for (let i = 0; i < 1000; i++) instruments.record('tool.calls', 1, { tool: `t${i % 500}` })
  const { points } = instruments.collect('')[0]!
  expect(points).toHaveLength(201)
  expect(points.at(-1)).toMatchObject({ attributes: { 'otel.metric.overflow': true }, sum: 600 })
})
