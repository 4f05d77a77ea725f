import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

test('a thread that yields is less urgent, the others of its process are not', async () => {
  if (process.platform !== 'linux') return
  const before = getPriority(process.pid)
  const code = `
    import { readlinkSync } from 'node:fs'
    import { getPriority } from 'node:os'
    import { parentPort } from 'node:worker_threads'
    import { yieldToOthers } from '${new URL('yield-to-others.ts', import.meta.url).href}'
    yieldToOthers()
    parentPort.postMessage(getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1))))`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  const [priority] = (await once(worker, 'message')) as [number]
  await worker.terminate()
  expect(priority).toBe(10)
  expect(getPriority(process.pid)).toBe(before)
})
