import { describe, expect, test } from 'vitest'
import { NO_CONTEXT, RetryableError } from '#core/component'
import { MemoryLimiter, memoryLimiterConfig } from '#core/memory'
import { configure, logs, Sink, TestHost, testContext, traces } from '#core/testing'
import { memoryLimiterProcessor } from './index.ts'
import { MemoryLimiterProcessor } from './processor.ts'

const MIB = 1 << 20
const config = configure(memoryLimiterConfig, { check_interval: '2s', limit_mib: 100 })

/** Two pipelines of one id over a process whose memory the test says, in MiB. */
async function running() {
  const memory = { mib: 0, read: () => ({ used: memory.mib * MIB, heapShare: 0 }), collect: () => {} }
  const context = testContext({ id: 'memory_limiter' })
  const other = testContext({ id: 'memory_limiter' })
  const limiter = new MemoryLimiter(config, { logger: context.logger, clock: context.clock, memory })
  const sink = new Sink()
  const processor = new MemoryLimiterProcessor(limiter, 'traces', sink, context)
  const second = new MemoryLimiterProcessor(limiter, 'logs', sink, other)
  await processor.start()
  await second.start()
  return { memory, context, other, sink, processor, second, clock: context.fakeClock }
}

describe('memory_limiter', () => {
  test('hands on what comes while memory lasts, and counts it', async () => {
    const { processor, second, sink, context, other } = await running()
    await processor.consume(traces(3), NO_CONTEXT)
    await second.consume(logs(2), NO_CONTEXT)
    expect(sink.items).toBe(5)
    expect(context.meter.value('otelcol_processor_memory_limiter_accepted_spans')).toBe(3)
    expect(other.meter.value('otelcol_processor_memory_limiter_accepted_log_records')).toBe(2)
    expect(context.meter.value('otelcol_processor_memory_limiter_refused_spans')).toBe(0)
  })

  test('refuses all pipelines of its id with the Collector’s sentence and a time while memory is short', async () => {
    const { processor, second, sink, memory, clock, context } = await running()
    memory.mib = 90
    await clock.advance(2000)
    const refusal = await processor.consume(traces(3), NO_CONTEXT).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(RetryableError)
    expect(refusal).toMatchObject({ message: 'data refused due to high memory usage', after: 2000 })
    await expect(second.consume(logs(1), NO_CONTEXT)).rejects.toThrow('high memory usage')
    expect(sink.calls).toBe(0)
    expect(context.meter.value('otelcol_processor_memory_limiter_refused_spans')).toBe(3)
    memory.mib = 50
    await clock.advance(2000)
    await processor.consume(traces(3), NO_CONTEXT)
    expect(sink.items).toBe(3)
  })

  test('looks again when much has come in, without waiting for the timer', async () => {
    const { processor, memory } = await running()
    memory.mib = 90
    const payload = traces(1000)
    const outcomes = []
    for (let i = 0; i * payload.bytes <= 5 * MIB; i++) {
      outcomes.push(
        await processor.consume(payload, NO_CONTEXT).then(
          () => 'taken',
          () => 'refused',
        ),
      )
    }
    expect(outcomes[0]).toBe('taken')
    expect(outcomes.at(-1)).toBe('refused')
  })

  test('reports a recoverable error while it refuses', async () => {
    const { memory, clock, context, other } = await running()
    memory.mib = 90
    await clock.advance(2000)
    memory.mib = 10
    await clock.advance(2000)
    for (const { statuses } of [context, other]) {
      expect(statuses.map(({ status, error }) => [status, error?.message])).toEqual([
        ['RecoverableError', 'data refused due to high memory usage'],
        ['OK', undefined],
      ])
    }
  })

  test('instances of one id share a limiter and one timer, until the last has stopped', async () => {
    const state = new Map<string, object>()
    const first = testContext({ id: 'memory_limiter', state })
    const second = testContext({ id: 'memory_limiter', state, clock: first.clock })
    const host = new TestHost()
    const instances = [first, second].map(context =>
      memoryLimiterProcessor.create(config, 'traces', new Sink(), context),
    )
    for (const instance of instances) await instance.start?.(host)
    expect(first.fakeClock.pending).toBe(1)
    expect(first.meter.value('otelcol_processor_memory_limiter_used')).toBeGreaterThan(MIB)
    await instances[0]!.shutdown?.()
    expect(first.fakeClock.pending).toBe(1)
    await instances[1]!.shutdown?.()
    expect(first.fakeClock.pending).toBe(0)
  })
})
