import type { Facts } from './facts.ts'
import type { Json } from './plain-json.ts'

/** How events are written. */
export const FORMATS = ['flat', 'original', 'ocsf', 'ecs', 'cef', 'leef'] as const
export type FormatName = (typeof FORMATS)[number]

/** Counts what is worth counting while an event is written. */
export interface Tally {
  /** Attributes that had to give way to something else of the same name. */
  conflicts: number
}

/** One format: the text of an event. Adds the conflicts it met to `tally`. */
export type Format = (facts: Facts, tally: Tally) => string

/** What put before attribute names keeps resource and record apart; empty for none. */
export interface Prefixes {
  readonly resource: string
  readonly log: string
}

export interface MappingOptions {
  readonly format: FormatName
  /** Added to every event that has nothing else under the name. */
  readonly defaultAttributes: Readonly<Record<string, Json>>
  /** For `flat`. */
  readonly prefixes: Prefixes
  /** What CEF and LEEF headers, and OCSF, name where the source does not tell. */
  readonly product: { readonly vendor: string; readonly name: string; readonly version: string }
  /** What the names of an agent gateway's attributes begin with, for example `openclaw`. */
  readonly gatewayPrefix: string
  /** Milliseconds since the epoch, for records without any time. */
  readonly now: () => number
}
