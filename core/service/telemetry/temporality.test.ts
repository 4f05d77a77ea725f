import { expect, test } from 'vitest'
import { counter, gauge, histogram, upDownCounter } from '#core/component'
import { MetricStore } from './metric-store.ts'
import { metricRecords } from './own-records.ts'
import { cumulative, DeltaSource } from './temporality.ts'

const about = { unit: '1', description: 'x' }
const instruments = {
  sent: counter({ name: 'sent', ...about }),
  open: upDownCounter({ name: 'open', ...about }),
  size: gauge({ name: 'size', ...about }),
  time: histogram({ name: 'time', boundaries: [10], unit: 's', description: 'x' }),
}

test('delta tells what was added since the last reading, cumulative everything; neither disturbs the other', () => {
  const store = new MetricStore('normal', 1000)
  const { sent, open, size, time } = store.meter().bind(instruments)
  size.observe(() => 7)
  const delta = new DeltaSource(store)
  const read = (now: number) =>
    Object.fromEntries(metricRecords(delta.read(now), now).map(record => [record.name, record]))

  sent.add(3)
  open.add(2)
  time.record(5)
  const first = read(2000)
  expect(first.sent?.sum).toMatchObject({ aggregationTemporality: 1, isMonotonic: true, dataPoints: [{ asInt: 3 }] })
  expect(first.open?.sum).toMatchObject({ aggregationTemporality: 2, dataPoints: [{ asInt: 2 }] })
  expect(first.time?.histogram).toMatchObject({ dataPoints: [{ bucketCounts: [1, 0], count: 1, sum: 5 }] })

  sent.add(1)
  open.add(-1)
  time.record(50)
  const second = read(3000)
  const [point] = second.sent?.sum?.dataPoints ?? []
  expect(point).toMatchObject({ asInt: 1, startTimeUnixNano: 2_000_000_000n, timeUnixNano: 3_000_000_000n })
  expect(second.open?.sum?.dataPoints).toMatchObject([{ asInt: 1, startTimeUnixNano: 1_000_000_000n }])
  expect(second.time?.histogram?.dataPoints).toMatchObject([{ bucketCounts: [0, 1], count: 1, sum: 50 }])
  expect(second.size?.gauge?.dataPoints).toMatchObject([{ asInt: 7 }])

  const all = metricRecords(cumulative(store), 4000).find(record => record.name === 'sent')
  expect(all?.sum).toMatchObject({ aggregationTemporality: 2, dataPoints: [{ asInt: 4 }] })
})

test('seconds are doubles even when they happen to be whole', () => {
  const store = new MetricStore('normal', 0)
  store.observe(counter({ name: 'uptime', unit: 's', description: 'x' }), () => 5)
  expect(metricRecords(cumulative(store), 0)[0]?.sum?.dataPoints).toMatchObject([{ asDouble: 5 }])
})
