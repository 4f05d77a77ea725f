import { expect, test } from 'vitest'
import { NO_CONTEXT, RetryableError } from '#core/component'
import { Sink, settle, traces } from '#core/testing'
import { Cell } from './cell.ts'

test('those who wait at a held cell go where it leads when it is released', async () => {
  const [before, after] = [new Sink(), new Sink()]
  const cell = new Cell(before)
  await cell.consume(traces(1), NO_CONTEXT)
  cell.hold()
  const waiting = cell.consume(traces(2), NO_CONTEXT)
  await settle()
  cell.connect(after)
  cell.release()
  await waiting
  expect([before.items, after.items]).toEqual([1, 2])
})

test('a cell held again before the waiting go on keeps them', async () => {
  const sink = new Sink()
  const cell = new Cell(sink)
  cell.hold()
  const waiting = cell.consume(traces(1), NO_CONTEXT)
  cell.release()
  cell.hold()
  await settle()
  expect(sink.items).toBe(0)
  cell.release()
  await waiting
  expect(sink.items).toBe(1)
})

test('a sender that gives up is refused, retryably, and nothing is passed on', async () => {
  const sink = new Sink()
  const cell = new Cell(sink)
  cell.hold()
  const gone = new AbortController()
  const waiting = cell.consume(traces(1), { ...NO_CONTEXT, signal: gone.signal })
  const late = cell.consume(traces(1), { ...NO_CONTEXT, signal: AbortSignal.abort() })
  gone.abort()
  await expect(waiting).rejects.toThrow(RetryableError)
  await expect(late).rejects.toThrow(RetryableError)
  cell.release()
  await settle()
  expect(sink.calls).toBe(0)
})

test('a cell that leads nowhere refuses, retryably', async () => {
  await expect(new Cell().consume(traces(1), NO_CONTEXT)).rejects.toThrow(RetryableError)
})
