import type { LogRecord, Resource, Scope } from '#core/data'
import { ecsFormat } from '../ecs/ecs.ts'
import { cefFormat } from '../lines/cef.ts'
import { leefFormat } from '../lines/leef.ts'
import { ocsfFormat } from '../ocsf/ocsf.ts'
import { Facts } from './facts.ts'
import { flatFormat } from './flat.ts'
import type { Format, FormatName, MappingOptions, Tally } from './format.ts'
import { GatewayNames } from './gateway-event.ts'
import { originalFormat } from './original.ts'
import { SourceReader } from './source.ts'

/** What a log record became. */
export interface SecurityEvent {
  /**
   * Deterministic: the same record always has the same id. 32 hex digits, or what an agent gateway calls its record: 8 to
   * 128 letters, digits, `_`, `.`, `:` and `-`.
   */
  readonly id: string
  /** A JSON object, or for `cef` and `leef` a line of text; without a line end. */
  readonly text: string
  /** Attributes that had to give way to another of the same name. */
  readonly conflicts: number
  /** What the record says, for the envelopes of targets. */
  readonly facts: Facts
}

/** Turns log records into security events; pure but for the time of day. Made once for a configuration. */
export interface Mapping {
  readonly format: FormatName
  readonly render: Format
  readonly gateway: GatewayNames
  /** Nanoseconds since the epoch. */
  readonly now: () => bigint
}

export function createMapping(options: MappingOptions): Mapping {
  const { format, now, gatewayPrefix } = options
  const gateway = new GatewayNames(gatewayPrefix)
  return { format, render: FORMAT[format](options), gateway, now: () => BigInt(now()) * 1_000_000n }
}

const FORMAT: Readonly<Record<FormatName, (options: MappingOptions) => Format>> = {
  flat: flatFormat,
  original: originalFormat,
  ocsf: ocsfFormat,
  ecs: ecsFormat,
  cef: cefFormat,
  leef: leefFormat,
}

/**
 * The security event of a log record, always exactly one.
 * @param sources remembers the source read last; pass one for all records of a payload
 */
export function fromLogRecord(
  record: LogRecord,
  resource: Resource,
  scope: Scope,
  mapping: Mapping,
  sources: SourceReader = new SourceReader(),
): SecurityEvent {
  const facts = new Facts(record, sources.read(resource, scope), mapping.now, mapping.gateway)
  const tally: Tally = { conflicts: 0 }
  const text = mapping.render(facts, tally)
  return { id: facts.id, text, conflicts: tally.conflicts, facts }
}
