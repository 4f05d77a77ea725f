/** A line of a dead letter file: an event that did not arrive, why, and the log record it came from. */
export interface DeadLetter {
  /** When it was written, RFC 3339. */
  readonly time: string
  /** Id of the exporter. */
  readonly exporter: string
  /** One or two words in snake case. */
  readonly reason: string
  /** The sentence behind it. */
  readonly message: string
  /** The event's id, empty where there is no event. */
  readonly id: string
  /** As it was to be sent, envelope included; empty where there is no event. */
  readonly event: string
  /** An OTLP export request with this one record, protobuf in base64. */
  readonly otlp: string
}

/** Finished files end in this. */
export const FINISHED = '.ndjson'
/** Files that are being written end in this. */
export const OPEN = '.ndjson.open'

/** The entry in a line, `undefined` for a line that is none: cut short, or of something else. */
export function parseDeadLetter(line: string): DeadLetter | undefined {
  try {
    const entry = JSON.parse(line) as Partial<DeadLetter> | null
    return typeof entry?.otlp === 'string' && typeof entry.reason === 'string' ? (entry as DeadLetter) : undefined
  } catch {
    return undefined
  }
}
