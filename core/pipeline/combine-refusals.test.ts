import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Code, isRetryable, PartialError, PermanentError, RetryableError } from '#core/component'
import { combineRefusals } from './combine-refusals.ts'

const permanent = new PermanentError('malformed', { code: Code.INVALID_ARGUMENT })
const soon = new RetryableError('busy', { after: 100, code: Code.UNAVAILABLE })
const later = new RetryableError('full', { after: 3000, code: Code.RESOURCE_EXHAUSTED })
const stranger = new TypeError('x is not a function')

const cases: readonly (readonly [string, readonly unknown[], object])[] = [
  ['one that may be retried makes all retryable', [permanent, soon], { name: 'RetryableError', after: 100, code: 14 }],
  ['the longest wait is passed on', [soon, later], { name: 'RetryableError', after: 3000, code: undefined }],
  [
    'what is no refusal is retryable',
    [permanent, stranger],
    { name: 'RetryableError', after: undefined, code: undefined },
  ],
  ['permanent when all are', [permanent, permanent], { name: 'PermanentError', code: 3, message: 'malformed' }],
  ['permanent outweighs partial', [new PartialError(2, 'two'), permanent], { name: 'PermanentError', code: 3 }],
  [
    'partial when all are',
    [new PartialError(2, 'two'), new PartialError(5, 'five')],
    { name: 'PartialError', rejected: 5, message: 'two; five' },
  ],
  ['even a thrown string is told', ['boom', permanent], { name: 'RetryableError', message: 'boom; malformed' }],
]
test.each(cases)('%s', (_rule, errors, expected) => {
  const combined = combineRefusals(errors)
  expect(combined).toMatchObject(expected)
  expect((combined as Error).cause).toMatchObject({ errors })
})

test('a single refusal is passed on as it is', () => {
  for (const error of [permanent, soon, stranger, 'boom', undefined]) expect(combineRefusals([error])).toBe(error)
})

test('the order of branches does not change what the sender should do', () => {
  const any = fc.constantFrom(permanent, soon, later, stranger, new PartialError(1, 'one'))
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 5 }), errors => {
      const forward = combineRefusals(errors) as Error
      const backward = combineRefusals(errors.toReversed()) as Error
      expect(isRetryable(forward)).toBe(errors.some(isRetryable))
      expect(isRetryable(backward)).toBe(isRetryable(forward))
    }),
  )
})
