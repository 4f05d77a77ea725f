import { type Context, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import { describe, expect, test } from 'vitest'
import { testContext } from '#core/testing'
import { NO_CONTEXT } from './consumer.ts'
import { ReceiverSpan } from './receiver-span.ts'
import { TRACE_HEADERS } from './trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

/** A tracer whose spans write down what they are told. */
function fakeTracer(flags: number) {
  const told: Record<string, unknown> = {}
  const tracer = {
    startSpan(name: string, options: SpanOptions, parent: Context) {
      Object.assign(told, { name, ...options.attributes, parent })
      return {
        spanContext: () => ({ traceId: TRACE, spanId: 'b7ad6b7169203331', traceFlags: flags }),
        isRecording: () => flags === 1,
        setAttributes: (attributes: object) => Object.assign(told, attributes),
        setStatus: (status: object) => Object.assign(told, status),
        end: () => Object.assign(told, { ended: true }),
      }
    },
  }
  return { told, tracer: tracer as unknown as Tracer }
}

const receiver = (tracer: Tracer) => ({ ...testContext({ id: 'otlp/in', kind: 'receiver' }), tracer })

describe('the span of a receiver', () => {
  test('has the Collector’s name and attributes, and goes on in the context', () => {
    const { told, tracer } = fakeTracer(1)
    const span = new ReceiverSpan(receiver(tracer), 'traces', 'grpc', NO_CONTEXT)
    expect(span.context.traceparent).toBe(`00-${TRACE}-b7ad6b7169203331-01`)
    span.end('protobuf', 3, 2, new Error('full'))
    expect(told).toMatchObject({
      name: 'receiver/otlp/in/TraceDataReceived',
      transport: 'grpc',
      format: 'protobuf',
      accepted_spans: 3,
      refused_spans: 2,
      failed_spans: 0,
      code: 2,
      message: 'full',
      ended: true,
    })
  })

  test('that is not sampled says so to what follows', () => {
    const { tracer } = fakeTracer(0)
    const span = new ReceiverSpan(receiver(tracer), 'logs', 'http', NO_CONTEXT)
    expect(span.context.traceparent).toMatch(/-00$/)
  })

  test('leaves the request as it is when nobody takes own traces', () => {
    const span = new ReceiverSpan(testContext(), 'metrics', 'http', NO_CONTEXT)
    expect(span.context).toBe(NO_CONTEXT)
    span.end('json', 1, 0)
  })

  test('hands the headers of the request to the tracer, which decides on the parent', () => {
    const { told, tracer } = fakeTracer(1)
    const traceHeaders = { b3: '0' }
    new ReceiverSpan(receiver(tracer), 'traces', 'grpc', { ...NO_CONTEXT, traceHeaders })
    const parent = told.parent as Context
    expect(parent.getValue(TRACE_HEADERS)).toBe(traceHeaders)
    expect(trace.getSpanContext(parent)).toBeUndefined()
  })
})
