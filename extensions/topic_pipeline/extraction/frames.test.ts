import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameReader, frameOf } from './frames.ts'

test('values come out as they went in, however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (values, cuts) => {
        const bytes = Buffer.concat(values.map(frameOf))
        const reader = new FrameReader()
        const read: unknown[] = []
        for (let at = 0; at < bytes.length; ) {
          const size = cuts.next().value
          read.push(...reader.push(bytes.subarray(at, at + size)))
          at += size
        }
        expect(read).toEqual(structuredClone(values))
      },
    ),
  )
})

test('bytes stay bytes', () => {
  const [value] = new FrameReader().push(frameOf({ body: new Uint8Array([1, 2, 3]) }))
  expect(value).toEqual({ body: new Uint8Array([1, 2, 3]) })
})
