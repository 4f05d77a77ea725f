import { type Clock, counter, gauge, type InstrumentDeclaration } from '#core/component'
import { AllocatedBytes } from './allocated-bytes.ts'
import type { MetricStore } from './metric-store.ts'

/** The collector's process, under the Collector's names. */
export const processInstruments = {
  uptime: counter({ name: 'otelcol_process_uptime', unit: 's', description: 'Uptime of the process' }),
  cpuSeconds: counter({
    name: 'otelcol_process_cpu_seconds',
    unit: 's',
    description: 'Total CPU user and system time in seconds',
  }),
  memoryRss: gauge({
    name: 'otelcol_process_memory_rss',
    unit: 'By',
    description: 'Total physical memory (resident set size)',
  }),
  heapAlloc: gauge({
    name: 'otelcol_process_runtime_heap_alloc_bytes',
    unit: 'By',
    description: 'Bytes of heap objects in use',
  }),
  totalAlloc: counter({
    name: 'otelcol_process_runtime_total_alloc_bytes',
    unit: 'By',
    description: 'Cumulative bytes allocated for heap objects; V8 tells it at a price, so at level detailed only',
    level: 'detailed',
  }),
  totalSys: gauge({
    name: 'otelcol_process_runtime_total_sys_memory_bytes',
    unit: 'By',
    description: 'Total bytes of memory that the runtime took from the operating system',
  }),
} as const satisfies Record<string, InstrumentDeclaration>

/** Lets `store` tell about this process; several collectors in one process tell the same figures. Returns how to stop. */
export function observeProcess(store: MetricStore, clock: Clock): () => void {
  const { uptime, cpuSeconds, memoryRss, heapAlloc, totalAlloc, totalSys } = processInstruments
  store.observe(uptime, () => process.uptime())
  store.observe(cpuSeconds, () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  store.observe(memoryRss, () => process.memoryUsage.rss())
  store.observe(heapAlloc, () => process.memoryUsage().heapUsed)
  store.observe(totalSys, () => {
    const { heapTotal, external } = process.memoryUsage()
    return heapTotal + external
  })
  if (!store.has('detailed')) return () => {}
  const allocated = new AllocatedBytes(clock)
  store.observe(totalAlloc, () => allocated.read())
  return () => allocated.close()
}
