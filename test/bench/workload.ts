import {
  admit,
  encode,
  type Payload,
  type PlainKeyValue,
  type PlainLogRecord,
  type PlainMetric,
  type PlainSpan,
} from '#core/data'

export type BenchSignal = 'traces' | 'metrics' | 'logs'

/**
 * A request of `items` spans, data points or log records as services send them: spans of about 450 bytes with ten
 * attributes, log records with six, points with four. Ids and some values differ between items, so that compression has
 * something to do. The same `seed` gives the same bytes.
 */
export function requestBytes(signal: BenchSignal, items: number, seed = 1): Buffer {
  const random = generator(seed)
  const resource = {
    attributes: strings({ 'service.name': 'checkout', 'host.name': 'node-17', 'k8s.namespace.name': 'shop' }),
  }
  const scope = { name: 'bench.instrumentation', version: '1.2.3' }
  const each = Array.from({ length: items }, (_, i) => i)
  if (signal === 'traces')
    return encode('traces', {
      resourceSpans: [{ resource, scopeSpans: [{ scope, spans: each.map(i => span(random, i)) }] }],
    })
  if (signal === 'logs')
    return encode('logs', {
      resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: each.map(i => logRecord(random, i)) }] }],
    })
  return encode('metrics', {
    resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: metrics(random, items) }] }],
  })
}

export function payload(signal: BenchSignal, items: number): Payload {
  return admit(signal, requestBytes(signal, items)).payload
}

const START = 1_767_225_600_000_000_000n

function span(random: () => number, i: number): PlainSpan {
  return {
    traceId: hex(random, 16),
    spanId: hex(random, 8),
    parentSpanId: hex(random, 8),
    name: `GET /api/v1/orders/{id}`,
    kind: 2,
    startTimeUnixNano: START + BigInt(i) * 1_000_000n,
    endTimeUnixNano: START + BigInt(i) * 1_000_000n + BigInt(Math.floor(random() * 1e8)),
    attributes: [
      ...strings({
        'http.request.method': 'GET',
        'http.route': '/api/v1/orders/{id}',
        'url.scheme': 'https',
        'url.path': `/api/v1/orders/${Math.floor(random() * 1e6)}`,
        'server.address': 'shop.example.com',
        'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64)',
        'network.protocol.version': '1.1',
        'client.address': `10.0.${i % 256}.${Math.floor(random() * 256)}`,
      }),
      { key: 'http.response.status_code', value: { intValue: 200 } },
      { key: 'server.port', value: { intValue: 443 } },
    ],
    status: { code: 0 },
  }
}

function logRecord(random: () => number, i: number): PlainLogRecord {
  return {
    timeUnixNano: START + BigInt(i) * 1_000_000n,
    observedTimeUnixNano: START + BigInt(i) * 1_000_000n + 1000n,
    severityNumber: 9,
    severityText: 'INFO',
    body: {
      stringValue: `Order ${Math.floor(random() * 1e6)} accepted after ${Math.floor(random() * 500)} ms in the warehouse`,
    },
    attributes: strings({
      'log.file.name': 'app.log',
      'code.function.name': 'OrderService.accept',
      'thread.name': `worker-${i % 16}`,
      'order.id': String(Math.floor(random() * 1e9)),
      'enduser.id': `u-${Math.floor(random() * 1e5)}`,
      'deployment.environment.name': 'production',
    }),
    traceId: hex(random, 16),
    spanId: hex(random, 8),
  }
}

function metrics(random: () => number, items: number): PlainMetric[] {
  const perMetric = 10
  return Array.from({ length: Math.ceil(items / perMetric) }, (_, m) => ({
    name: `process.bench.metric_${m}`,
    unit: 'By',
    sum: {
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: Array.from({ length: Math.min(perMetric, items - m * perMetric) }, (_, i) => ({
        startTimeUnixNano: START,
        timeUnixNano: START + 60_000_000_000n,
        asInt: Math.floor(random() * 1e9),
        attributes: strings({ device: `sda${i}`, direction: i % 2 ? 'read' : 'write', pod: `pod-${i}`, zone: 'eu-1' }),
      })),
    },
  }))
}

function strings(values: Record<string, string>): PlainKeyValue[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

function hex(random: () => number, bytes: number): string {
  let text = ''
  for (let i = 0; i < bytes; i++)
    text += Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0')
  return text
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
