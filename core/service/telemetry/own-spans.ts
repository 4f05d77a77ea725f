import { ProxyTracerProvider, type Tracer } from '@opentelemetry/api'
import type { Labels } from '#core/component'

type Sdk = typeof import('@opentelemetry/sdk-trace')
type Root = ConstructorParameters<Sdk['ParentBasedSampler']>[0]['root']

/** A finished span as the SDK hands it out. */
export type OwnSpan = Parameters<
  typeof import('@opentelemetry/otlp-transformer')['ProtobufTraceSerializer']['serializeRequest']
>[0][number]

/** Turns spans into the protobuf bytes of a trace request. */
export type SerializeSpans = (spans: readonly OwnSpan[]) => Buffer

/**
 * The collector's own tracers. They record nothing, and the SDK is not even loaded, until someone takes the spans.
 * Tracers that were handed out before then begin to record.
 */
export class OwnSpans {
  readonly #provider = new ProxyTracerProvider()
  readonly #resource: Labels
  readonly #sampler: unknown
  readonly #takers = new Set<(span: OwnSpan) => void>()
  #serialize: SerializeSpans | undefined
  #loading: Promise<void> | undefined

  /** `sampler` is `service::telemetry::traces::sampler`. */
  constructor(resource: Labels, sampler: unknown) {
    this.#resource = resource
    this.#sampler = sampler
  }

  tracer(name: string): Tracer {
    return this.#provider.getTracer(name)
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
        sampler: new sdk.ParentBasedSampler({ root: rootSampler(sdk, this.#sampler) }),
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

/** `{ parent_based: { root: ... } }`, `{ trace_id_ratio_based: { ratio } }`, `{ always_on: }`, `{ always_off: }`. */
function rootSampler(sdk: Sdk, config: unknown): Root {
  const [kind, options] = Object.entries((config ?? {}) as Record<string, Record<string, unknown> | null>)[0] ?? []
  if (kind === 'always_off') return new sdk.AlwaysOffSampler()
  if (kind === 'trace_id_ratio_based') return new sdk.TraceIdRatioBasedSampler(Number(options?.['ratio'] ?? 1))
  if (kind === 'parent_based') return rootSampler(sdk, options?.['root'])
  return new sdk.AlwaysOnSampler()
}
