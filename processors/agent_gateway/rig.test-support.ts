import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Component, Consumer } from '#core/component'
import { admit, openDraft, type Payload, type Signal } from '#core/data'
import {
  aSpan,
  configure,
  EPOCH,
  idOf,
  type PlainAttributes,
  payloadOf,
  Sink,
  type TestContext,
  type TestContextOptions,
  testContext,
  tracesOf,
} from '#core/testing'
import { agentGatewayProcessor } from './index.ts'

/** A processor of one signal in front of a sink. Edits of metrics and logs go through a draft, as in a pipeline. */
export interface Rig<S extends Signal> {
  readonly processor: Component & Consumer<S>
  readonly sink: Sink<S>
  readonly context: TestContext
}

export function rig<S extends Signal>(signal: S, written: object = {}, options: TestContextOptions = {}): Rig<S> {
  const context = testContext({
    id: 'agent_gateway',
    kind: 'processor',
    signals: [signal],
    pipelines: [signal],
    ...options,
  })
  const sink = new Sink<S>()
  const config = configure(agentGatewayProcessor.config, written)
  const made = agentGatewayProcessor.create(config, signal, sink as Consumer, context)
  if ('consume' in made) return { processor: made as Component & Consumer<S>, sink, context }
  const consume: Consumer<S>['consume'] = async (payload, consumeContext) => {
    const draft = openDraft(payload)
    await made.transform(draft, consumeContext)
    await sink.consume(draft.seal(), consumeContext)
  }
  return { processor: { consume }, sink, context }
}

/** A recorded request, through the door. */
export function recorded<S extends Signal>(signal: S, file: string): Payload<S> {
  return admit(signal, readFileSync(join(import.meta.dirname, 'testdata', file))).payload
}

/** A span as tests of stitching write it; times in milliseconds. */
export interface TestSpan {
  readonly trace?: number
  readonly id: number
  /** 0: a root. */
  readonly parent?: number
  readonly name?: string
  readonly start?: number
  readonly end?: number
  readonly kind?: number
  readonly flags?: number
  readonly attributes?: PlainAttributes
}

/** A request with spans of the gateway, or of another scope and service. */
export function gatewaySpans(spans: readonly TestSpan[], scope = 'openclaw', service = 'gateway'): Payload<'traces'> {
  const plain = spans.map(({ trace = 1, id, parent = 0, name = `openclaw.span${id}`, start = 0, end = 10, ...rest }) =>
    aSpan({
      kind: 1,
      attributes: {},
      ...rest,
      name,
      traceId: idOf(16, trace),
      spanId: idOf(8, id),
      ...(parent === 0 ? {} : { parentSpanId: idOf(8, parent) }),
      startTimeUnixNano: EPOCH + BigInt(start) * 1_000_000n,
      endTimeUnixNano: EPOCH + BigInt(end) * 1_000_000n,
    }),
  )
  return payloadOf('traces', tracesOf(plain, { scope, resource: { 'service.name': service } }))
}

/** Everything that left, as `trace id<-parent name`, sorted; ids are the numbers that tests wrote, `?` when missing. */
export function placesOf(sink: Sink<'traces'>): string[] {
  const spans = sink.payloads.flatMap(payload => [...openDraft(payload).spans()])
  const ids = new Set(spans.map(span => `${span.traceIdHex()}/${span.spanIdHex()}`))
  const number = (id: Uint8Array) => (id.length === 0 ? 0 : Buffer.from(id).readUInt32BE(id.length - 4))
  return spans
    .map(span => {
      const parent = Buffer.from(span.parentSpanId).toString('hex')
      const missing = parent !== '' && !ids.has(`${span.traceIdHex()}/${parent}`)
      return `${number(span.traceId)} ${number(span.spanId)}<-${missing ? '?' : ''}${number(span.parentSpanId)}`
    })
    .sort()
}
