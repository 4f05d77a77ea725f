import { expect, test } from 'vitest'
import { processMemory } from './process-memory.ts'

const MIB = 1 << 20

test('buffers count while they are held, and no more once they are dropped and collected', () => {
  processMemory.collect()
  const before = processMemory.read().used
  let held: Buffer[] | undefined = Array.from({ length: 640 }, () => Buffer.alloc(100 << 10, 1))
  expect(held.length).toBe(640)
  processMemory.collect()
  const full = processMemory.read().used
  expect(full - before).toBeGreaterThan(60 * MIB)
  held = undefined
  processMemory.collect()
  expect(processMemory.read().used - before).toBeLessThan(10 * MIB)
})

test('objects count', () => {
  processMemory.collect()
  const before = processMemory.read().used
  const held = Array.from({ length: 200_000 }, (_, i) => ({ i, name: `object ${i}` }))
  processMemory.collect()
  expect(processMemory.read().used - before).toBeGreaterThan(8 * MIB)
  expect(held[1]!.i).toBe(1)
})

test('the share of V8’s limit is a share, and collecting leaves no function behind', () => {
  const { heapShare } = processMemory.read()
  expect(heapShare).toBeGreaterThan(0)
  expect(heapShare).toBeLessThan(1)
  expect(Reflect.get(globalThis, 'gc')).toBeUndefined()
})
