import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#core/component'
import { configure, FakeClock, tempDir, testContext, until } from '#core/testing'
import { checkPprof, pprofConfig } from './config.ts'
import { PprofExtension } from './extension.ts'
import { GO, GO_TIMEOUT, goPprof } from './go-pprof.test-support.ts'

async function start(written: object = {}, clock: typeof systemClock = systemClock) {
  const config = configure(pprofConfig, { endpoint: '127.0.0.1:0', ...written })
  const extension = new PprofExtension(config, testContext({ id: 'pprof', clock }))
  await extension.start()
  const get = (path: string, init: RequestInit = {}) => fetch(`http://${extension.address}/debug/pprof/${path}`, init)
  return { extension, get, [Symbol.asyncDispose]: () => extension.shutdown() }
}

/** Keeps the processor busy in a function whose name a profile shows. */
function burnSomeCycles(milliseconds: number): number {
  const end = performance.now() + milliseconds
  let sum = 0
  while (performance.now() < end) sum += Math.sqrt(sum + 1)
  return sum
}

async function burnUntil<T>(done: Promise<T>): Promise<T> {
  let over = false
  const watched = done.finally(() => {
    over = true
  })
  while (!over) {
    burnSomeCycles(20)
    await new Promise(resolve => setImmediate(resolve))
  }
  return watched
}

function allocateSomething(kept: object[]): void {
  for (let i = 0; i < 200_000; i++) kept.push({ [`key${i % 3}`]: [i, i + 1] })
}

describe('a CPU profile', () => {
  test(
    'shows what the process did while it was taken, in the format of pprof',
    async () => {
      await using pprof = await start()
      const answer = await burnUntil(pprof.get('profile?seconds=1.5'))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toContain('profile.pb.gz')
      const profile = Buffer.from(await answer.arrayBuffer())
      expect(gunzipSync(profile).includes('burn')).toBe(true)
      if (GO !== undefined) expect(await goPprof(profile, '-top', '-nodefraction=0')).toMatch(/burn\w+$/m)
    },
    GO_TIMEOUT,
  )

  test('comes as V8 has it when asked for', async () => {
    await using pprof = await start()
    const answer = await burnUntil(pprof.get('profile?seconds=1.5&format=v8'))
    expect(answer.headers.get('content-disposition')).toContain('profile.cpuprofile')
    const { nodes } = (await answer.json()) as { nodes: { callFrame: { functionName: string } }[] }
    // By now it may have been compiled into its caller.
    expect(nodes.map(({ callFrame }) => callFrame.functionName).join()).toMatch(/burn(SomeCycles|Until)/)
  })

  test('is taken one at a time, and ends when whoever asked has gone', async () => {
    await using pprof = await start()
    const gone = new AbortController()
    const first = pprof.get('profile?seconds=500', { signal: gone.signal }).catch(error => error)
    await until(async () => {
      const second = await pprof.get('profile?seconds=0.01')
      return second.status === 409 && (await second.text()).includes('cpu profiling already in use')
    })
    gone.abort()
    expect(await first).toBeInstanceOf(Error)
    await until(async () => (await pprof.get('profile?seconds=0.01')).status === 200)
  })

  test('ends with the extension', async () => {
    const pprof = await start()
    const answer = pprof.get('profile?seconds=500')
    await until(async () => (await pprof.get('profile?seconds=0.01')).status === 409)
    await pprof.extension.shutdown()
    expect((await answer).status).toBe(200)
  })

  test.each(['601', '-1', '1e9'])('of %s seconds is refused', async seconds => {
    await using pprof = await start()
    expect((await pprof.get(`profile?seconds=${seconds}`)).status).toBe(400)
  })
})

describe('a heap profile', () => {
  test(
    'shows who allocated what is in use',
    async () => {
      await using pprof = await start()
      const kept: object[] = []
      allocateSomething(kept)
      const answer = await pprof.get('heap?gc=1')
      const profile = Buffer.from(await answer.arrayBuffer())
      expect(gunzipSync(profile).includes('allocateSomething')).toBe(true)
      // Compiled code may count most of it for the caller.
      if (GO !== undefined) expect(await goPprof(profile, '-top', '-nodefraction=0')).toMatch(/B .*allocateSomething$/m)
      const v8 = (await (await pprof.get('heap?format=v8')).json()) as object
      expect(v8).toHaveProperty('head')
      expect(kept).toHaveLength(200_000)
    },
    GO_TIMEOUT,
  )
})

describe('save_to_file', () => {
  test('holds the profile of the whole run, folded up every minute', async () => {
    await using dir = await tempDir()
    const path = join(dir.path, 'cpu.pb.gz')
    const clock = new FakeClock()
    const pprof = await start({ save_to_file: path }, clock)
    expect((await pprof.get('profile?seconds=1')).status).toBe(409)
    burnSomeCycles(150)
    await until(async () => {
      await clock.advance(60_000)
      return clock.now() > Date.UTC(2026, 0, 1, 0, 5)
    })
    burnSomeCycles(50)
    await pprof.extension.shutdown()
    expect(gunzipSync(await readFile(path)).includes('burnSomeCycles')).toBe(true)
  })

  test('that cannot be written fails the start', async () => {
    await using dir = await tempDir()
    await expect(start({ save_to_file: join(dir.path, 'none/cpu.pb.gz') })).rejects.toThrow(/ENOENT/)
  })
})

test('other paths tell what there is, other methods are refused', async () => {
  await using pprof = await start()
  expect(await (await pprof.get('')).text()).toContain('/debug/pprof/heap')
  const goroutine = await pprof.get('goroutine')
  expect([goroutine.status, await goroutine.text()]).toEqual([404, expect.stringContaining('Unknown profile')])
  expect((await pprof.get('cmdline')).status).toBe(404)
  expect((await pprof.get('heap', { method: 'POST' })).status).toBe(405)
})

test('the keys of the Collector are taken', () => {
  const config = configure(pprofConfig, { block_profile_fraction: 3, mutex_profile_fraction: 5 })
  expect(config.endpoint).toBe('localhost:1777')
  expect([...checkPprof(config)]).toEqual([])
  expect([...checkPprof({ ...config, endpoint: 'nonsense' })]).toHaveLength(1)
})
