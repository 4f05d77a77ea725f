import { expect, test } from 'vitest'
import { until } from '#core/testing'
import type { Blocked } from './blocked.ts'
import { EventLoopWatchdog } from './event-loop-watchdog.ts'

function spinFor(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) {
    // Nothing else happens meanwhile.
  }
}

test('tells what had blocked the event loop, and for how long', async () => {
  const reports: Blocked[] = []
  using _ = new EventLoopWatchdog(blocked => reports.push(blocked), { limit: 200 })
  // The thread takes a while to begin: until it has, nothing is seen.
  await until(
    () => {
      spinFor(700)
      return reports.length > 0
    },
    { timeout: 15_000 },
  )
  const [{ ms, stack }] = reports as [Blocked]
  expect(ms).toBeGreaterThanOrEqual(200)
  expect(stack.join('\n')).toContain('spinFor')
})

test('says nothing of a loop that moves', async () => {
  const reports: Blocked[] = []
  using _ = new EventLoopWatchdog(blocked => reports.push(blocked), { limit: 8_000 })
  const end = performance.now() + 500
  await until(() => performance.now() > end)
  expect(reports).toEqual([])
})
