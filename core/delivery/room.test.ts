import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PermanentError, RetryableError } from '#core/component'
import { settle } from '#core/testing'
import { Room } from './room.ts'

describe('a room that refuses', () => {
  test('takes in up to its capacity', () => {
    const room = new Room(10, false)
    expect(room.enter(6)).toBeUndefined()
    expect(room.enter(4)).toBeUndefined()
    expect(() => room.enter(1)).toThrow(new RetryableError('sending queue is full'))
    room.leave(6)
    expect(room.enter(6)).toBeUndefined()
    expect(room.size).toBe(10)
  })

  test('says that what is larger than itself will never fit', () => {
    expect(() => new Room(10, false).enter(11)).toThrow(PermanentError)
    expect(() => new Room(10, true).enter(11)).toThrow('element size too large: 11, the queue holds 10')
  })

  test('refuses everyone once it is closed', () => {
    const room = new Room(10, false)
    room.close()
    expect(() => room.enter(1)).toThrow('sending queue is stopped')
  })
})

describe('a room that lets wait', () => {
  test('admits in order, and nobody overtakes', async () => {
    const room = new Room(10, true)
    const admitted: string[] = []
    room.enter(9)
    void room.enter(5)?.then(() => admitted.push('large'))
    void room.enter(1)?.then(() => admitted.push('small'))
    await settle()
    expect(admitted).toEqual([])
    room.leave(9)
    await settle()
    expect(admitted).toEqual(['large', 'small'])
    expect(room.size).toBe(6)
  })

  test('gives up a wait when the sender goes, and lets the next one in', async () => {
    const room = new Room(10, true)
    room.enter(8)
    const sender = new AbortController()
    const large = room.enter(5, sender.signal)
    const small = room.enter(2)
    sender.abort()
    await expect(large).rejects.toThrow('Stopped waiting for room in the sending queue: the sender has gone')
    await small
    expect(room.size).toBe(10)
  })

  test('does not let a sender wait that has gone already', async () => {
    const room = new Room(1, true)
    room.enter(1)
    await expect(room.enter(1, AbortSignal.abort())).rejects.toBeInstanceOf(RetryableError)
    room.leave(1)
    expect(room.size).toBe(0)
  })

  test('refuses those who wait when it closes', async () => {
    const room = new Room(1, true)
    room.enter(1)
    const waiting = room.enter(1)
    room.close()
    await expect(waiting).rejects.toThrow('sending queue is stopped')
  })
})

test('whatever comes, goes and gives up, the capacity holds and nobody is forgotten', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('enter' as const), size: fc.integer({ min: 1, max: 10 }) }),
    fc.record({ kind: fc.constant('leave' as const), pick: fc.nat() }),
    fc.record({ kind: fc.constant('abort' as const), pick: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      const room = new Room(10, true)
      const inside: number[] = []
      const waiting = new Map<AbortController, number>()
      for (const each of steps) {
        if (each.kind === 'enter') {
          const controller = new AbortController()
          const entering = room.enter(each.size, controller.signal)
          if (entering === undefined) {
            inside.push(each.size)
          } else {
            waiting.set(controller, each.size)
            entering.then(
              () => {
                waiting.delete(controller)
                inside.push(each.size)
              },
              () => waiting.delete(controller),
            )
          }
        } else if (each.kind === 'leave' && inside.length > 0) {
          room.leave(inside.splice(each.pick % inside.length, 1)[0]!)
        } else if (each.kind === 'abort' && waiting.size > 0) {
          ;[...waiting.keys()][each.pick % waiting.size]!.abort()
        }
        await Promise.resolve()
        await Promise.resolve()
        expect(room.size).toBeLessThanOrEqual(10)
        expect(room.size).toBe(inside.reduce((sum, size) => sum + size, 0))
      }
      while (inside.length > 0) {
        room.leave(inside.shift()!)
        await Promise.resolve()
        await Promise.resolve()
      }
      expect(waiting.size).toBe(0)
      expect(room.size).toBe(0)
    }),
    { numRuns: 200 },
  )
})
