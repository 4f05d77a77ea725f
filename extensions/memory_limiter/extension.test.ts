import { describe, expect, test } from 'vitest'
import { RetryableError } from '#core/component'
import { memoryLimiterConfig } from '#core/memory'
import type { Release } from '#core/net'
import { configure, testContext } from '#core/testing'
import { MemoryLimiterExtension } from './extension.ts'

const MIB = 1 << 20
const REFUSED = { message: 'data refused due to high memory usage', after: 1000 }

/** A limit of 100 MiB over a process whose memory the test says, in MiB. */
async function running() {
  const memory = {
    mib: 0,
    collections: 0,
    read: () => ({ used: memory.mib * MIB, heapShare: 0 }),
    collect: () => void memory.collections++,
  }
  const context = testContext({ id: 'memory_limiter', kind: 'extension' })
  const config = configure(memoryLimiterConfig, { check_interval: '1s', limit_mib: 100 })
  const extension = new MemoryLimiterExtension(config, context, { memory })
  await extension.start()
  const granted = (mib: number) => {
    const answer = extension.admit(mib * MIB)
    if (typeof answer !== 'function') throw answer
    return answer as Release
  }
  const value = (name: string) => context.meter.value(`otelcol_extension_memory_limiter_${name}`)
  return { extension, memory, context, clock: context.fakeClock, granted, value }
}

describe('memory_limiter', () => {
  test('lets bodies in as long as all that are on their way fit under the hard limit', async () => {
    const { extension, memory, clock, granted, value } = await running()
    memory.mib = 40
    await clock.advance(1000)
    granted(30)
    const second = granted(30)
    expect(value('expected')).toBe(60 * MIB)
    expect(extension.admit(1)).toMatchObject(REFUSED)
    expect(extension.admit(1)).toBeInstanceOf(RetryableError)
    expect(value('refused_requests')).toBe(2)
    second()
    expect(value('expected')).toBe(30 * MIB)
    granted(30)
  })

  test('a slow sender keeps its room over any number of looks', async () => {
    const { extension, clock, granted } = await running()
    granted(90)
    await clock.advance(60_000)
    expect(extension.admit(11 * MIB)).toMatchObject(REFUSED)
    granted(10)
  })

  test('a body that has arrived is not counted twice once memory shows it', async () => {
    const { extension, memory, clock, granted, value } = await running()
    const body = granted(60)
    memory.mib = 60
    await clock.advance(1000)
    expect(extension.admit(30 * MIB)).toMatchObject(REFUSED)
    body.arrived?.()
    expect(value('expected')).toBe(0)
    granted(30)
    body()
    expect(value('expected')).toBe(30 * MIB)
  })

  test('a body that has arrived takes room until memory is looked at again', async () => {
    const { extension, granted } = await running()
    granted(4).arrived?.()
    granted(96)
    expect(extension.admit(1)).toMatchObject(REFUSED)
  })

  test('asks nobody to send while memory is short, however small the body', async () => {
    const { extension, memory, clock, context } = await running()
    expect(typeof extension.admit(0)).toBe('function')
    memory.mib = 85
    await clock.advance(1000)
    expect(extension.admit(0)).toMatchObject(REFUSED)
    memory.mib = 20
    await clock.advance(1000)
    expect(typeof extension.admit(0)).toBe('function')
    expect(context.statuses.map(({ status }) => status)).toEqual(['RecoverableError', 'OK'])
  })

  test('no room for somebody above the soft limit makes the next look collect garbage', async () => {
    const { extension, memory, clock } = await running()
    memory.mib = 85
    memory.collect = () => {
      memory.collections++
      memory.mib = 50
    }
    await clock.advance(1000)
    memory.mib = 95
    await clock.advance(1000)
    expect(memory.collections).toBe(1)
    expect(extension.admit(10 * MIB)).toMatchObject(REFUSED)
    await clock.advance(1000)
    expect(memory.collections).toBe(2)
    expect(typeof extension.admit(10 * MIB)).toBe('function')
  })

  test('shows what it compares with the limits, while it runs', async () => {
    const { extension, memory, clock, value } = await running()
    memory.mib = 12
    await clock.advance(1000)
    expect(value('used')).toBe(12 * MIB)
    await extension.shutdown()
    expect(value('used')).toBe(0)
    expect(clock.pending).toBe(0)
  })
})
