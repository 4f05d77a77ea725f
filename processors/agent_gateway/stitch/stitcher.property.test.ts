import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_CONTEXT } from '#core/component'
import { openDraft, type Payload } from '#core/data'
import { settle } from '#core/testing'
import { gatewaySpans, rig, type TestSpan } from '../rig.test-support.ts'

/** Spans of up to three traces, each with an id of its own and a parent that is there, missing, itself or in a ring. */
const anyForest = fc
  .array(
    fc.record({
      trace: fc.integer({ min: 1, max: 3 }),
      parent: fc.integer({ min: 0, max: 24 }),
      start: fc.integer({ min: 0, max: 40 }),
      length: fc.integer({ min: 0, max: 40 }),
      run: fc.integer({ min: 0, max: 6 }),
      name: fc.constantFrom('openclaw.run', 'openclaw.model.usage', 'openclaw.exec', 'openclaw.harness.run', 'other'),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map(plain =>
    plain.map(
      ({ length, run, ...rest }, index): TestSpan => ({
        ...rest,
        id: index + 1,
        end: rest.start + length,
        attributes: run === 0 ? { 'openclaw.run.id': `run${rest.trace % 2}`, at: index } : { at: index },
      }),
    ),
  )

/** A forest, the order in which its spans arrive, in requests of which sizes, how long after each other. */
const anyArrival = anyForest.chain(spans =>
  fc.record({
    spans: fc.shuffledSubarray(spans, { minLength: spans.length }),
    sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: spans.length, maxLength: spans.length }),
    pauses: fc.array(fc.integer({ min: 0, max: 90 }), { minLength: spans.length, maxLength: spans.length }),
  }),
)

interface Left {
  readonly trace: string
  readonly id: string
  readonly parent: string
  readonly at: number
}

function read(payloads: readonly Payload<'traces'>[]): Left[] {
  return payloads.flatMap(payload =>
    [...openDraft(payload).spans()].map(span => ({
      trace: span.traceIdHex(),
      id: span.spanIdHex(),
      parent: Buffer.from(span.parentSpanId).toString('hex'),
      at: span.attributes.get('at') as number,
    })),
  )
}

/** Throws unless the spans are one tree a trace. */
function expectTrees(spans: readonly Left[]): void {
  const traces = Map.groupBy(spans, span => span.trace)
  for (const members of traces.values()) {
    const parents = new Map(members.map(span => [span.id, span.parent]))
    expect(members.filter(span => span.parent === '')).toHaveLength(1)
    for (const { id } of members) {
      let steps = 0
      for (let at = id; at !== ''; at = parents.get(at)!) {
        expect(parents.has(at)).toBe(true)
        expect(steps++).toBeLessThanOrEqual(members.length)
      }
    }
  }
}

test('spans that come within the window leave as one tree a trace, each once, whatever their order and requests', async () => {
  await fc.assert(
    fc.asyncProperty(anyArrival, async ({ spans, sizes, pauses }) => {
      const { processor, sink, context } = rig('traces')
      const answers: Promise<void>[] = []
      for (let from = 0, n = 0; from < spans.length; n++) {
        const request = spans.slice(from, from + sizes[n]!)
        answers.push(processor.consume(gatewaySpans(request), NO_CONTEXT))
        from += request.length
        await context.fakeClock.advance(pauses[n]!)
      }
      await context.fakeClock.advance(2000)
      await Promise.all(answers)
      const left = read(sink.payloads)
      expect(left.map(span => span.at).sort((a, b) => a - b)).toEqual(spans.map((_, index) => index))
      expectTrees(left)
      await processor.shutdown!()
    }),
    { numRuns: 300 },
  )
}, 60_000)

test('spans that come at any time, refused at any time and sent again, leave at least once, and none misses a parent', async () => {
  await fc.assert(
    fc.asyncProperty(anyArrival, fc.integer({ min: 2, max: 5 }), async ({ spans, sizes, pauses }, every) => {
      const { processor, sink, context } = rig('traces')
      sink.failEvery(every)
      let accepted = 0
      const send = async (request: readonly TestSpan[]): Promise<void> => {
        for (;;) {
          try {
            await processor.consume(gatewaySpans(request), NO_CONTEXT)
            accepted += request.length
            return
          } catch {
            await settle()
          }
        }
      }
      const answers: Promise<void>[] = []
      for (let from = 0, n = 0; from < spans.length; n++) {
        const request = spans.slice(from, from + sizes[n]!)
        answers.push(send(request))
        from += request.length
        await context.fakeClock.advance(pauses[n]! * 30)
      }
      let open = answers.length
      for (const answer of answers) void answer.finally(() => open--)
      while (open > 0) await context.fakeClock.advance(2000)
      const left = read(sink.payloads)
      expect([...new Set(left.map(span => span.at))].sort((a, b) => a - b)).toEqual(spans.map((_, index) => index))
      expect(sink.items).toBe(accepted + context.ledger.total('created') - context.ledger.total('dropped'))
      const ids = new Set(left.map(span => `${span.trace}/${span.id}`))
      for (const { trace, parent } of left) expect(parent === '' || ids.has(`${trace}/${parent}`)).toBe(true)
      await processor.shutdown!()
    }),
    { numRuns: 150 },
  )
}, 60_000)
