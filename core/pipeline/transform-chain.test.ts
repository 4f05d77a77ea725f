import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_CONTEXT, PartialError, PermanentError, RetryableError, type Transform } from '#core/component'
import { openDraft } from '#core/data'
import { decodePayload, Sink, traces } from '#core/testing'
import { type Stage, TransformChain } from './transform-chain.ts'

/** Stages named a, b, c... that write what they count and drop into one list. */
function stages(...transforms: Transform['transform'][]): { all: Stage[]; seen: string[] } {
  const seen: string[] = []
  const meter = (place: string) => [
    {
      begin: (items: number) => void seen.push(`${place} begin ${items}`),
      passed: (items: number) => void seen.push(`${place} passed ${items}`),
      failed: (items: number, why: string) => void seen.push(`${place} ${why} ${items}`),
    },
  ]
  const all = transforms.map((transform, n): Stage => {
    const id = 'abc'[n]!
    const dropped = (items: number) => void seen.push(`${id} dropped ${items}`)
    return { id, transform: { transform }, before: meter(`into ${id}`), after: meter(`out of ${id}`), dropped }
  })
  return { all, seen }
}

const set =
  (key: string): Transform['transform'] =>
  draft => {
    for (const record of draft.records()) record.attributes.set(key, true)
  }
const dropEvery =
  (n: number): Transform['transform'] =>
  draft => {
    let at = 0
    for (const record of draft.records()) if (++at % n === 0) record.drop()
  }

test('neighbouring transforms see the edits of those before, and the result is put together once', async () => {
  const sink = new Sink()
  let seenBySecond: unknown
  const { all } = stages(
    set('one'),
    async draft => {
      for (const span of draft.spans()) seenBySecond = span.attributes.get('one')
    },
    set('two'),
  )
  const payload = traces(2)
  const before = Buffer.from(payload.flat())
  await new TransformChain(all, sink).consume(payload, NO_CONTEXT)
  expect(seenBySecond).toBe(true)
  const text = JSON.stringify(decodePayload(sink.payloads[0]!))
  expect([text.match(/"one"/g)?.length, text.match(/"two"/g)?.length]).toEqual([2, 2])
  expect(payload.flat().equals(before)).toBe(true)
})

test('a chain that changes nothing hands on the very payload', async () => {
  const [sink, payload] = [new Sink(), traces(2)]
  await new TransformChain(stages(() => {}).all, sink).consume(payload, NO_CONTEXT)
  expect(sink.payloads[0]).toBe(payload)
})

test('what is dropped is entered under the processor that dropped it, once the rest is safe', async () => {
  const { all, seen } = stages(dropEvery(2), dropEvery(3))
  await new TransformChain(all, new Sink()).consume(traces(12), NO_CONTEXT)
  expect(seen).toEqual([
    'into a begin 12',
    'out of a begin 6',
    'into b begin 6',
    'out of b begin 4',
    'into a passed 12',
    'out of a passed 6',
    'a dropped 6',
    'into b passed 6',
    'out of b passed 4',
    'b dropped 2',
  ])
})

test('an empty result is not handed on', async () => {
  const sink = new Sink()
  const { all, seen } = stages(dropEvery(1))
  await new TransformChain(all, sink).consume(traces(3), NO_CONTEXT)
  expect(sink.calls).toBe(0)
  expect(seen.at(-1)).toBe('a dropped 3')
})

test('a payload that came without items is handed on', async () => {
  const sink = new Sink()
  await new TransformChain(stages(() => {}).all, sink).consume(traces(0), NO_CONTEXT)
  expect(sink.calls).toBe(1)
})

test('a refusal from further down passes unchanged, and nothing counts as dropped', async () => {
  const [sink, error] = [new Sink(), new RetryableError('away')]
  sink.refuse(error)
  const { all, seen } = stages(dropEvery(2))
  await expect(new TransformChain(all, sink).consume(traces(4), NO_CONTEXT)).rejects.toBe(error)
  expect(seen.slice(2)).toEqual(['into a refused 4', 'out of a refused 2'])
})

test('a partial refusal is a success for the rest', async () => {
  const sink = new Sink()
  sink.refuse(new PartialError(1, 'too long'))
  const { all, seen } = stages(dropEvery(2))
  await expect(new TransformChain(all, sink).consume(traces(4), NO_CONTEXT)).rejects.toThrow('too long')
  expect(seen.slice(2)).toEqual([
    'into a passed 3',
    'into a refused 1',
    'out of a passed 1',
    'out of a refused 1',
    'a dropped 2',
  ])
})

const thrown: readonly (readonly [string, unknown, unknown])[] = [
  [
    'an ordinary error',
    new TypeError('x is undefined'),
    { name: 'RetryableError', message: 'processor "b" failed: x is undefined' },
  ],
  ['a string', 'boom', { name: 'RetryableError', message: 'processor "b" failed: boom' }],
  ['a refusal', new PermanentError('not for us'), { name: 'PermanentError', message: 'not for us' }],
  [
    'a partial refusal, though nothing was passed on',
    new PartialError(1, 'one'),
    { name: 'RetryableError', message: 'processor "b" failed: one' },
  ],
]
test.each(thrown)('what a transform throws is contained: %s', async (_what, error, expected) => {
  for (const transform of [
    () => {
      throw error
    },
    () => Promise.reject(error),
  ]) {
    const sink = new Sink()
    const { all, seen } = stages(dropEvery(2), transform, () => {})
    await expect(new TransformChain(all, sink).consume(traces(4), NO_CONTEXT)).rejects.toMatchObject(expected as object)
    expect(sink.calls).toBe(0)
    expect(seen.slice(3)).toEqual(['into a refused 4', 'out of a refused 2', 'into b failure 2'])
  }
})

test('an error while the bytes are put together is laid at the door of the last', async () => {
  const { all } = stages(set('x'), draft => {
    draft.seal()
    draft.seal = () => {
      throw new RangeError('no memory')
    }
  })
  await expect(new TransformChain(all, new Sink()).consume(traces(1), NO_CONTEXT)).rejects.toThrow(
    'processor "b" failed: no memory',
  )
})

test('fused or one by one, transforms give the same bytes', async () => {
  const transform = fc.constantFrom(set('one'), set('two'), dropEvery(2), dropEvery(3))
  await fc.assert(
    fc.asyncProperty(
      fc.array(transform, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (list, n) => {
        const payload = traces(n)
        const sink = new Sink()
        await new TransformChain(stages(...list).all, sink).consume(payload, NO_CONTEXT)
        let single = payload
        for (const step of list) {
          const draft = openDraft(single)
          await step(draft, NO_CONTEXT)
          single = draft.seal()
        }
        expect(sink.items).toBe(single.items)
        if (single.items > 0) expect(sink.payloads[0]!.flat().equals(single.flat())).toBe(true)
      },
    ),
  )
})
