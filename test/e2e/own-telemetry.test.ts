import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir, until } from '#core/testing'
import { OTLP_ON_FREE_PORTS, runCollector } from './collector.ts'
import { postEachSignal } from './own-telemetry.test-support.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

/** The lines of a file that may not exist yet, parsed. */
async function linesOf(path: string): Promise<readonly Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
}

type Lists = { readonly [field: string]: readonly Lists[] }

function spansIn(lines: readonly Record<string, unknown>[]): readonly Span[] {
  const requests = lines as unknown as readonly Lists[]
  return requests.flatMap(line =>
    (line.resourceSpans ?? []).flatMap(r => r.scopeSpans!.flatMap(s => s.spans as unknown as readonly Span[])),
  )
}

describe('the own_telemetry receiver', () => {
  test('own metrics, logs and spans of a collector arrive at a file of the same collector, and nothing loops', async () => {
    await using dir = await tempDir()
    const path = join(dir.path, 'own.json')
    const own = { receivers: ['own_telemetry'], processors: ['batch'], exporters: ['file', 'debug'] }
    const user = { receivers: ['otlp'], exporters: ['nop'] }
    await using running = await runCollector({
      receivers: { otlp: OTLP_ON_FREE_PORTS, own_telemetry: { metrics_interval: '50ms' } },
      processors: { batch: { timeout: '10ms' } },
      exporters: { file: { path }, debug: {}, nop: {} },
      service: {
        pipelines: { traces: user, metrics: user, logs: user, 'traces/own': own, 'metrics/own': own, 'logs/own': own },
      },
    })
    await postEachSignal(running.http)
    await until(async () => {
      const text = JSON.stringify(await linesOf(path))
      return ['otelcol_receiver_accepted_spans', 'Everything is ready', 'receiver/otlp/LogsReceived'].every(word =>
        text.includes(word),
      )
    })
    // The debug exporter logs what it gets; its own lines must not come back to it.
    const debugLines = running.logs.filter(line => line['otelcol.component.id'] === 'debug')
    expect(debugLines.length).toBeGreaterThan(0)
    await running.collector.shutdown(10_000)
    const lines = await linesOf(path)
    expect(JSON.stringify(lines)).not.toContain('otelcol.component.id","value":{"stringValue":"debug"}')
    expect(spansIn(lines).map(({ name }) => name)).toEqual([
      'receiver/otlp/TraceDataReceived',
      'receiver/otlp/MetricsReceived',
      'receiver/otlp/LogsReceived',
    ])
  })
})

/** A collector that writes its own spans to `path`, and what else `exporter` is told. */
function traced(path: string, propagators: readonly string[], exporter: object) {
  return {
    receivers: { otlp: OTLP_ON_FREE_PORTS, own_telemetry: {} },
    exporters: { ...exporter, file: { path } },
    service: {
      telemetry: { logs: { level: 'info', encoding: 'json' }, metrics: { level: 'none' }, traces: { propagators } },
      pipelines: {
        traces: { receivers: ['otlp'], exporters: Object.keys(exporter) },
        'traces/own': { receivers: ['own_telemetry'], exporters: ['file'] },
      },
    },
  }
}

describe('own spans', () => {
  test.each([
    ['tracecontext', { traceparent: `00-${TRACE}-b7ad6b7169203331-01` }],
    ['b3', { b3: `${TRACE}-b7ad6b7169203331-1` }],
  ] as const)('continue the trace of a sender told by %s, from hop to hop', async (propagator, headers) => {
    await using dir = await tempDir()
    const [first, second] = [join(dir.path, 'first.json'), join(dir.path, 'second.json')]
    await using backend = await runCollector(traced(second, ['tracecontext'], { nop: {} }))
    const onwards = { otlp_grpc: { endpoint: backend.grpc, tls: { insecure: true } } }
    await using gateway = await runCollector(traced(first, [propagator], onwards))
    await postEachSignal(gateway.http, headers)
    await until(async () => spansIn(await linesOf(first)).length >= 2 && spansIn(await linesOf(second)).length >= 1)

    const spans = spansIn(await linesOf(first))
    const received = spans.find(({ name }) => name === 'receiver/otlp/TraceDataReceived')
    const sent = spans.find(({ name }) => name === 'exporter/otlp_grpc/traces')
    const [arrived] = spansIn(await linesOf(second))
    expect(received).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331' })
    expect(sent).toMatchObject({ traceId: TRACE, parentSpanId: received?.spanId })
    expect(arrived).toMatchObject({ traceId: TRACE, parentSpanId: sent?.spanId })
    expect(attributesOf(received)).toMatchObject({ transport: 'http', format: 'protobuf' })
    expect(attributesOf(arrived)).toMatchObject({ transport: 'grpc', format: 'protobuf' })
    expect([Number(attributesOf(received).accepted_spans), Number(attributesOf(received).refused_spans)]).toEqual([
      1, 0,
    ])
  })

  test('leave the trace of a sender alone without a propagator', async () => {
    await using dir = await tempDir()
    const path = join(dir.path, 'own.json')
    await using running = await runCollector(traced(path, [], { nop: {} }))
    await postEachSignal(running.http, { traceparent: `00-${TRACE}-b7ad6b7169203331-01` })
    await until(async () => spansIn(await linesOf(path)).length >= 1)
    const [span] = spansIn(await linesOf(path))
    expect(span?.traceId).not.toBe(TRACE)
    expect(span?.parentSpanId ?? '').toBe('')
  })
})

function attributesOf(span: Span | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
}
