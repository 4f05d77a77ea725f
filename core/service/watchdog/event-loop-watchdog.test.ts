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
  const caught = () => reports.find(({ stack }) => stack.join('\n').includes('spinFor'))
  // The thread takes a while to begin, and on a busy machine to look: until it has, nothing is seen.
  await until(
    () => {
      if (caught() === undefined) spinFor(1_000)
      return caught() !== undefined
    },
    { timeout: 60_000 },
  )
  expect(caught()?.ms).toBeGreaterThanOrEqual(200)
}, 90_000)

test('says nothing of a loop that moves', async () => {
  const reports: Blocked[] = []
  using _ = new EventLoopWatchdog(blocked => reports.push(blocked), { limit: 8_000 })
  const end = performance.now() + 500
  await until(() => performance.now() > end)
  expect(reports).toEqual([])
})
