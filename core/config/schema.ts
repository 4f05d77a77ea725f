/**
 * The vocabulary in which components declare their options. One declaration gives the static type of the value that
 * the component receives, the JSON Schema for ajv and editors, the default, and the row of the README's table.
 * This is the only file that knows how JSON Schema is spelled.
 * @module
 */
import type { Bytes, Duration, Or, Reference, Switched, WrittenHeaders } from './written.ts'

/** JSON Schema whose checked value has type `T`. */
export interface Schema<out T, out W = unknown> {
  readonly description?: string
  readonly default?: unknown
  readonly [keyword: string]: unknown
  /** Never present at run time; carries `T` for {@link Static}. */
  readonly '~type'?: T
  /** Never present at run time; carries `W` for {@link Written}. */
  readonly '~written'?: () => W
}

/** The type a component receives for an option or section declared with schema `S`. */
export type Static<S> = S extends Schema<infer T> ? T : never

/** What a program writes for an option or section declared with schema `S`; `undefined` is among it when it may be left out. */
export type Written<S> = S extends Schema<unknown, infer W> ? W : never

/** What every option says of itself. */
export interface Option<V, D extends V | undefined = V> {
  /** One sentence for the reference table. */
  readonly description: string
  /** Used when the user writes nothing, spelled as the user would. Without it the option must be written. */
  readonly default?: D
  /** A warning to log when the option is written: why it should not be, and what to use instead. */
  readonly deprecated?: string
}

type Fields = { readonly [name: string]: Schema<unknown> }
type Received<F extends Fields> = { readonly [K in keyof F]: Static<F[K]> }

/** Names of fields that may be left out. */
type Free<F extends Fields> = { [K in keyof F]: undefined extends Written<F[K]> ? K : never }[keyof F]
type WrittenFields<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, Free<F>>]: Written<F[K]> } & { readonly [K in Free<F>]?: Written<F[K]> }
>
type WrittenSection<F extends Fields> = WrittenFields<F> | (Exclude<keyof F, Free<F>> extends never ? undefined : never)
/** One object type instead of an intersection, so that editors show its keys. */
type Flat<T> = { readonly [K in keyof T]: T[K] }

function string<D extends string | undefined = undefined>(
  o: Option<string, D> & { readonly minLength?: number; readonly pattern?: string },
): Schema<string, Or<string, D>> {
  return { type: 'string', ...o }
}

/** A whole number. */
function integer<D extends number | undefined = undefined>(
  o: Option<number, D> & {
    readonly minimum?: number
    readonly maximum?: number
    /** Whether it is the port that the component listens on, of the address in the option `host` beside it. */
    readonly listens?: boolean
  },
): Schema<number, Or<number | Reference, D>> {
  return { type: 'integer', ...o }
}

function number<D extends number | undefined = undefined>(
  o: Option<number, D> & { readonly minimum?: number; readonly maximum?: number },
): Schema<number, Or<number | Reference, D>> {
  return { type: 'number', ...o }
}

function boolean<D extends boolean | undefined = undefined>(
  o: Option<boolean, D>,
): Schema<boolean, Or<boolean | Reference, D>> {
  return { type: 'boolean', ...o }
}

/** A span of time, written `200ms` or `1m30s` (ns us µs ms s m h), received in milliseconds. A bare integer means nanoseconds, as in the Collector. */
function duration<D extends string | undefined = undefined>(
  o: Option<string, D>,
): Schema<number, Or<Duration | Reference, D>> {
  return { type: ['string', 'integer'], format: 'duration', received: 'milliseconds', ...o }
}

/** A size, written `4MiB`, `64KiB` or a plain number of bytes, received in bytes. */
function bytes<D extends string | number | undefined = undefined>(
  o: Option<string | number, D>,
): Schema<number, Or<Bytes | Reference, D>> {
  return { type: ['string', 'integer'], format: 'bytes', received: 'bytes', ...o }
}

/** A string that is never printed: every output shows `[REDACTED]`. */
function secret<D extends string | undefined = undefined>(o: Option<string, D>): Schema<string, Or<string, D>> {
  return { type: 'string', secret: true, ...o }
}

