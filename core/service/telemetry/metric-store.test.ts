import { describe, expect, test } from 'vitest'
import { counter, gauge, histogram } from '#core/component'
import { MetricStore } from './metric-store.ts'
import { prometheusText } from './prometheus.ts'

const PLAIN = { without_units: true, without_type_suffix: true }
const sent = counter({ name: 'otelcol_exporter_sent_spans', unit: '{span}', description: 'Spans sent' })
const size = histogram({
  name: 'otelcol_batch_size',
  unit: 'By',
  description: 'Size',
  boundaries: [10, 100],
  level: 'normal',
})
const queue = gauge({ name: 'otelcol_queue_size', unit: '{batch}', description: 'Size of the queue' })

async function page(store: MetricStore, options = PLAIN): Promise<string[]> {
  const { body } = await prometheusText(store, {}, options)
  return body.split('\n').filter(line => line !== '' && !line.startsWith('#') && !line.startsWith('target_info'))
}

describe('metric store', () => {
  test('recorders bound alike share one series, others have their own', async () => {
    const store = new MetricStore('normal', 0)
    store.meter({ exporter: 'a' }).bind({ sent }).sent.add(2)
    store.meter({ exporter: 'a' }).bind({ sent }).sent.add(3)
    store.meter().bind({ sent }, { exporter: 'b' }).sent.add(1, { 'server.address': 'h' })
    expect(await page(store)).toEqual([
      'otelcol_exporter_sent_spans{exporter="a"} 5',
      'otelcol_exporter_sent_spans{exporter="b",server_address="h"} 1',
    ])
  })

  test('an instrument above the level records nothing and is not shown', async () => {
    const store = new MetricStore('basic', 0)
    const m = store.meter().bind({ size, sent })
    m.size.record(5)
    m.sent.add(1)
    expect(await page(store)).toEqual(['otelcol_exporter_sent_spans 1'])
    const none = new MetricStore('none', 0)
    none.meter().bind({ sent }).sent.add(1)
    expect(await page(none)).toEqual([])
  })

  test('a histogram counts a boundary itself into the bucket below', async () => {
    const store = new MetricStore('normal', 0)
    const m = store.meter().bind({ size })
    for (const value of [1, 10, 11, 100, 101]) m.size.record(value)
    expect(await page(store)).toEqual([
      'otelcol_batch_size_bucket{le="10"} 2',
      'otelcol_batch_size_bucket{le="100"} 4',
      'otelcol_batch_size_bucket{le="+Inf"} 5',
      'otelcol_batch_size_sum 223',
      'otelcol_batch_size_count 5',
    ])
  })

  test('a gauge is read when scraped, observers add up, and none means no sample', async () => {
    const store = new MetricStore('normal', 0)
    const m = store.meter().bind({ queue })
    let value: number | undefined = 3
    const stop = m.queue.observe(() => value)
    m.queue.observe(() => undefined)
    expect(await page(store)).toEqual(['otelcol_queue_size 3'])
    value = 4
    const other = m.queue.observe(() => 10)
    expect(await page(store)).toEqual(['otelcol_queue_size 14'])
    stop()
    other()
    expect(await page(store)).toEqual([])
  })

  test('suffixes appear when a reader asks for them', async () => {
    const store = new MetricStore('normal', 0)
    const m = store.meter().bind({ sent, size })
    m.sent.add(1)
    m.size.record(1)
    const names = await page(store, { without_units: false, without_type_suffix: false })
    expect(names[0]).toBe('otelcol_exporter_sent_spans_total 1')
    expect(names[1]).toBe('otelcol_batch_size_bytes_bucket{le="10"} 1')
  })

  test('label values with quotes, backslashes and line breaks stay one sample', async () => {
    const store = new MetricStore('normal', 0)
    store.meter({ exporter: 'a"b\\c\nd' }).bind({ sent }).sent.add(1)
    expect(await page(store)).toEqual(['otelcol_exporter_sent_spans{exporter="a\\"b\\\\c\\nd"} 1'])
  })

  test('a page may carry the scope and attributes of the resource on every sample', async () => {
    const store = new MetricStore('normal', 0)
    store.meter().bind({ sent }).sent.add(1)
    const resource = { 'service.name': 'millrace', 'service.version': '1', 'host.name': 'h' }
    const labels = { included: ['service.*', 'host.?ame'], excluded: ['*.version'] }
    const { body } = await prometheusText(store, resource, {
      ...PLAIN,
      constant: { otel_scope_name: 'millrace' },
      with_resource_constant_labels: labels,
    })
    expect(body).toContain(
      'otelcol_exporter_sent_spans{service_name="millrace",host_name="h",otel_scope_name="millrace"} 1',
    )
  })

  test('a counter can be read when scraped, too', async () => {
    const store = new MetricStore('basic', 0)
    store.observe(counter({ name: 'up', unit: 's', description: 'x' }), () => 3)
    store.observe(counter({ name: 'deep', unit: 's', description: 'x', level: 'detailed' }), () => 3)
    const { body } = await prometheusText(store, {}, PLAIN)
    expect(body).toContain('# TYPE up counter\nup 3\n')
    expect(body).not.toContain('deep')
  })
})
