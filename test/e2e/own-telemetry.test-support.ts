import { encodeOtlp } from '#core/testing'

const BODIES = {
  traces: { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a' }] }] }] },
  metrics: {
    resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints: [{ asInt: 1 }] } }] }] }],
  },
  logs: { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'hi' } }] }] }] },
} as const

/** Posts one span, one data point and one log record to an OTLP/HTTP server at `host:port`. */
export async function postEachSignal(http: string, headers: Record<string, string> = {}): Promise<void> {
  for (const [signal, body] of Object.entries(BODIES)) {
    await fetch(`http://${http}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', ...headers },
      body: new Uint8Array(encodeOtlp(signal as 'traces', body)),
    })
  }
}
