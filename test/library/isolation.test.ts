import { connect } from 'node:net'
import { trace } from '@opentelemetry/api'
import { createCollector } from 'millrace'
import { millrace } from 'millrace/distributions/millrace'
import { memory as memoryExporter } from 'millrace/exporters/memory'
import { memory as memoryReceiver } from 'millrace/receivers/memory'
import prometheus from 'prom-client'
import { describe, expect, test } from 'vitest'
import { freePorts } from '../bench/ports.ts'

/** A collector with its own way in and out, and what it logs. */
async function startOne(config: object = {}) {
  const [input, output] = [memoryReceiver(), memoryExporter()]
  const lines: string[] = []
  const collector = createCollector({
    components: { ...millrace, receivers: [...millrace.receivers, input], exporters: [...millrace.exporters, output] },
    config: {
      receivers: { memory: {} },
      exporters: { memory: {} },
      service: { pipelines: { traces: { receivers: ['memory'], exporters: ['memory'] } } },
      ...config,
    },
    log: ({ message }) => lines.push(message),
  })
  await collector.start()
  return { input, output, lines, collector, [Symbol.asyncDispose]: () => collector.shutdown() }
}

const SPAN = { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a' }] }] }] }

/** What of the process a collector could change. */
function processState() {
  const events = process.eventNames().map(event => [event, process.listenerCount(event)])
  return {
    listeners: Object.fromEntries(events),
    exitCode: process.exitCode,
    env: { ...process.env },
    directory: process.cwd(),
    globals: Object.getOwnPropertyNames(globalThis).sort(),
    tracing: trace.getTracer('a').startSpan('a').isRecording(),
    metrics: prometheus.register.getMetricsAsArray().length,
  }
}

describe('several collectors in one process', () => {
  test('keep telemetry, logs, metrics and the ledger apart', async () => {
    await using one = await startOne()
    await using two = await startOne()
    await one.input.traces(SPAN)
    await two.input.traces(SPAN)
    await two.input.traces(SPAN)
    const accepted = async ({ collector }: typeof one) =>
      /^otelcol_receiver_accepted_spans\{.*\} (\d+)$/m.exec(await collector.metricsText())?.[1]
    expect([one.output.items, two.output.items]).toEqual([1, 2])
    expect([await accepted(one), await accepted(two)]).toEqual(['1', '2'])
    expect([one, two].map(({ collector }) => collector.ledger().exporters.memory?.sent)).toEqual([1, 2])
    const lines = one.lines.length
    await two.collector.reload()
    await two.collector.shutdown()
    expect(one.lines).toHaveLength(lines)
    await one.input.traces(SPAN)
    expect(one.output.items).toBe(2)
  })

  test('a memory receiver serves one of them', async () => {
    await using one = await startOne()
    const second = createCollector({
      components: [one.input, memoryExporter()],
      log: () => {},
      config: {
        receivers: { memory: {} },
        exporters: { memory: {} },
        service: { pipelines: { traces: { receivers: ['memory'], exporters: ['memory'] } } },
      },
    })
    await expect(second.start()).rejects.toThrow('this memory receiver runs in another collector')
    await one.input.traces(SPAN)
    expect(one.output.items).toBe(1)
  })

  const servers: [string, (endpoint: string) => object][] = [
    ['the otlp receiver over HTTP', endpoint => otlp({ http: { endpoint } })],
    ['the otlp receiver over gRPC', endpoint => otlp({ grpc: { endpoint } })],
    ...['api', 'health_check', 'zpages', 'pprof'].map((extension): [string, (endpoint: string) => object] => [
      `the ${extension} extension`,
      endpoint => ({
        extensions: { [extension]: { endpoint } },
        service: { extensions: [extension], pipelines: PIPELINES },
      }),
    ]),
    ['the metrics page', endpoint => ({ service: { pipelines: PIPELINES, telemetry: page(endpoint) } })],
  ]
  test.each(servers)('%s does not take over the port of another one', async (_, configure) => {
    const [port] = await freePorts(1)
    const endpoint = `127.0.0.1:${port}`
    await using one = await startOne(configure(endpoint))
    await expect(startOne(configure(endpoint))).rejects.toThrow('address already in use')
    await one.collector.reload()
    const socket = connect(port!, '127.0.0.1')
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    socket.destroy()
  })
})

test('a collector leaves the process as it was', async () => {
  const before = processState()
  await using one = await startOne({
    receivers: { memory: {}, otlp: { protocols: { grpc: { endpoint: '127.0.0.1:0' } } } },
    processors: { memory_limiter: { check_interval: '1s', limit_percentage: 90 }, batch: {} },
    extensions: { api: { endpoint: '127.0.0.1:0' }, zpages: { endpoint: '127.0.0.1:0' } },
    service: {
      extensions: ['api', 'zpages'],
      telemetry: { metrics: { level: 'detailed' }, traces: { level: 'detailed' } },
      pipelines: {
        traces: { receivers: ['memory', 'otlp'], processors: ['memory_limiter', 'batch'], exporters: ['memory'] },
      },
    },
  })
  await one.input.traces(SPAN)
  await one.collector.metricsText()
  expect(processState()).toEqual(before)
  await one.collector.shutdown()
  expect(processState()).toEqual(before)
})

const PIPELINES = { traces: { receivers: ['memory'], exporters: ['memory'] } }

function otlp(protocols: object): object {
  return {
    receivers: { memory: {}, otlp: { protocols } },
    service: { pipelines: { traces: { receivers: ['memory', 'otlp'], exporters: ['memory'] } } },
  }
}

function page(endpoint: string): object {
  const [host, port] = endpoint.split(':')
  return { metrics: { readers: [{ pull: { exporter: { prometheus: { host, port: Number(port) } } } }] } }
}