/** `host:port`, `[v6]:port`, `:port`, a URL, or `unix:///path`; what exactly is the component's to check. */
function endpoint<D extends string | undefined = undefined>(
  o: Option<string, D> & {
    /** Whether the component listens there: then no other may. The option `transport` beside it says how. */
    readonly listens?: boolean
  },
): Schema<string, Or<string, D>> {
  return { type: 'string', format: 'endpoint', ...o }
}

/** The id of another component, `type[/name]`. */
function componentId<D extends string | undefined = undefined>(o: Option<string, D>): Schema<string, Or<string, D>> {
  return { type: 'string', format: 'component-id', ...o }
}

/** A JavaScript regular expression in source form. */
function regexp<D extends string | undefined = undefined>(o: Option<string, D>): Schema<string, Or<string, D>> {
  return { type: 'string', format: 'regex', ...o }
}

/** One of a few words. With `anyCase` also written in capitals; received as listed. */
function oneOf<
  const W extends readonly (string | number)[],
  D extends W[number] | undefined = undefined,
  A extends boolean = false,
>(
  words: W,
  o: Option<W[number], D> & { readonly anyCase?: A },
): Schema<W[number], Or<W[number] | (A extends true ? Uppercase<W[number] & string> : never) | Reference, D>> {
  return { enum: words, ...o }
}

/** Any value, received as parsed. */
function any<D = undefined>(o: Option<unknown, D>): Schema<unknown, Or<NonNullable<unknown> | null, D>> {
  return { ...o }
}

/** A list. A single string where a list of strings is wanted is split at commas, as in the Collector. */
function list<T, W, D extends readonly unknown[] | undefined = undefined>(
  of: Schema<T, W>,
  o: Option<readonly unknown[], D> & { readonly minItems?: number },
): Schema<readonly T[], Or<readonly Exclude<W, undefined>[] | Reference, D>> {
  return { type: 'array', items: of, ...o }
}

/** Free keys, all values alike. */
function map<T, W, D extends { readonly [key: string]: unknown } | undefined = undefined>(
  of: Schema<T, W>,
  o: Option<{ readonly [key: string]: unknown }, D>,
): Schema<{ readonly [key: string]: T }, Or<{ readonly [key: string]: Exclude<W, undefined> }, D>> {
  return { type: 'object', additionalProperties: of, ...o }
}

/** HTTP headers or gRPC metadata, as a map or a list of `{name, value}`; values are secrets. Received as a map. */
function headers<D extends { readonly [name: string]: string } | undefined = undefined>(
  o: Option<{ readonly [name: string]: string }, D>,
): Schema<{ readonly [name: string]: string }, Or<WrittenHeaders, D>> {
  return {
    type: ['object', 'array'],
    received: 'headers',
    additionalProperties: { type: 'string', secret: true },
    ...o,
  }
}

/** A group of options. Unknown keys are faults. Present even when nothing of it is written, unless an option lacks a default. */
function section<F extends Fields>(
  fields: F,
  o?: { readonly description: string },
): Schema<Received<F>, WrittenSection<F>> {
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
function optional<T, W>(of: Schema<T, W>): Schema<T | undefined, W | undefined> {
  return { ...of, optional: true }
}

/**
 * A section that is off unless its key is written, even with nothing after it (`grpc:`), and then starts from its
 * defaults. `enabled: false` inside switches it off again. Received as `undefined` when off.
 */
function whenPresent<T, W>(of: Schema<T, W>, o: { readonly description: string }): Schema<T | undefined, Switched<W>> {
  return { ...withoutDefault(retyped<T, Switched<W>>(of)), ...o, optional: true, switchable: true }
}

/** A section that is on unless `enabled: false` is written inside. Received as `undefined` when off. */
function unlessDisabled<T, W>(
  of: Schema<T, W>,
  o: { readonly description: string },
): Schema<T | undefined, Switched<W>> {
  return { ...retyped<T, Switched<W>>(of), ...o, default: {}, switchable: true }
}

/** The same declaration; what is written for it is another type. */
function retyped<T, W>(of: Schema<T>): Schema<T, W> {
  return of as Schema<T, W>
}

function hasDefault(schema: Schema<unknown>): boolean {
  return schema.default !== undefined || schema.optional === true
}

function withoutDefault<T, W>(schema: Schema<T, W>): Schema<T, W> {
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
