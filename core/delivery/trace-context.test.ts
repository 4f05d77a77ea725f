import { type Context, type Link, type Span, type SpanStatus, type Tracer, trace } from '@opentelemetry/api'
import { describe, expect, test } from 'vitest'
import { NO_CONTEXT, PermanentError } from '#core/component'
import { settle } from '#core/testing'
import { rig } from './rig.test-support.ts'
import { parentOf, spanContextOf, traceparentOf } from './trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`

describe('a traceparent', () => {
  test('names a span context, and is written the same way', () => {
    expect(spanContextOf(TRACEPARENT)).toEqual({
      traceId: TRACE,
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
      isRemote: true,
    })
    expect(traceparentOf(trace.getSpan(parentOf(TRACEPARENT))!)).toBe(TRACEPARENT)
  })

  test.each(['', 'nonsense', `00-${TRACE}-xyz-01`])('%j names none', text => {
    expect(spanContextOf(text)).toBeUndefined()
    expect(trace.getSpan(parentOf(text))).toBeUndefined()
  })
})

/** What a span of the fake tracer was told. */
class FakeSpan {
  readonly name: string
  readonly parent: string | undefined
  readonly attributes: Record<string, unknown> = {}
  readonly links: string[] = []
  readonly id: string
  status: SpanStatus | undefined
  ended = false

  constructor(name: string, parent: Context | undefined, id: number) {
    this.name = name
    this.parent = parent === undefined ? undefined : trace.getSpanContext(parent)?.spanId
    this.id = id.toString(16).padStart(16, '0')
  }
  isRecording = () => true
  spanContext = () => ({ traceId: TRACE, spanId: this.id, traceFlags: 1 })
  addLink = ({ context }: Link) => this.links.push(context.spanId)
  setAttributes = (attributes: object) => Object.assign(this.attributes, attributes)
  setStatus = (status: SpanStatus) => {
    this.status = status
  }
  end = () => {
    this.ended = true
  }
}

async function traced(written: object) {
  const spans: FakeSpan[] = []
  const tracer = {
    startSpan(name: string, _: unknown, parent?: Context) {
      const span = new FakeSpan(name, parent, spans.length + 1)
      spans.push(span)
      return span as unknown as Span
    },
  }
  return { spans, ...(await rig(written, { tracer: tracer as unknown as Tracer })) }
}

describe('spans about itself', () => {
  test('show a request on its way into the queue and to its destination, which is told', async () => {
    const { offer, spans, attempts } = await traced({})
    await offer(3, { ...NO_CONTEXT, traceparent: TRACEPARENT })
    await settle()
    expect(spans.map(({ name, parent, ended }) => ({ name, parent, ended }))).toEqual([
      { name: 'exporter/enqueue', parent: 'b7ad6b7169203331', ended: true },
      { name: 'exporter/test/traces', parent: 'b7ad6b7169203331', ended: true },
    ])
    expect(spans[1]!.attributes).toEqual({ 'items.sent': 3, 'items.failed': 0 })
    expect(attempts[0]!.traceparent).toBe(`00-${TRACE}-0000000000000002-01`)
  })

  test('say why a request failed', async () => {
    const { offer, sink, spans } = await traced({ sending_queue: { enabled: false } })
    sink.refuse(new PermanentError('malformed'))
    await offer(2).catch(() => {})
    expect(spans[0]!.attributes).toEqual({ 'items.sent': 0, 'items.failed': 2 })
    expect(spans[0]!.status).toEqual({ code: 2, message: 'not retryable error: malformed' })
  })

  test('of a batch are linked to the requests in it', async () => {
    const { offer, spans } = await traced({ sending_queue: { batch: { min_size: 2 } } })
    await offer(1, { ...NO_CONTEXT, traceparent: TRACEPARENT })
    await offer(1, { ...NO_CONTEXT, traceparent: `00-${TRACE}-aaaaaaaaaaaaaaaa-01` })
    await settle()
    const batch = spans.find(span => span.name === 'exporter/test/traces')!
    expect(batch.parent).toBeUndefined()
    expect(batch.links).toEqual(['b7ad6b7169203331', 'aaaaaaaaaaaaaaaa'])
  })

  test('end when a request finds no room', async () => {
    const { offer, spans } = await traced({ sending_queue: { sizer: 'items', queue_size: 1 } })
    await offer(2).catch(() => {})
    await settle()
    expect(spans.map(({ name, ended }) => ({ name, ended }))).toEqual([{ name: 'exporter/enqueue', ended: true }])
  })
})
