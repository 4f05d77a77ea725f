import { describe, expect, test } from 'vitest'
import { counter, histogram, type Labels } from '#core/component'
import { t } from '#core/config'
import { configure } from '#core/testing'
import { MetricStore } from './metric-store.ts'
import { prometheusText } from './prometheus.ts'
import { view } from './view-schema.ts'
import { viewsOf } from './views.ts'

const sent = counter({ name: 'otelcol_exporter_sent_spans', unit: '{span}', description: 'Spans sent' })
const failed = counter({ name: 'otelcol_exporter_send_failed_spans', unit: '{span}', description: 'Spans failed' })
const size = histogram({ name: 'otelcol_size', unit: 'By', description: 'Sizes', boundaries: [10, 100] })

/** The samples after some recording, as the page prints them. */
async function shown(views: readonly object[], labels: Labels = {}): Promise<readonly string[]> {
  const configured = configure(t.section({ views: t.list(view, { description: 'Views.' }) }), { views }).views
  const store = new MetricStore('detailed', 0, viewsOf(configured))
  for (const exporter of ['a', 'b']) {
    const bound = store.meter({ exporter, ...labels }).bind({ sent, failed, size })
    bound.sent.add(1)
    bound.failed.add(2, { 'error.type': 'x' })
    bound.size.record(50)
  }
  const { body } = await prometheusText(store, {}, { without_units: true, without_type_suffix: true })
  return body.split('\n').filter(line => line !== '' && !line.startsWith('#') && !line.startsWith('target_info'))
}

const names = (lines: readonly string[]) => [...new Set(lines.map(line => /^\w+/.exec(line)?.[0] ?? ''))]

describe('a view', () => {
  test('leaves instruments out', async () => {
    const drop = { aggregation: { drop: {} } }
    const lines = await shown([{ selector: { instrument_name: 'otelcol.exporter.*' }, stream: drop }])
    expect(names(lines)).toEqual(['otelcol_size_bucket', 'otelcol_size_sum', 'otelcol_size_count'])
    expect(names(await shown([{ selector: { unit: '{span}' }, stream: drop }]))).toHaveLength(3)
    expect(names(await shown([{ selector: { instrument_type: 'histogram' }, stream: drop }]))).toHaveLength(2)
    expect(names(await shown([{ selector: { meter_name: 'go.example.org' }, stream: drop }]))).toHaveLength(5)
  })

  test('gives another name and fewer labels, and adds up what becomes equal', async () => {
    const stream = { name: 'failures', attribute_keys: { included: ['error.*', 'exporter'], excluded: ['exporter'] } }
    const lines = await shown([{ selector: { instrument_name: '*failed_spans' }, stream }])
    expect(lines.filter(line => line.startsWith('failures'))).toEqual(['failures{error_type="x"} 4'])
  })

  test('gives a histogram other buckets', async () => {
    const stream = { aggregation: { explicit_bucket_histogram: { boundaries: [40] } } }
    const lines = await shown([{ selector: { instrument_name: 'otelcol_size' }, stream }])
    expect(lines.filter(line => line.includes('_bucket{le'))).toEqual([])
    expect(lines.filter(line => line.includes('_bucket') && line.includes('"a"'))).toEqual([
      'otelcol_size_bucket{exporter="a",le="40"} 0',
      'otelcol_size_bucket{exporter="a",le="+Inf"} 1',
    ])
  })

  test('cannot give the name of an instrument of another kind: that is left out', async () => {
    const lines = await shown([{ selector: { instrument_name: 'otelcol_size' }, stream: { name: sent.name } }])
    expect(names(lines)).toEqual([sent.name, failed.name])
  })

  test('that comes first decides', async () => {
    const keep = { selector: { instrument_name: 'otelcol_size' } }
    const drop = { stream: { aggregation: { drop: {} } } }
    expect(names(await shown([keep, drop]))).toEqual(['otelcol_size_bucket', 'otelcol_size_sum', 'otelcol_size_count'])
  })
})
