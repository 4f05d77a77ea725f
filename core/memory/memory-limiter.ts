import { type Clock, type Logger, RetryableError, type Timer } from '#core/component'
import { formatDuration } from '#core/config'
import { CollectionPacer, type Level } from './collection-pacer.ts'
import type { MemoryLimiterConfig } from './memory-limiter-options.ts'
import { type MemoryLimits, memoryLimits } from './memory-limits.ts'
import { type MemoryUsage, type ProcessMemory, processMemory } from './process-memory.ts'
import { totalMemory } from './total-memory.ts'

export interface MemoryLimiterServices {
  readonly logger: Logger
  readonly clock: Clock
  /** Default: this process. */
  readonly memory?: ProcessMemory
  /** What percentages are taken of, in bytes. Default: the cgroup's or the machine's memory. */
  readonly total?: () => number
}

const MIB = 1 << 20
/** Shares of V8's limit on its heap that count as the soft and the hard limit, if those of the options are higher. */
const HEAP_SHARE = { soft: 0.8, hard: 0.9 }
/** Shares of the spike limit that come in before memory is looked at again, without waiting for the timer. */
const LOOKS_A_SPIKE = 4
/** Senders are asked to wait so many milliseconds at least: the header that says so has whole seconds. */
const LEAST_DELAY = 1000

/** What a sender is told when there is no memory for its data. `after`: milliseconds until a new attempt is welcome. */
export function memoryRefusal(after: number): RetryableError {
  return new RetryableError('data refused due to high memory usage', { after })
}

/**
 * Looks at the memory of the process at intervals, and again whenever a quarter of the spike limit has come in, and says
 * whether data must be refused. Between soft and hard limit it refuses only once a collection has shown that the memory
 * is in use: at full load tens of MiB are garbage that V8 has not got round to.
 */
export class MemoryLimiter {
  /** Milliseconds after which those refused are welcome again. */
  readonly retryAfter: number
  readonly limits: MemoryLimits
  readonly #config: MemoryLimiterConfig
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #memory: ProcessMemory
  readonly #pacer: CollectionPacer
  readonly #listeners = new Set<(refusing: boolean) => void>()
  #users = 0
  #timer: Timer | undefined
  #refusing = false
  #usage: MemoryUsage = { used: 0, heapShare: 0 }
  /** Bytes that came in since the last look. */
  #since = 0
  /** Somebody found no room since the last look. */
  #pressed = false

  constructor(config: MemoryLimiterConfig, services: MemoryLimiterServices) {
    this.#config = config
    this.#logger = services.logger
    this.#clock = services.clock
    this.#memory = services.memory ?? processMemory
    this.limits = memoryLimits(config, () => this.#total(services.total ?? totalMemory))
    this.retryAfter = Math.max(LEAST_DELAY, config.check_interval)
    this.#pacer = new CollectionPacer(
      {
        soft: { min: config.min_gc_interval_when_soft_limited, max: config.max_gc_interval_when_soft_limited },
        hard: { min: config.min_gc_interval_when_hard_limited, max: config.max_gc_interval_when_hard_limited },
      },
      config.check_interval,
    )
    this.#logger.info('Memory limiter configured', {
      limit_mib: Math.floor(this.limits.hard / MIB),
      spike_limit_mib: Math.floor(this.limits.spike / MIB),
      check_interval: formatDuration(config.check_interval),
    })
  }

  /** Begins to look, if nobody else has begun. Each call is matched by one of `stop`. */
  start(): void {
    if (this.#users++ > 0) return
    this.#look()
    this.#schedule()
  }

  stop(): void {
    if (--this.#users > 0) return
    this.#timer?.cancel()
    this.#timer = undefined
  }

  /** Whether data must be refused now. */
  get refusing(): boolean {
    return this.#refusing
  }

  /** Bytes in use at the last look. */
  get used(): number {
    return this.#usage.used
  }

  /** Bytes left below the hard limit: by the last look, and what came in since. */
  get room(): number {
    return this.limits.hard - this.#usage.used - this.#since
  }

  /** Data has come into memory. `refusing` and `room` take it into account. */
  took(bytes: number): void {
    this.#since += bytes
    if (this.#since * LOOKS_A_SPIKE >= this.limits.spike) this.#look()
  }

  /** There was no room for somebody: above the soft limit, the next look collects as if it were above the hard one. */
  press(): void {
    this.#pressed = true
  }

  /** Calls `listener` when refusing begins (at once, if it has begun) and when it ends. Returns how to stop it. */
  onChange(listener: (refusing: boolean) => void): () => void {
    this.#listeners.add(listener)
    if (this.#refusing) listener(true)
    return () => this.#listeners.delete(listener)
  }

  #total(total: () => number): number {
    const bytes = total()
    const { limit_percentage, spike_limit_percentage } = this.#config
    this.#logger.info('Using percentage memory limiter', {
      total_memory_mib: Math.floor(bytes / MIB),
      limit_percentage,
      spike_limit_percentage,
    })
    return bytes
  }

  #schedule(): void {
    this.#timer = this.#clock.after(this.#config.check_interval, () => {
      this.#look()
      this.#logger.debug('Currently used memory.', this.#fields())
      this.#schedule()
    })
  }

  #look(): void {
    this.#read()
    const pressed = this.#pressed
    this.#pressed = false
    const level = this.#level()
    if (level === undefined) {
      this.#pacer.relax()
      this.#settle(false)
      return
    }
    const urgency = pressed ? 'hard' : level
    // Above the soft limit only, and with no collection due, the last one decides: it found memory to be free or not.
    if (this.#pacer.due(urgency, this.#clock.monotonic())) this.#settle(this.#collect(level, urgency) !== undefined)
    else this.#settle(this.#refusing || urgency === 'hard')
  }

  #read(): void {
    this.#usage = this.#memory.read()
    this.#since = 0
  }

  #level(): Level | undefined {
    const { used, heapShare } = this.#usage
    if (used >= this.limits.hard || heapShare >= HEAP_SHARE.hard) return 'hard'
    return used >= this.limits.soft || heapShare >= HEAP_SHARE.soft ? 'soft' : undefined
  }

  /** @returns the limit that memory is above even so */
  #collect(level: Level, urgency: Level): Level | undefined {
    const before = this.#usage.used
    if (level === 'hard') this.#logger.warn('Memory usage is above hard limit. Forcing a GC.', this.#fields())
    else this.#logger.info('Memory usage is above soft limit. Forcing a GC.', this.#fields())
    this.#memory.collect()
    this.#read()
    this.#pacer.done(urgency, this.#clock.monotonic(), before, this.#usage.used)
    this.#logger.info('Memory usage after GC.', this.#fields())
    return this.#level()
  }

  #settle(refusing: boolean): void {
    if (refusing === this.#refusing) return
    this.#refusing = refusing
    if (refusing) this.#logger.warn('Memory usage is above soft limit. Refusing data.', this.#fields())
    else this.#logger.info('Memory usage back within limits. Resuming normal operation.', this.#fields())
    for (const listener of this.#listeners) listener(refusing)
  }

  #fields() {
    return { cur_mem_mib: Math.floor(this.#usage.used / MIB) }
  }
}
