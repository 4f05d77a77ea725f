import { expect, test } from 'vitest'
import { RetryableError } from '#core/component'
import { ByteBudget } from './byte-budget.ts'

const granted = (answer: unknown) => {
  if (typeof answer !== 'function') throw new Error('refused')
  return answer as () => void
}

test('a budget grants until it is used up and again when something is given back', () => {
  const budget = new ByteBudget(100)
  const first = granted(budget.admit(60))
  const second = granted(budget.admit(40))
  expect(budget.held).toBe(100)
  expect(budget.admit(0)).toBeInstanceOf(RetryableError)
  expect(budget.admit(1)).toMatchObject({ after: 1000 })
  first()
  granted(budget.admit(0))()
  expect(budget.admit(61)).toBeInstanceOf(RetryableError)
  granted(budget.admit(60))()
  second()
  expect(budget.held).toBe(0)
})

test('a body larger than the budget passes alone', () => {
  const budget = new ByteBudget(100)
  const release = granted(budget.admit(500))
  expect(budget.admit(1)).toBeInstanceOf(RetryableError)
  release()
  expect(budget.held).toBe(0)
})
