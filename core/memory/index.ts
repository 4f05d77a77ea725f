/**
 * How much memory the process uses and may use, and when to stop taking more: what the `memory_limiter` processor and
 * the extension of the same name share.
 * @module
 */

export { MemoryLimiter, type MemoryLimiterServices, memoryRefusal } from './memory-limiter.ts'
export {
  checkMemoryLimiter,
  type MemoryLimiterConfig,
  memoryLimiterConfig,
} from './memory-limiter-options.ts'
export { type MemoryUsage, type ProcessMemory, processMemory } from './process-memory.ts'
export { totalMemory } from './total-memory.ts'
