import { describe, expect, test } from 'vitest'
import { configure, testContext } from '#core/testing'
import { MemoryLimiter } from './memory-limiter.ts'
import { memoryLimiterConfig } from './memory-limiter-options.ts'

const MIB = 1 << 20

/** A limiter of 100 MiB (soft limit 80) over a process whose memory the test says: what is alive and what is garbage. */
function limited(written: object = {}) {
  const memory = {
    alive: 0,
    garbage: 0,
    heapShare: 0,
    collections: 0,
    reads: 0,
    read() {
      this.reads++
      return { used: (this.alive + this.garbage) * MIB, heapShare: this.heapShare }
    },
    collect() {
      this.collections++
      this.garbage = 0
    },
  }
  const context = testContext()
  const config = configure(memoryLimiterConfig, { check_interval: '1s', limit_mib: 100, ...written })
  const limiter = new MemoryLimiter(config, { logger: context.logger, clock: context.clock, memory })
  limiter.start()
  return { limiter, memory, clock: context.fakeClock, logger: context.logger }
}

describe('limits', () => {
  test('memory in use above the soft limit is refused from the next look, and taken again below it', async () => {
    const { limiter, memory, clock, logger } = limited()
    memory.alive = 79
    await clock.advance(1000)
    expect(limiter.refusing).toBe(false)
    memory.alive = 80
    expect(limiter.refusing).toBe(false)
    await clock.advance(1000)
    expect(limiter.refusing).toBe(true)
    memory.alive = 60
    await clock.advance(1000)
    expect(limiter.refusing).toBe(false)
    expect(logger.messages('info')).toEqual([
      'Memory limiter configured',
      'Memory usage is above soft limit. Forcing a GC.',
      'Memory usage after GC.',
      'Memory usage back within limits. Resuming normal operation.',
    ])
    expect(logger.messages('warn')).toEqual(['Memory usage is above soft limit. Refusing data.'])
    expect(logger.lines.find(line => line.level === 'warn')?.fields).toEqual({ cur_mem_mib: 80 })
  })

  test('what is configured is logged, in percent with what they are taken of', () => {
    const { logger, clock } = testContext()
    const config = configure(memoryLimiterConfig, {
      check_interval: '1500ms',
      limit_percentage: 50,
      spike_limit_percentage: 10,
    })
    new MemoryLimiter(config, { logger, clock, total: () => 1000 * MIB })
    expect(logger.lines).toEqual([
      {
        level: 'info',
        message: 'Using percentage memory limiter',
        fields: { total_memory_mib: 1000, limit_percentage: 50, spike_limit_percentage: 10 },
      },
      {
        level: 'info',
        message: 'Memory limiter configured',
        fields: { limit_mib: 500, spike_limit_mib: 100, check_interval: '1.5s' },
      },
    ])
  })

  test('V8’s own limit on objects is one too', async () => {
    const { limiter, memory, clock } = limited()
    memory.heapShare = 0.85
    await clock.advance(1000)
    expect(limiter.refusing).toBe(true)
    memory.heapShare = 0.5
    await clock.advance(1000)
    expect(limiter.refusing).toBe(false)
  })
})

describe('garbage', () => {
  test('is collected before anybody is refused', async () => {
    const { limiter, memory, clock } = limited()
    memory.alive = 50
    memory.garbage = 35
    await clock.advance(1000)
    expect(memory.collections).toBe(1)
    expect(limiter.refusing).toBe(false)
  })

  test('between the limits is borne until a collection is due', async () => {
    const { limiter, memory, clock } = limited()
    memory.alive = 50
    for (let second = 0; second <= 9; second++) {
      memory.garbage = 35
      await clock.advance(1000)
      expect(limiter.refusing).toBe(false)
    }
    expect(memory.collections).toBe(1)
    await clock.advance(1000)
    expect(memory.collections).toBe(2)
  })

  test('above the hard limit is collected at every look', async () => {
    const { limiter, memory, clock, logger } = limited()
    memory.alive = 50
    for (let second = 0; second < 5; second++) {
      memory.garbage = 60
      await clock.advance(1000)
      expect(limiter.refusing).toBe(false)
    }
    expect(memory.collections).toBe(5)
    expect(logger.messages('warn')[0]).toBe('Memory usage is above hard limit. Forcing a GC.')
  })

  test('is looked for ever more rarely while memory is in use', async () => {
    const { limiter, memory, clock } = limited()
    memory.alive = 110
    await clock.advance(120_000)
    expect(limiter.refusing).toBe(true)
    // At 1, 3, 7, 15 and 30 seconds, then every 30 at most.
    expect(memory.collections).toBeGreaterThanOrEqual(7)
    expect(memory.collections).toBeLessThanOrEqual(8)
    memory.alive = 10
    await clock.advance(1000)
    expect(limiter.refusing).toBe(false)
  })

  test('that keeps memory above the soft limit after refusing began is collected when due', async () => {
    const { limiter, memory, clock } = limited()
    memory.alive = 85
    await clock.advance(1000)
    expect(limiter.refusing).toBe(true)
    memory.alive = 5
    memory.garbage = 80
    await clock.advance(19_000)
    expect(limiter.refusing).toBe(true)
    await clock.advance(1000)
    expect(limiter.refusing).toBe(false)
  })
})

describe('between two looks', () => {
  test('a quarter of the spike limit coming in makes it look again at once', () => {
    const { limiter, memory } = limited()
    const reads = memory.reads
    memory.alive = 90
    limiter.took(4 * MIB)
    expect([limiter.refusing, memory.reads]).toEqual([false, reads])
    limiter.took(MIB)
    expect(limiter.refusing).toBe(true)
  })

  test('what came in takes room until the next look shows it', async () => {
    const { limiter, memory, clock } = limited()
    memory.alive = 40
    await clock.advance(1000)
    expect(limiter.room).toBe(60 * MIB)
    limiter.took(3 * MIB)
    expect(limiter.room).toBe(57 * MIB)
    memory.alive = 41
    await clock.advance(1000)
    expect(limiter.room).toBe(59 * MIB)
  })

  test('somebody who finds no room above the soft limit makes the next look collect', async () => {
    const { limiter, memory, clock } = limited()
    memory.alive = 20
    memory.garbage = 65
    await clock.advance(1000)
    memory.garbage = 75
    await clock.advance(1000)
    expect(memory.collections).toBe(1)
    limiter.press()
    await clock.advance(1000)
    expect([memory.collections, limiter.refusing]).toEqual([2, false])
    memory.garbage = 0
    limiter.press()
    await clock.advance(1000)
    expect([memory.collections, limiter.refusing]).toEqual([2, false])
  })
})

describe('users', () => {
  test('are told of every change, and of the present state when they come late', async () => {
    const { limiter, memory, clock } = limited()
    const heard: string[] = []
    const stop = limiter.onChange(refusing => heard.push(`first ${refusing}`))
    memory.alive = 90
    await clock.advance(3000)
    limiter.onChange(refusing => heard.push(`second ${refusing}`))
    stop()
    memory.alive = 0
    await clock.advance(1000)
    expect(heard).toEqual(['first true', 'second true', 'second false'])
  })

  test('share one timer, which ends with the last of them', async () => {
    const { limiter, clock } = limited()
    limiter.start()
    expect(clock.pending).toBe(1)
    limiter.stop()
    await clock.advance(5000)
    expect(clock.pending).toBe(1)
    limiter.stop()
    expect(clock.pending).toBe(0)
  })
})
