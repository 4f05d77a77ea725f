import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOOKS } from './hooks.ts'
import { OUTBOX } from './outbox.ts'
import { faultsOf, rehearsal } from './rehearsal.test-support.ts'
import { LIMITS } from './requests.ts'
import { type RecordedHook, recorded } from './rig.test-support.ts'

const ALL = [...recorded('2026.4.25'), ...recorded('2026.9.6')].filter(({ h }) => h in HOOKS)

/** Things that a field may hold instead of what it should. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', 0, -1, Number.NaN, Number.POSITIVE_INFINITY, [], {}, true, '\ud800'),
  fc.constant('x'.repeat(100_000)),
  fc.constant({
    get total() {
      throw new Error('no')
    },
  }),
  fc.constant(
    new Proxy(
      {},
      {
        get() {
          throw new Error('no')
        },
      },
    ),
  ),
  fc.object({ maxDepth: 2 }),
)

/** A recorded hook with some of its fields replaced, of one of a few runs and sessions. */
const mutated = fc
  .record({
    hook: fc.constantFrom(...ALL),
    run: fc.integer({ min: 0, max: 5 }),
    trace: fc.integer({ min: 0, max: 3 }),
    changes: fc.array(fc.tuple(fc.boolean(), fc.nat(20), junk), { maxLength: 3 }),
    pause: fc.constantFrom(0, 1, 20, 3000, 400_000),
    calm: fc.boolean(),
  })
  .map(({ hook, run, trace, changes, pause, calm }) => {
    const text = JSON.stringify({ ev: hook.ev, ctx: hook.ctx })
      .replaceAll(/"(k1|k9|chatcmpl_[-\w]+)/g, `"run${run}`)
      .replaceAll(/"traceId":"\w{6}/g, `"traceId":"00000${trace}`)
    const { ev, ctx } = JSON.parse(text) as RecordedHook
    for (const [inEvent, nth, value] of calm ? [] : changes) {
      const target = inEvent ? ev : ctx
      const keys = Object.keys(target)
      if (keys.length > 0) target[keys[nth % keys.length]!] = value
    }
    return { h: hook.h, ev, ctx, pause }
  })

test('hooks in any order, repeated, missing or malformed never throw, and every span has its parent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutated, { maxLength: 150 }), async hooks => {
      const { tracing, clock, spans, end } = rehearsal({ captureContent: true })
      for (const { h, ev, ctx, pause } of hooks) {
        clock.advance(pause)
        tracing.hook(h, ev, ctx)
      }
      await end()
      expect(faultsOf(spans())).toEqual([])
      expect(tracing.requests.size).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test('a hook whose event or context is nothing at all is borne', () => {
  const { tracing } = rehearsal()
  for (const hook of Object.keys(HOOKS)) {
    for (const value of [
      undefined,
      null,
      0,
      'text',
      [],
      new Proxy(
        {},
        {
          get() {
            throw new Error('no')
          },
        },
      ),
    ]) {
      expect(() => tracing.hook(hook, value, value)).not.toThrow()
    }
  }
})

test('memory stays bounded whatever comes', () => {
  const { tracing, clock } = rehearsal({ flushIntervalMs: 1000 })
  for (let i = 0; i < 10_000; i++) {
    const ctx = { runId: `run${i}`, sessionKey: `session${i}`, toolCallId: `call${i}` }
    tracing.hook('message_received', { messageId: `m${i}` }, { sessionKey: `silent${i}` })
    tracing.hook('before_tool_call', { toolName: 'exec' }, ctx)
    tracing.hook('before_tool_call', { toolName: 'exec', toolCallId: `call${i}` }, { runId: 'one', sessionKey: 'one' })
    if (i % 100 === 0) clock.advance(10)
  }
  expect(tracing.requests.size).toBeLessThanOrEqual(LIMITS.open * 2)
  expect(tracing.requests.remembered).toBeLessThanOrEqual(LIMITS.open * 2 + LIMITS.known * 4 + LIMITS.open * 2)
  expect(tracing.requests.run('one')!.tools.size).toBeLessThanOrEqual(LIMITS.calls + 1)
  expect(tracing.waiting).toBeLessThanOrEqual(OUTBOX.spans)
})
