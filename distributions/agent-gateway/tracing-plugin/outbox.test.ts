import { describe, expect, test } from 'vitest'
import type { Outcome } from './collector.ts'
import { OUTBOX, Outbox } from './outbox.ts'
import { HandClock, rehearsal, settled } from './rehearsal.test-support.ts'

const BUSY: Outcome = { status: 'later', reason: 'busy' }

/** An outbox with a collector that answers as it is told. */
function outbox(answer: (attempt: number, signal: AbortSignal) => Outcome | Promise<Outcome>) {
  const clock = new HandClock(0)
  const attempts: { at: number; spans: number }[] = []
  const counts = { sent: 0, full: 0, refused: 0, stopped: 0 }
  const box = new Outbox(
    {
      ...{ later: clock.later, now: clock.now },
      async send(spans, signal) {
        attempts.push({ at: clock.now(), spans: spans.length })
        return await answer(attempts.length, signal)
      },
      sent(spans) {
        counts.sent += spans
      },
      dropped(spans, reason) {
        counts[reason] += spans
      },
      attempted: () => {},
    },
    5000,
  )
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 500) {
      clock.advance(500)
      await settled()
    }
  }
  return { box, attempts, counts, pass, add: (spans: number, size = 100) => fill(box, spans, size) }
}

function fill(box: Outbox, spans: number, size: number): void {
  for (let i = 0; i < spans; i++) box.add(new Uint8Array(size))
}

describe('an outbox', () => {
  test('sends spans together after a while', async () => {
    const { attempts, counts, pass, add } = outbox(() => ({ status: 'accepted' }))
    add(3)
    await pass(4500)
    expect(attempts).toEqual([])
    await pass(500)
    expect(attempts).toEqual([{ at: 5000, spans: 3 }])
    expect(counts).toEqual({ sent: 3, full: 0, refused: 0, stopped: 0 })
  })

  test('sends a full batch at once, and none larger', async () => {
    const { attempts, pass, add } = outbox(() => ({ status: 'accepted' }))
    add(OUTBOX.batch * 2 + 1)
    await pass(500)
    expect(attempts.map(each => each.spans)).toEqual([OUTBOX.batch, OUTBOX.batch, 1])
  })

  test('cuts batches by bytes too', async () => {
    const { attempts, pass, add } = outbox(() => ({ status: 'accepted' }))
    add(5, OUTBOX.batchBytes / 2)
    await pass(5000)
    expect(attempts.map(each => each.spans)).toEqual([2, 2, 1])
  })

  test('tries again after longer and longer pauses', async () => {
    const { attempts, counts, pass, add } = outbox(attempt => (attempt < 5 ? BUSY : { status: 'accepted' }))
    add(1)
    await pass(60_000)
    expect(attempts.map(each => each.at)).toEqual([5000, 10_000, 15_000, 20_000, 28_000])
    expect(counts).toMatchObject({ sent: 1 })
  })

  test('waits as long as the collector asks', async () => {
    const { attempts, pass, add } = outbox(attempt =>
      attempt === 1 ? { ...BUSY, after: 30_000 } : { status: 'accepted' },
    )
    add(1)
    await pass(60_000)
    expect(attempts.map(each => each.at)).toEqual([5000, 35_000])
  })

  test('holds a bounded number of spans and of bytes, and counts what it drops', async () => {
    const many = outbox(() => BUSY)
    many.add(OUTBOX.spans + 10)
    expect(many.counts.full).toBe(10)
    const large = outbox(() => BUSY)
    large.add(10, OUTBOX.bytes / 4)
    expect(large.counts.full).toBe(6)
    expect(large.box.size).toBe(4)
  })

  test('counts a refused batch and goes on with the next', async () => {
    const refused: Outcome = { status: 'refused', reason: 'no' }
    const { counts, pass, add } = outbox(attempt => (attempt === 1 ? refused : { status: 'accepted' }))
    add(OUTBOX.batch + 1)
    await pass(6000)
    expect(counts).toEqual({ sent: 1, full: 0, refused: OUTBOX.batch, stopped: 0 })
  })

  test('that is flushed while a request hangs gives it up at the deadline, and counts each span once', async () => {
    const { box, counts, pass, add } = outbox(
      (_, signal) => new Promise(resolve => signal.addEventListener('abort', () => resolve(BUSY))),
    )
    add(7)
    await pass(5000)
    await box.flush(20)
    add(2)
    await pass(500)
    expect(counts).toEqual({ sent: 0, full: 0, refused: 0, stopped: 7 })
    expect(box.size).toBe(2)
  })
})

test('a collector that comes back gets what waited, and the log tells both, once each', async () => {
  let answer: Outcome = BUSY
  const { tracing, clock, lines, spans } = rehearsal({}, { answer: () => answer })
  const turn = async (runId: string, milliseconds: number) => {
    tracing.hook('model_call_started', { runId, callId: `${runId}:1` }, {})
    tracing.hook('agent_end', { runId }, {})
    for (let passed = 0; passed < milliseconds; passed += 1000) {
      clock.advance(1000)
      await settled()
    }
  }
  await turn('one', 60_000)
  await turn('two', 300_000)
  expect(lines).toEqual([
    'Spans cannot be sent to http://127.0.0.1:1/v1/traces: busy; they wait, and are dropped when too many',
  ])
  answer = { status: 'accepted' }
  await turn('three', 120_000)
  expect(spans()).toHaveLength(9)
  expect(lines.slice(1)).toEqual(['Spans are sent to http://127.0.0.1:1/v1/traces again; 0 were dropped'])
})

test('stopping twice at once sends each span once', async () => {
  const { tracing, spans, end } = rehearsal()
  tracing.hook('agent_end', { runId: 'r' }, {})
  await Promise.all([end(), end(), tracing.stop()])
  expect(spans()).toHaveLength(2)
})

test('flushing while a batch is on its way sends each span once', async () => {
  const { box, counts, pass, add } = outbox(async () => {
    await settled()
    return { status: 'accepted' }
  })
  add(OUTBOX.batch)
  void pass(500)
  await settled()
  add(1)
  await Promise.all([box.flush(1000), box.flush(1000)])
  expect(counts).toMatchObject({ sent: OUTBOX.batch + 1, stopped: 0 })
})
