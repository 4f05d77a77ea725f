/**
 * The vocabulary in which components declare their options. One declaration gives the static type of the value that
 * the component receives, the JSON Schema for ajv and editors, the default, and the row of the README's table.
 * This is the only file that knows how JSON Schema is spelled.
 * @module
 */

/** JSON Schema whose checked value has type `T`. */
export interface Schema<out T> {
  readonly description?: string
  readonly default?: unknown
  readonly [keyword: string]: unknown
  /** Never present at run time; carries `T` for {@link Static}. */
  readonly '~type'?: T
}

/** The type a component receives for an option or section declared with schema `S`. */
export type Static<S> = S extends Schema<infer T> ? T : never

/** What every option says of itself. */
export interface Option<Written> {
  /** One sentence for the reference table. */
  readonly description: string
  /** Used when the user writes nothing, spelled as the user would. Without it the option must be written. */
  readonly default?: Written
  /** A warning to log when the option is written: why it should not be, and what to use instead. */
  readonly deprecated?: string
}

type Fields = { readonly [name: string]: Schema<unknown> }
type Received<F extends Fields> = { readonly [K in keyof F]: Static<F[K]> }

function string(o: Option<string> & { readonly minLength?: number; readonly pattern?: string }): Schema<string> {
  return { type: 'string', ...o }
}

/** A whole number. */
function integer(o: Option<number> & { readonly minimum?: number; readonly maximum?: number }): Schema<number> {
  return { type: 'integer', ...o }
}

function number(o: Option<number> & { readonly minimum?: number; readonly maximum?: number }): Schema<number> {
  return { type: 'number', ...o }
}

function boolean(o: Option<boolean>): Schema<boolean> {
  return { type: 'boolean', ...o }
}

/** A span of time, written `200ms` or `1m30s` (ns us µs ms s m h), received in milliseconds. A bare integer means nanoseconds, as in the Collector. */
function duration(o: Option<string>): Schema<number> {
  return { type: ['string', 'integer'], format: 'duration', received: 'milliseconds', ...o }
}

/** A size, written `4MiB`, `64KiB` or a plain number of bytes, received in bytes. */
function bytes(o: Option<string | number>): Schema<number> {
  return { type: ['string', 'integer'], format: 'bytes', received: 'bytes', ...o }
}

/** A string that is never printed: every output shows `[REDACTED]`. */
function secret(o: Option<string>): Schema<string> {
  return { type: 'string', secret: true, ...o }
}

/** `host:port`, `[v6]:port`, `:port`, a URL, or `unix:///path`; what exactly is the component's to check. */
function endpoint(o: Option<string>): Schema<string> {
  return { type: 'string', format: 'endpoint', ...o }
}

/** The id of another component, `type[/name]`. */
function componentId(o: Option<string>): Schema<string> {
  return { type: 'string', format: 'component-id', ...o }
}

/** A JavaScript regular expression in source form. */
function regexp(o: Option<string>): Schema<string> {
  return { type: 'string', format: 'regex', ...o }
}

/** One of a few words. With `anyCase` also written in capitals; received as listed. */
function oneOf<const W extends readonly (string | number)[]>(
  words: W,
  o: Option<W[number]> & { readonly anyCase?: boolean },
): Schema<W[number]> {
  return { enum: words, ...o }
}

/** Any value, received as parsed. */
function any(o: Option<unknown>): Schema<unknown> {
  return { ...o }
}

/** A list. A single string where a list of strings is wanted is split at commas, as in the Collector. */
function list<T>(of: Schema<T>, o: Option<readonly unknown[]> & { readonly minItems?: number }): Schema<readonly T[]> {
  return { type: 'array', items: of, ...o }
}

/** Free keys, all values alike. */
function map<T>(of: Schema<T>, o: Option<{ readonly [key: string]: unknown }>): Schema<{ readonly [key: string]: T }> {
  return { type: 'object', additionalProperties: of, ...o }
}

/** HTTP headers or gRPC metadata, as a map or a list of `{name, value}`; values are secrets. Received as a map. */
function headers(o: Option<{ readonly [name: string]: string }>): Schema<{ readonly [name: string]: string }> {
  return {
    type: ['object', 'array'],
    received: 'headers',
    additionalProperties: { type: 'string', secret: true },
    ...o,
  }
}

/** A group of options. Unknown keys are faults. Present even when nothing of it is written, unless an option lacks a default. */
function section<F extends Fields>(fields: F, o?: { readonly description: string }): Schema<Received<F>> {
  const required = Object.keys(fields).filter(name => !hasDefault(fields[name]!))
  return {
    type: 'object',
    properties: fields,
    required,
    additionalProperties: false,
    ...(required.length === 0 ? { default: {} } : {}),
    ...o,
  }
}

/** An option that may be left out: then it is received as `undefined`. */
function optional<T>(of: Schema<T>): Schema<T | undefined> {
  return { ...of, optional: true }
}

/**
 * A section that is off unless its key is written, even with nothing after it (`grpc:`), and then starts from its
 * defaults. `enabled: false` inside switches it off again. Received as `undefined` when off.
 */
function whenPresent<T>(of: Schema<T>, o: { readonly description: string }): Schema<T | undefined> {
  return { ...withoutDefault(of), ...o, optional: true, switchable: true }
}

/** A section that is on unless `enabled: false` is written inside. Received as `undefined` when off. */
function unlessDisabled<T>(of: Schema<T>, o: { readonly description: string }): Schema<T | undefined> {
  return { ...of, ...o, default: {}, switchable: true }
}

function hasDefault(schema: Schema<unknown>): boolean {
  return schema.default !== undefined || schema.optional === true
}

function withoutDefault<T>(schema: Schema<T>): Schema<T> {
  const { default: _, ...rest } = schema
  return rest
}

/** Puts the fields of sections side by side, as the Collector's squashed structs do. */
function fieldsOf<F extends Fields>(of: Schema<Received<F>>): F {
  return of.properties as F
}

export const t = {
  string,
  integer,
  number,
  boolean,
  duration,
  bytes,
  secret,
  endpoint,
  componentId,
  regexp,
  oneOf,
  any,
  list,
  map,
  headers,
  section,
  optional,
  whenPresent,
  unlessDisabled,
  fieldsOf,
} as const
