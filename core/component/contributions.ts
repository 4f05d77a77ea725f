/**
 * What a running component offers beside its place in a pipeline: routes and readiness parts on the `api` extension.
 * The host collects them while the component runs.
 * @module
 */

/** JSON Schema, as sent in `/openapi.json` and checked on requests. */
export type JsonSchema = { readonly [keyword: string]: unknown }

export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>
  /** Checked and converted by the route's `query` schema. */
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface RouteAnswer {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON; a string, bytes or an async iterable as they are, under the `content-type` in `headers`. */
  readonly body?: unknown
}

/** One route on the `api` extension. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** For example `/api/v1/dictionary/:name`. */
  readonly path: string
  /** Takes the place of a route that the `api` extension itself serves there, for example of `/readyz`. */
  readonly replaces?: boolean
  readonly summary: string
  readonly params?: JsonSchema
  readonly query?: JsonSchema
  readonly body?: JsonSchema
  /** By status. */
  readonly responses?: Readonly<Record<number, { readonly description: string; readonly schema?: JsonSchema }>>
  handle(request: RouteRequest): RouteAnswer | Promise<RouteAnswer>
}

/** Thrown by a route: answered as `{ "error": sentence, "code": "UPPER_SNAKE" }`. */
export class RouteError extends Error {
  override name = 'RouteError'
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }
}

export type Readiness = 'OK' | 'STARTING' | 'DEGRADED' | 'FAILED'

/** One part of `/readyz`. STARTING and FAILED make the whole not ready (503); DEGRADED does not. */
export interface ReadinessPart {
  readonly name: string
  read(): { readonly state: Readiness; readonly detail?: string }
}

/** An option of a subcommand, parsed by the CLI. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  readonly description: string
  readonly default?: string | boolean
}

export interface CommandInvocation {
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  readonly operands: readonly string[]
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: { write(text: string): void }
  readonly stderr: { write(text: string): void }
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal
}

/** A subcommand that a component brings: `millrace <name> ...`. */
export interface Command {
  /** Words separated by spaces, for example `security-event convert`. */
  readonly name: string
  readonly summary: string
  readonly usage?: string
  readonly options?: Readonly<Record<string, CommandOption>>
  /** Resolves to the exit code. */
  run(invocation: CommandInvocation): Promise<number>
}
