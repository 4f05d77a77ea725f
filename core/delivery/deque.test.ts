import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Deque } from './deque.ts'

test('gives back in the order of arrival, through any growth', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer()), { maxLength: 200 }), steps => {
      const deque = new Deque<number>()
      const model: number[] = []
      for (const step of steps) {
        if (step === null) {
          expect(deque.peek()).toBe(model[0])
          expect(deque.shift()).toBe(model.shift())
        } else {
          deque.push(step)
          model.push(step)
        }
        expect(deque.length).toBe(model.length)
      }
    }),
  )
})
