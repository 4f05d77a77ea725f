import * as v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What the process uses, garbage that has not been collected included. */
export interface MemoryUsage {
  /** Bytes of JavaScript objects and of buffers. */
  readonly used: number
  /** How much of V8's own limit its objects fill, 0 to 1: at 1 the process dies, whatever other limits say. */
  readonly heapShare: number
}

/** The process as a memory limiter sees it, so that tests can say what it reads. */
export interface ProcessMemory {
  read(): MemoryUsage
  /** Collects garbage now, so that `read` tells what is alive; the process stands still meanwhile. */
  collect(): void
}

/**
 * This process.
 *
 * Objects and buffers are what telemetry occupies. Resident memory is no measure: the allocator keeps what it was given
 * (after 286 MiB of buffers were freed, 286 MiB stayed resident). Neither is V8's count of external memory: it falls
 * only with the second collection after buffers died, while Node's count of buffers falls as they are freed.
 */
export const processMemory: ProcessMemory = {
  read() {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return { used: heapUsed + arrayBuffers, heapShare: heapUsed / v8.getHeapStatistics().heap_size_limit }
  },
  collect() {
    collector ??= exposedCollector()
    collector()
    // Buffers found dead are freed on another thread; a collection of the young waits until that is done.
    collector({ type: 'minor' })
  },
}

type Collector = (options?: { readonly type: 'minor' }) => void

let collector: Collector | undefined

/** V8's `gc`, which a new context has while the flag is set. */
function exposedCollector(): Collector {
  v8.setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collector
  v8.setFlagsFromString('--no-expose-gc')
  return found
}
