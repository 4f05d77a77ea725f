import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrpcMessage } from './grpc-message.ts'
import { parseGrpcTimeout } from './grpc-timeout.ts'
import { message } from './testdata/harness.ts'

test('a message is put together however it is cut, and nothing is left of the pieces', () => {
  const pieces = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.boolean(), fc.array(fc.nat(305), { maxLength: 8 }))
  fc.assert(
    fc.property(pieces, ([content, compressed, cuts]) => {
      const bytes = Buffer.from(content)
      const whole = message(bytes, compressed ? 1 : 0)
      const subject = new GrpcMessage()
      expect(subject.started).toBe(false)
      const ends = [...cuts.map(cut => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
      let at = 0
      for (const end of ends) {
        if (subject.length !== undefined) expect(subject.excess).toBe(at - whole.length)
        subject.push(whole.subarray(at, end))
        at = end
      }
      expect([subject.length, subject.compressed, subject.excess]).toEqual([bytes.length, compressed, 0])
      const taken = subject.take()
      expect(taken.equals(bytes)).toBe(true)
      expect(taken.buffer.byteLength).toBeLessThanOrEqual(Math.max(2 * bytes.length, whole.length))
    }),
  )
})

test('bytes of a second message are noticed', () => {
  const subject = new GrpcMessage()
  subject.push(Buffer.concat([message(Buffer.from('one')), Buffer.of(0)]))
  expect(subject.excess).toBe(1)
})

test.each<[string | undefined, number | undefined]>([
  [undefined, Number.POSITIVE_INFINITY],
  ['2H', 7_200_000],
  ['3M', 180_000],
  ['10S', 10_000],
  ['99999999m', 99_999_999],
  ['500u', 0.5],
  ['1000n', 0.001],
  ['0S', 0],
  ['', undefined],
  ['5', undefined],
  ['123456789S', undefined],
  ['5s', undefined],
  ['+5S', undefined],
])('grpc-timeout %j is %s ms', (header, ms) => {
  expect(parseGrpcTimeout(header)).toBe(ms)
})
