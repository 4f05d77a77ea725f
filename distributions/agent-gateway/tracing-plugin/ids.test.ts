import { TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { hashed, isSampled, isSpanId, isTraceId, newSpanId, newTraceId } from './ids.ts'

test('new ids are valid and differ', () => {
  const ids = Array.from({ length: 2000 }, () => [newTraceId(), newSpanId()] as const)
  expect(ids.every(([trace, span]) => isTraceId(trace) && isSpanId(span))).toBe(true)
  expect(new Set(ids.flat()).size).toBe(4000)
})

test.each([undefined, 7, '', '0'.repeat(32), 'A'.repeat(32), 'a'.repeat(31), `${'a'.repeat(32)}\n`])(
  '%j is no trace id',
  id => {
    expect(isTraceId(id)).toBe(false)
  },
)

test.each([0, 0.01, 0.3, 0.5, 0.99, 1])('a share of %d are the traces that the SDK would choose', rate => {
  const sampler = new TraceIdRatioBasedSampler(rate)
  for (let i = 0; i < 2000; i++) {
    const id = newTraceId()
    const { decision } = (
      sampler as unknown as { shouldSample(c: object, id: string): { decision: number } }
    ).shouldSample({}, id)
    expect(isSampled(id, rate), id).toBe(decision !== 0)
  }
})

test('a hash has the form of the hashes in the security records of the gateway', () => {
  expect(hashed('cli')).toBe('sha256:99bb88401742')
})
