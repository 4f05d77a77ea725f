import { Session } from 'node:inspector/promises'
import type { Clock } from '#core/component'
import { addCpuSamples, CPU_MEASURES, type V8CpuProfile } from './cpu-samples.ts'
import { addHeapSamples, HEAP_MEASURES, type V8HeapNode } from './heap-samples.ts'
import { ProfileBuilder } from './profile-builder.ts'

/** Microseconds between two samples of the CPU: 100 a second, as Go takes them. */
const CPU_INTERVAL = 10_000
/** Bytes allocated between two samples of the heap, as in Go. */
const HEAP_INTERVAL = 512 * 1024
/** A running CPU profile is folded up so often, in milliseconds: V8 keeps every single sample. */
const FOLD_EVERY = 60_000

/** A CPU profile is being taken already. */
export class Busy extends Error {
  override name = 'Busy'
}

/** Profiles of the thread it lives on, which is the one that everything but analysis and compression runs on. */
export class Profiler {
  readonly #clock: Clock
  readonly #session = new Session()
  #cpuBusy = false
  #heapSince = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Begins to sample allocations, which costs little. */
  async open(): Promise<void> {
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.setSamplingInterval', { interval: CPU_INTERVAL })
    await this.#session.post('HeapProfiler.startSampling', { samplingInterval: HEAP_INTERVAL })
    this.#heapSince = this.#clock.now()
  }

  /** Ends everything; a CPU profile under way must have been ended before. */
  close(): void {
    this.#session.disconnect()
  }

  /**
   * Profiles the CPU until `until` is aborted.
   * @returns V8's own format for `v8`, else pprof's
   * @throws {Busy} when a profile is being taken
   */
  async cpu(until: AbortSignal, format: 'v8' | 'pprof'): Promise<Buffer> {
    if (this.#cpuBusy) throw new Busy('cpu profiling already in use')
    this.#cpuBusy = true
    try {
      return await (format === 'v8' ? this.#cpuV8(until) : this.#cpuPprof(until))
    } finally {
      this.#cpuBusy = false
    }
  }

  /** What is in use of what was allocated since `open`. `collect`: after a garbage collection. */
  async heap(format: 'v8' | 'pprof', collect: boolean): Promise<Buffer> {
    if (collect) await this.#session.post('HeapProfiler.collectGarbage')
    const { profile } = await this.#session.post('HeapProfiler.getSamplingProfile')
    if (format === 'v8') return Buffer.from(JSON.stringify(profile))
    const builder = new ProfileBuilder()
    addHeapSamples(profile.head as V8HeapNode, builder)
    const duration = this.#clock.now() - this.#heapSince
    const about = { start: this.#heapSince, duration, periodLength: HEAP_INTERVAL }
    return builder.finish({ measures: HEAP_MEASURES, period: ['space', 'bytes'], ...about })
  }

  async #cpuV8(until: AbortSignal): Promise<Buffer> {
    await this.#session.post('Profiler.start')
    await aborted(until)
    const { profile } = await this.#session.post('Profiler.stop')
    return Buffer.from(JSON.stringify(profile))
  }

  async #cpuPprof(until: AbortSignal): Promise<Buffer> {
    const builder = new ProfileBuilder()
    const start = this.#clock.now()
    do {
      await this.#session.post('Profiler.start')
      await this.#clock.sleep(FOLD_EVERY, until).catch(() => {})
      const { profile } = await this.#session.post('Profiler.stop')
      addCpuSamples(profile as V8CpuProfile, builder, CPU_INTERVAL * 1000)
    } while (!until.aborted)
    const about = { start, duration: this.#clock.now() - start, periodLength: CPU_INTERVAL * 1000 }
    return builder.finish({ measures: CPU_MEASURES, period: ['cpu', 'nanoseconds'], ...about })
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}
