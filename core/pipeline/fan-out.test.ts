import { expect, test } from 'vitest'
import { NO_CONTEXT, PartialError, PermanentError, RetryableError } from '#core/component'
import { Sink, traces } from '#core/testing'
import { fanOut } from './fan-out.ts'
import { type EdgeMeter, Link } from './link.ts'

function counting(): EdgeMeter & { readonly seen: string[] } {
  const seen: string[] = []
  return {
    seen,
    begin: items => void seen.push(`begin ${items}`),
    passed: items => void seen.push(`passed ${items}`),
    failed: (items, why) => void seen.push(`${why} ${items}`),
  }
}

test('every branch gets the very same payload', async () => {
  const sinks = [new Sink(), new Sink(), new Sink()]
  const payload = traces(3)
  await fanOut(sinks.map(sink => Link.to(sink, []))).consume(payload, NO_CONTEXT)
  for (const sink of sinks) expect(sink.payloads[0]).toBe(payload)
})

test('a branch that refuses does not keep the others from it, and slow ones are waited for', async () => {
  const [bad, slow] = [new Sink(), new Sink()]
  bad.refuse(new PermanentError('malformed'))
  slow.hold()
  let answered = false
  const answer = fanOut([Link.to(bad, []), Link.to(slow, [])])
    .consume(traces(1), NO_CONTEXT)
    .finally(() => {
      answered = true
    })
  await slow.when(sink => sink.waiting === 1)
  expect(answered).toBe(false)
  slow.release()
  await expect(answer).rejects.toThrow('malformed')
  expect(slow.items).toBe(1)
})

test('one target needs no fan-out', () => {
  const link = Link.to(new Sink(), [])
  expect(fanOut([link])).toBe(link)
})

test('what a target throws instead of rejecting becomes a rejection', async () => {
  const rude = {
    consume() {
      throw new Error('not even a promise')
    },
  }
  await expect(Link.to(rude, []).consume(traces(1), NO_CONTEXT)).rejects.toThrow('not even a promise')
})

test('adjoining links are one hop', async () => {
  const [outer, inner, sink] = [counting(), counting(), new Sink()]
  const link = Link.to(Link.to(sink, [inner]), [outer])
  expect(link.target).toBe(sink)
  await link.consume(traces(2), NO_CONTEXT)
  expect([outer.seen, inner.seen]).toEqual([
    ['begin 2', 'passed 2'],
    ['begin 2', 'passed 2'],
  ])
})

test('the edge next to a failure counts it as failure, those before it as refused', async () => {
  const [first, second, third, sink] = [counting(), counting(), counting(), new Sink()]
  sink.refuse(new RetryableError('away'))
  const middle = { consume: (...args: Parameters<Sink['consume']>) => Link.to(sink, [third]).consume(...args) }
  const wrapping = {
    consume: (...args: Parameters<Sink['consume']>) =>
      Link.to(middle, [second])
        .consume(...args)
        .catch(cause => Promise.reject(new PermanentError('gave up', { cause }))),
  }
  await Link.to(wrapping, [first])
    .consume(traces(2), NO_CONTEXT)
    .catch(() => {})
  expect([first.seen[1], second.seen[1], third.seen[1]]).toEqual(['refused 2', 'refused 2', 'failure 2'])
})

test('of a partial refusal the rest counts as passed', async () => {
  const [meter, sink] = [counting(), new Sink()]
  sink.refuse(new PartialError(2, 'too long'))
  await expect(Link.to(sink, [meter]).consume(traces(5), NO_CONTEXT)).rejects.toThrow('too long')
  expect(meter.seen).toEqual(['begin 5', 'passed 3', 'failure 2'])
})

test('a fan-out of failures is refused to the edge before it', async () => {
  const [before, after] = [counting(), counting()]
  const sinks = [new Sink(), new Sink()]
  for (const sink of sinks) sink.refuse()
  await Link.to(fanOut(sinks.map(sink => Link.to(sink, [after]))), [before])
    .consume(traces(1), NO_CONTEXT)
    .catch(() => {})
  expect(before.seen).toEqual(['begin 1', 'refused 1'])
  expect(after.seen.filter(entry => entry === 'failure 1')).toHaveLength(2)
})
