import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createFetcher } from '#core/net'
import { configure, FakeClock, RecordingLogger, RecordingMeter } from '#core/testing'
import type { MemoryTable, UsageRecord, UsageTable } from '../store/store.ts'
import { languageModelConfig } from './config.ts'
import { createLanguageModel } from './create-language-model.ts'

/** A clock whose sleeps are over at once, but count. */
export class HastyClock extends FakeClock {
  readonly sleeps: number[] = []
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.sleeps.push(ms)
    await this.advance(ms)
  }
}

/** What the store keeps of calls, in memory. */
export class FakeUsage implements UsageTable {
  readonly records: UsageRecord[] = []
  async add(record: UsageRecord): Promise<void> {
    this.records.push(record)
  }
  async cost(since: number): Promise<number> {
    return this.records.filter(({ at }) => at >= since).reduce((sum, { cost }) => sum + (cost ?? 0), 0)
  }
  async summary(): Promise<[]> {
    return []
  }
}

/** What the store remembers, in memory, as JSON. */
export class FakeMemory implements MemoryTable {
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
    for (const [key, { at }] of this.entries) if (key.startsWith(`${section} `) && at < before) this.entries.delete(key)
  }
}

/** What a rig begins with, when it shall not begin with nothing. */
export interface RigState {
  readonly usage?: FakeUsage
  readonly cache?: FakeMemory
}

/** Language models as `written` under `language_model`, over real sockets, on a clock that waits for nothing. */
export function languageModelRig(written: unknown = {}, state: RigState = {}) {
  const { usage = new FakeUsage(), cache = new FakeMemory() } = state
  const clock = new HastyClock()
  const logger = new RecordingLogger()
  const meter = new RecordingMeter()
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const fetcher = createFetcher({ userAgent: 'millrace-test' })
  const tracer = provider.getTracer('test')
  const deps = { fetcher, usage, cache, clock, logger, tracer, meter, random: () => 1 }
  const model = createLanguageModel(configure(languageModelConfig, written), deps)
  return {
    ...{ model, usage, cache, clock, logger, meter },
    spans: () => exporter.getFinishedSpans(),
    async [Symbol.asyncDispose]() {
      await model.close()
      await fetcher.close()
    },
  }
}

/** `language_model` with everything at one server. */
export function openAiAt(url: string, more: Readonly<Record<string, unknown>> = {}) {
  const models = { default: 'chatty', embedding: 'vectory' }
  return { primary: { type: 'openai', base_url: url, api_key: 'sk-very-secret-key', models }, ...more }
}
