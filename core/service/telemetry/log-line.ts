import type { LogFields } from '#core/component'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One line before it is encoded. */
export interface LogEntry {
  readonly level: LogLevel
  /** Milliseconds since the Unix epoch. */
  readonly time: number
  readonly message: string
  readonly fields: LogFields
  /** `file:line` of the call, when asked for. */
  readonly caller?: string
}

/** `time TAB level TAB caller TAB message TAB {fields}`, as the Collector's console encoder. */
export function consoleLine(entry: LogEntry): string {
  const parts = [localIso(entry.time), entry.level]
  if (entry.caller !== undefined) parts.push(entry.caller)
  parts.push(entry.message)
  const fields = json(entry.fields)
  if (fields !== '{}') parts.push(fields)
  return `${parts.join('\t')}\n`
}

/** An object a line: `level`, `ts`, `caller`, `msg`, then the fields. */
export function jsonLine(entry: LogEntry): string {
  const head: Record<string, unknown> = { level: entry.level, ts: localIso(entry.time) }
  if (entry.caller !== undefined) head.caller = entry.caller
  return `${json({ ...head, msg: entry.message, ...entry.fields })}\n`
}

/** ISO 8601 in local time with milliseconds and offset, for example `2026-01-31T09:00:00.000+0100`. */
export function localIso(time: number): string {
  const date = new Date(time)
  const offset = -date.getTimezoneOffset()
  const local = new Date(time + offset * 60_000).toISOString().slice(0, -1)
  if (offset === 0) return `${local}Z`
  const minutes = Math.abs(offset)
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}

/** Errors with message and causes, 64-bit integers as decimals, bytes as base64; what cannot be printed says so. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, v: unknown) => {
      if (v instanceof Error) return describe(v)
      if (typeof v === 'bigint') return v.toString()
      if (v instanceof Map) return Object.fromEntries(v)
      if (v instanceof Uint8Array) return Buffer.from(v.buffer, v.byteOffset, v.byteLength).toString('base64')
      return v
    })
  } catch (error) {
    return JSON.stringify({ unprintable: error instanceof Error ? error.message : String(error) })
  }
}

/** An error's message followed by its causes'. */
export function describe(error: Error): string {
  const messages: string[] = []
  for (let e: unknown = error; e instanceof Error && messages.length < 5; e = e.cause) {
    if (!messages.some(m => m.includes((e as Error).message))) messages.push(e.message)
  }
  return messages.join(': ') || error.name
}
