import { formatDuration } from '#core/config'
import { type Html, html, page, table } from './html.ts'
import { LATENCY_BOUNDS, type SpanBucket, type SpanSample, type SpanStore } from './span-store.ts'

/** What `ztype` may be, with the Collector's numbers. */
const LATENCY = '1'
const ERRORS = '2'

/**
 * `/debug/tracez`: own spans by name, latency and error; samples of one cell when `query` names it with `zspanname`,
 * `ztype` and `zlatencybucket`.
 */
export function tracePage(store: SpanStore, query: URLSearchParams): string {
  const summaries = store.summaries()
  const rows = summaries.map(({ name, latencies, errors }) => [
    name,
    ...latencies.map((bucket, i) => cell(bucket, { zspanname: name, ztype: LATENCY, zlatencybucket: String(i) })),
    cell(errors, { zspanname: name, ztype: ERRORS }),
  ])
  const heads = ['Span name', ...LATENCY_BOUNDS.map(bound => `≥ ${durationText(bound)}`), 'Errors']
  const chosen = summaries.find(({ name }) => name === query.get('zspanname'))
  const bucket =
    query.get('ztype') === ERRORS ? chosen?.errors : chosen?.latencies[Number(query.get('zlatencybucket') ?? 0)]
  const samples = chosen === undefined || bucket === undefined ? '' : sampleTable(chosen.name, bucket)
  return page('Traces', html`<p>Spans that the collector made about itself.</p>${table(heads, rows)}${samples}`)
}

function cell({ total }: SpanBucket, query: Record<string, string>): Html | string {
  return total === 0 ? '' : html`<a href="?${new URLSearchParams(query).toString()}">${total}</a>`
}

function sampleTable(name: string, { total, samples }: SpanBucket): Html {
  const rows = samples.map(sample => [
    new Date(sample.start).toISOString(),
    durationText(sample.duration),
    html`<code>${sample.traceId}<br>${sample.spanId}</code>`,
    attributesOf(sample),
    sample.error ?? '',
  ])
  return html`<h2>${name}</h2>
<p>${samples.length} of ${total} spans, latest first.</p>
${table(['Start', 'Duration', 'Trace and span', 'Attributes', 'Error'], rows)}`
}

function attributesOf({ attributes }: SpanSample): readonly Html[] {
  return attributes.map(([name, value]) => html`<code>${name} = ${String(value)}</code><br>`)
}

function durationText(nanoseconds: number): string {
  return formatDuration(nanoseconds / 1e6)
}
