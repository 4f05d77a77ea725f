import { expect, test } from 'vitest'
import { runOverload } from './overload-run.ts'

const LIMIT_MIB = 150
/** What a process has beside objects and buffers: the program, V8's space for the young, what the allocator keeps. */
const OVERHEAD_MIB = 350

const RETRYABLE = { grpc: '14', http: '503' }

// RSS is read from /proc.
test.runIf(process.platform === 'linux').each(['grpc', 'http'] as const)(
  'twice the rate that can be carried over %s: every refusal is retryable, all that was accepted arrives, memory is bounded',
  async protocol => {
    const report = await runOverload({ protocol, seconds: 7, calibration: 2, limitMiB: LIMIT_MIB })
    expect(report.exitCode).toBe(0)
    expect(report.outcome.lost).toBe(0)
    expect(report.arrived).toBe(report.accepted)
    const refusals = Object.keys(report.outcome.refused).filter(status => status !== RETRYABLE[protocol])
    expect(refusals, 'refused otherwise').toEqual([])
    expect(report.final).toBe(0)
    expect(Math.max(...report.rss)).toBeLessThan(LIMIT_MIB + OVERHEAD_MIB)
  },
  120_000,
)
