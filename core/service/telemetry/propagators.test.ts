import { expect, test } from 'vitest'
import { type Propagator, remoteSpan } from './propagators.ts'

const T = '0af7651916cd43dd8448eb211c80319c'
const S = 'b7ad6b7169203331'
const W3C = { traceparent: `00-${T}-${S}-01` }
const OTHER = '80f198ee56343ba864fe8b2a57d3eff7'

const table: readonly (readonly [string, readonly Propagator[], Record<string, string>, string | undefined])[] = [
  ['a traceparent', ['tracecontext'], W3C, `${T}-${S}-1`],
  ['a traceparent that nobody reads', ['b3'], W3C, undefined],
  ['a traceparent of zeros', ['tracecontext'], { traceparent: `00-${'0'.repeat(32)}-${S}-01` }, undefined],
  ['nonsense', ['tracecontext', 'b3'], { traceparent: 'x', b3: 'y' }, undefined],
  ['one b3 header', ['b3'], { b3: `${T}-${S}-1` }, `${T}-${S}-1`],
  ['one b3 header with a parent', ['b3'], { b3: `${T}-${S}-d-05e3ac9a4f6e3b90` }, `${T}-${S}-1`],
  ['one b3 header without a decision', ['b3'], { b3: `${T}-${S}` }, `${T}-${S}-0`],
  ['a b3 header that only refuses', ['b3'], { b3: '0' }, undefined],
  ['a short trace id', ['b3'], { b3: `8448eb211c80319c-${S}-1` }, `00000000000000008448eb211c80319c-${S}-1`],
  [
    'several b3 headers',
    ['b3'],
    { 'x-b3-traceid': T.toUpperCase(), 'x-b3-spanid': S, 'x-b3-sampled': 'true' },
    `${T}-${S}-1`,
  ],
  ['the debug flag', ['b3'], { 'x-b3-traceid': T, 'x-b3-spanid': S, 'x-b3-flags': '1' }, `${T}-${S}-1`],
  ['two kinds: the last propagator wins', ['tracecontext', 'b3'], { ...W3C, b3: `${OTHER}-${S}-1` }, `${OTHER}-${S}-1`],
  ['two kinds: one that finds nothing leaves the other', ['tracecontext', 'b3'], { ...W3C, b3: '0' }, `${T}-${S}-1`],
]

test.each(table)('%s', (_, propagators, headers, expected) => {
  const found = remoteSpan(propagators, headers)
  expect(found && `${found.traceId}-${found.spanId}-${found.traceFlags}`).toBe(expected)
})
