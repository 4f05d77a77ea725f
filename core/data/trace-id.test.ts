import { expect, test } from 'vitest'
import { decodePayload, idOf, traces } from '#core/testing'
import { openDraft } from './draft.ts'

test('a span that is moved to another trace reads so at once and leaves so', () => {
  const draft = openDraft(traces(2))
  const [first] = [...draft.spans()]
  first!.traceId = idOf(16, 77)
  expect(Buffer.from(first!.traceId)).toEqual(idOf(16, 77))
  expect(first!.traceIdHex()).toBe(idOf(16, 77).toString('hex'))
  const left = decodePayload(draft.seal()) as { resourceSpans: { scopeSpans: { spans: { traceId: Buffer }[] }[] }[] }
  const ids = left.resourceSpans[0]!.scopeSpans[0]!.spans.map(span => Buffer.from(span.traceId))
  expect(ids).toEqual([idOf(16, 77), idOf(16, 1)])
})
