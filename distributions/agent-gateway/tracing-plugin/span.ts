/** The value of an attribute as this plugin writes them. */
export type AttributeValue = string | number | boolean | readonly string[]

/** Attributes by key. A value that is not known is left out when they are written. */
export type Attributes = Record<string, AttributeValue | undefined>

/** Kinds of span, with their numbers of `opentelemetry.proto.trace.v1.Span.SpanKind`. */
export const KIND = { internal: 1, server: 2, client: 3 } as const

/** A finished span. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly kind: (typeof KIND)[keyof typeof KIND]
  /** Milliseconds since 1970. */
  readonly start: number
  /** Milliseconds since 1970, never before `start`. */
  readonly end: number
  readonly attributes: Attributes
  /** Why it failed, in a word; undefined when it did not. */
  readonly error?: string | undefined
  /** A span of another trace that caused this one. */
  readonly link?: { readonly traceId: string; readonly spanId: string } | undefined
}
