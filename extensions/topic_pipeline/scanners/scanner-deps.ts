import type { Clock, Logger } from '#core/component'
import type { Fetcher } from '#core/net'
import type { Reader } from '../extraction/reader.ts'
import type { MemoryTable } from '../store/store.ts'

/** What scanners work with. */
export interface ScannerDeps {
  /** For the endpoints that the operator names. */
  readonly fetcher: Fetcher
  /** For feeds anywhere. */
  readonly guarded: Fetcher
  readonly reader: Reader
  readonly memory: MemoryTable
  readonly clock: Clock
  readonly logger: Logger
  /** 0 to 1. */
  random(): number
}

/** Minutes, rounded up. */
export function minutesOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 60_000)
}

/** An endpoint and a path. */
export function addressOf(endpoint: string, path: string, query: Readonly<Record<string, string | undefined>> = {}) {
  const url = new URL(endpoint.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

export const DISABLED = 'disabled: enabled is false'
