import { onTestFinished } from 'vitest'
import type { Clock } from '#core/component'
import type { Written } from '#core/config'
import { createFetcher } from '#core/net'
import { configure, FakeClock, RecordingLogger } from '#core/testing'
import { createReader } from '../extraction/reader.ts'
import type { MemoryTable } from '../store/store.ts'
import { createScanners } from './create-scanners.ts'
import type { SourcesOptions } from './played.test-support.ts'
import type { Scanner, ScanRequest } from './scanner.ts'
import { type Sources, startSources } from './sources.test-support.ts'
import { sourcesConfig } from './sources-config.ts'

/** A memory table that forgets at the end of the test; values go through JSON as in a database. */
export class MapMemory implements MemoryTable {
  readonly entries = new Map<string, { readonly json: string; readonly at: number }>()

  async get(section: string, key: string): Promise<unknown> {
    const entry = this.entries.get(`${section} ${key}`)
    return entry === undefined ? undefined : JSON.parse(entry.json)
  }
  async set(section: string, key: string, value: unknown, now: number): Promise<void> {
    this.entries.set(`${section} ${key}`, { json: JSON.stringify(value), at: now })
  }
  async delete(section: string, key: string): Promise<void> {
    this.entries.delete(`${section} ${key}`)
  }
  async prune(section: string, before: number): Promise<void> {
    for (const [key, { at }] of this.entries) {
      if (key.startsWith(`${section} `) && at < before) this.entries.delete(key)
    }
  }
}

export const NOW = Date.UTC(2026, 10, 20, 12)

export interface Rig {
  readonly sources: Sources
  readonly memory: MapMemory
  readonly clock: FakeClock
  readonly logger: RecordingLogger
  /** Scanners as after a restart: what they remember is in `memory` alone. */
  scanners(change?: Written<typeof sourcesConfig>): Scanner[]
  scanner(type: string, change?: Written<typeof sourcesConfig>): Scanner
}

/** Scanners of sources that a local server plays, at a time that stands still. */
export async function rig(
  options: SourcesOptions & { readonly clock?: Clock; readonly timeout?: number } = {},
): Promise<Rig> {
  const fake = new FakeClock(NOW)
  const clock = options.clock ?? fake
  const sources = await startSources({ now: () => clock.now(), ...options })
  const userAgent = 'Millrace-Test/1.0 (+https://example.org)'
  const patience = { timeout: options.timeout ?? 60_000, connectTimeout: 30_000, headersTimeout: 30_000 }
  const fetcher = createFetcher({ userAgent, ...patience })
  const guarded = createFetcher({ userAgent, ...patience, guard: { allowPrivate: ['127.0.0.0/8'] } })
  const reader = createReader({ timeout: 60_000 })
  const memory = new MapMemory()
  const logger = new RecordingLogger()
  onTestFinished(async () => {
    await Promise.all([fetcher.close(), guarded.close(), reader.close(), sources[Symbol.asyncDispose]()])
  })
  const scanners = (change: Written<typeof sourcesConfig> = {}) => {
    const config = configure(sourcesConfig, merged(sources.config ?? {}, change ?? {}))
    return createScanners(config, { fetcher, guarded, reader, memory, clock, logger, random: () => 0.5 })
  }
  return {
    sources,
    memory,
    clock: fake,
    logger,
    scanners,
    scanner: (type, change) => scanners(change).find(each => each.type === type)!,
  }
}

export function requestFor(keywords: readonly string[], more: Partial<ScanRequest> = {}): ScanRequest {
  return { keywords, negativeKeywords: [], maxResults: 25, signal: new AbortController().signal, ...more }
}

function merged(base: object, change: object): object {
  const sections = Object.entries(change).map(([name, value]) => [
    name,
    typeof value === 'object' ? { ...(base as Record<string, object>)[name], ...value } : value,
  ])
  return { ...base, ...Object.fromEntries(sections) }
}
