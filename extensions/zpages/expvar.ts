import { getHeapStatistics } from 'node:v8'

/** Figures of the process as JSON: what Go's `expvar` shows, for V8. Nothing of the command line or the environment. */
export function expvarJson(): string {
  const { user, system } = process.cpuUsage()
  return JSON.stringify({
    memstats: process.memoryUsage(),
    heap: getHeapStatistics(),
    cpu_seconds: { user: user / 1e6, system: system / 1e6 },
    uptime_seconds: process.uptime(),
    versions: process.versions,
  })
}
