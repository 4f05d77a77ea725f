import { createHash } from 'node:crypto'
import type { FetchAnswer } from '#core/net'
import type { MemoryTable } from '../store/store.ts'

/** What an answer said of its freshness. */
export interface Validator {
  readonly etag?: string
  readonly lastModified?: string
  /** Milliseconds since the Unix epoch until which asking again brings nothing new. */
  readonly freshUntil?: number
}

const SECTION = 'http'
/** Longest freshness that is believed, in milliseconds: an hour. */
const LONGEST_FRESH = 3_600_000
/** Milliseconds after which an address that is asked no longer is forgotten. */
const KEPT = 30 * 24 * 3_600_000

/**
 * By address and by what was looked for: what one category has seen, another one has not.
 */
export function validatorKey(url: string, search: string): string {
  return createHash('sha256').update(`${search}\n${url}`).digest('base64url')
}

export async function readValidator(memory: MemoryTable, key: string): Promise<Validator | undefined> {
  const kept = await memory.get(SECTION, key)
  return typeof kept === 'object' && kept !== null ? (kept as Validator) : undefined
}

export async function keepValidators(memory: MemoryTable, pending: ReadonlyMap<string, Validator>, now: number) {
  for (const [key, validator] of pending) await memory.set(SECTION, key, validator, now)
  if (pending.size > 0) await memory.prune(SECTION, now - KEPT)
}

/** `undefined`: the answer says nothing of it. Source: RFC 9111 §5.2.2, RFC 9110 §8.8. */
export function validatorOf({ headers }: FetchAnswer, now: number): Validator | undefined {
  const control = headers['cache-control']?.toLowerCase() ?? ''
  const seconds = Number(/(?:^|[\s,])max-age=(\d{1,9})/.exec(control)?.[1] ?? 0)
  const fresh = /no-cache|no-store/.test(control) ? 0 : Math.min(seconds * 1000, LONGEST_FRESH)
  const { etag, 'last-modified': lastModified } = headers
  if (etag === undefined && lastModified === undefined && fresh === 0) return undefined
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
    ...(fresh === 0 ? {} : { freshUntil: now + fresh }),
  }
}

export function conditionsOf(validator: Validator | undefined): Record<string, string> {
  return {
    ...(validator?.etag === undefined ? {} : { 'if-none-match': validator.etag }),
    ...(validator?.lastModified === undefined ? {} : { 'if-modified-since': validator.lastModified }),
  }
}
