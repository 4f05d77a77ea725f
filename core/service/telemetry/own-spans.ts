import { type Context, ProxyTracerProvider, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import { type Labels, TRACE_HEADERS, type TraceHeaders } from '#core/component'
import { type Propagator, remoteSpan } from './propagators.ts'
import { samplerOf } from './sampler.ts'
import type { TelemetryConfig } from './schema.ts'

/** A finished span as the SDK hands it out. */
export type OwnSpan = Parameters<
  typeof import('@opentelemetry/otlp-transformer')['ProtobufTraceSerializer']['serializeRequest']
>[0][number]

/** Turns spans into the protobuf bytes of a trace request. */
export type SerializeSpans = (spans: readonly OwnSpan[]) => Buffer

/** The part of `service::telemetry::traces` that says how spans are made. */
export type SpanConfig = Pick<TelemetryConfig['traces'], 'propagators' | 'sampler' | 'limits'>

/**
 * The collector's own tracers. They record nothing, and the SDK is not even loaded, until someone takes the spans.
 * Tracers that were handed out before then begin to record.
 */
export class OwnSpans {
  readonly #provider = new ProxyTracerProvider()
  readonly #resource: Labels
  readonly #config: SpanConfig
  readonly #takers = new Set<(span: OwnSpan) => void>()
  #serialize: SerializeSpans | undefined
  #loading: Promise<void> | undefined

  constructor(resource: Labels, config: SpanConfig) {
    this.#resource = resource
    this.#config = config
  }

  tracer(name: string): Tracer {
    const tracer = this.#provider.getTracer(name)
    const { propagators } = this.#config
    return propagators.length === 0 ? tracer : new PropagatingTracer(tracer, propagators)
  }

  /** Hands every span that ends from now on to `taker`. Returns how to stop it. */
  take(taker: (span: OwnSpan) => void): () => void {
    this.#takers.add(taker)
    this.#loading ??= this.#load()
    return () => void this.#takers.delete(taker)
  }

  /** Resolves once spans are recorded, if anyone takes them. */
  async ready(): Promise<void> {
    await this.#loading
  }

  /** Only for spans that were taken. */
  serialize(spans: readonly OwnSpan[]): Buffer {
    return this.#serialize!(spans)
  }

  async #load(): Promise<void> {
    const [sdk, { resourceFromAttributes }, { ProtobufTraceSerializer }] = await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/otlp-transformer'),
    ])
    this.#serialize = spans => Buffer.from(ProtobufTraceSerializer.serializeRequest([...spans]) ?? [])
    this.#provider.setDelegate(
      new sdk.TracerProvider({
        resource: resourceFromAttributes({ ...this.#resource }),
        sampler: samplerOf(sdk, this.#config.sampler),
        spanLimits: spanLimits(this.#config.limits),
        spanProcessors: [
          {
            onStart() {},
            onEnd: span => {
              for (const take of this.#takers) take(span)
            },
            forceFlush: async () => {},
            shutdown: async () => {},
          },
        ],
      }),
    )
  }
}

/** Finds the parent of a span in the headers of the request that it is about. */
class PropagatingTracer implements Pick<Tracer, 'startSpan'> {
  readonly #tracer: Tracer
  readonly #propagators: readonly Propagator[]
  readonly startActiveSpan: Tracer['startActiveSpan']

  constructor(tracer: Tracer, propagators: readonly Propagator[]) {
    this.#tracer = tracer
    this.#propagators = propagators
    this.startActiveSpan = tracer.startActiveSpan.bind(tracer) as Tracer['startActiveSpan']
  }

  startSpan(name: string, options?: SpanOptions, parent?: Context) {
    const headers = parent?.getValue(TRACE_HEADERS) as TraceHeaders | undefined
    const remote = headers === undefined ? undefined : remoteSpan(this.#propagators, headers)
    return this.#tracer.startSpan(name, options, remote === undefined ? parent : trace.setSpanContext(parent!, remote))
  }
}

/** The SDK's names for the limits; those that are not configured are left to it. */
function spanLimits(limits: SpanConfig['limits']): Record<string, number> {
  const entries = [
    ['attributeCountLimit', limits.attribute_count_limit],
    ['attributeValueLengthLimit', limits.attribute_value_length_limit],
    ['eventCountLimit', limits.event_count_limit],
    ['attributePerEventCountLimit', limits.event_attribute_count_limit],
    ['linkCountLimit', limits.link_count_limit],
    ['attributePerLinkCountLimit', limits.link_attribute_count_limit],
  ] as const
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
