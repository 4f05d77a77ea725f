import { gauge, type Meter } from '#core/component'

/** The collector's process, under the Collector's names. */
export const processInstruments = {
  uptime: gauge({ name: 'otelcol_process_uptime', unit: 's', description: 'Uptime of the process' }),
  cpuSeconds: gauge({
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
  totalSys: gauge({
    name: 'otelcol_process_runtime_total_sys_memory_bytes',
    unit: 'By',
    description: 'Total bytes of memory that the runtime took from the operating system',
  }),
}

/** Lets `meter` tell about this process; several collectors in one process tell the same figures. */
export function observeProcess(meter: Meter): void {
  const instruments = meter.bind(processInstruments)
  instruments.uptime.observe(() => process.uptime())
  instruments.cpuSeconds.observe(() => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  instruments.memoryRss.observe(() => process.memoryUsage.rss())
  instruments.heapAlloc.observe(() => process.memoryUsage().heapUsed)
  instruments.totalSys.observe(() => {
    const { heapTotal, external } = process.memoryUsage()
    return heapTotal + external
  })
}
