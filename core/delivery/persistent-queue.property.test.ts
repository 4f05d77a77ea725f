import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_CONTEXT, PermanentError, RetryableError } from '#core/component'
import { decodePayload, Sink, settle, traces } from '#core/testing'
import { Disk, rigOn } from './disk.test-support.ts'
import type { Rig } from './rig.test-support.ts'

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('offer' as const), items: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 9000 }) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: 'crash' as const },
      { kind: 'restart' as const },
      { kind: 'backend holds' as const },
      { kind: 'backend answers' as const },
      { kind: 'disk holds' as const },
      { kind: 'disk answers' as const },
      { kind: 'disk fails' as const },
      { kind: 'disk recovers' as const },
    ),
  },
)

const fault = fc.constantFrom('none', 'none', 'none', 'retryable', 'permanent')

const queue = fc.record({
  queue_size: fc.integer({ min: 1, max: 40 }),
  sizer: fc.constantFrom('requests', 'items'),
  num_consumers: fc.integer({ min: 1, max: 4 }),
  batch: fc.option(fc.record({ min_size: fc.integer({ min: 0, max: 12 }), max_size: fc.constantFrom(0, 12) }), {
    nil: { enabled: false },
  }),
})

test('crashes, restarts and failures of disk and backend lose nothing that was accepted', async () => {
  await fc.assert(
    fc.asyncProperty(
      queue.filter(
        ({ sizer, queue_size, batch }) => sizer === 'requests' || !('min_size' in batch) || queue_size >= 12,
      ),
      fc.array(step, { maxLength: 60 }),
      fc.array(fault, { maxLength: 30 }),
      async (config, steps, faults) => {
        const disk = new Disk()
        const accepted = new Set<string>()
        const arrived = new Set<string>()
        const given = new Set<string>()
        let turn = 0
        let requests = 0
        const started = async () => {
          const sink = new Sink()
          sink.refuseWhen(payload => {
            const kind = faults[turn++] ?? 'none'
            if (kind === 'retryable') return new RetryableError('away')
            for (const name of namesIn(decodePayload(payload))) (kind === 'none' ? arrived : given).add(name)
            return kind === 'permanent' ? new PermanentError('malformed') : undefined
          })
          return rigOn(disk, config, { sink })
        }
        let now: Rig = await started()
        for (const each of steps) {
          const { sink, delivery, advance } = now
          switch (each.kind) {
            case 'offer': {
              const name = `r${requests++}`
              const names = Array.from({ length: each.items }, (_, n) => `${name}/span ${n}`)
              delivery.consume(traces(each.items, { resource: { name } }), NO_CONTEXT).then(
                () => {
                  for (const item of names) accepted.add(item)
                },
                () => {},
              )
              await settle()
              break
            }
            case 'pass':
              await advance(each.ms)
              break
            case 'crash':
              // The old process no longer writes: its disk is gone for it, its backend silent.
              sink.hold()
              disk.release()
              await settle()
              now = await started()
              break
            case 'restart': {
              disk.release()
              const shutdown = delivery.shutdown!()
              await advance(20_000)
              sink.release()
              await shutdown
              now = await started()
              break
            }
            case 'backend holds':
              sink.hold()
              break
            case 'backend answers':
              sink.release()
              break
            case 'disk holds':
              disk.hold()
              break
            case 'disk answers':
              disk.release()
              break
            case 'disk fails':
              disk.failure = new Error('No space left on device')
              break
            case 'disk recovers':
              disk.failure = undefined
          }
        }
        disk.failure = undefined
        disk.release()
        now.sink.release()
        await settle()
        await now.advance(600_000)
        await settle()
        expect([...accepted].filter(name => !arrived.has(name) && !given.has(name))).toEqual([])
        expect(now.context.ledger.total('queued')).toBe(0)
        expect((await disk.allKeys()).filter(key => key.startsWith('damaged'))).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})

interface Decoded {
  resourceSpans: {
    resource: { attributes: { value: { stringValue: string } }[] }
    scopeSpans: { spans: { name: string }[] }[]
  }[]
}

function namesIn(request: unknown): string[] {
  return (request as Decoded).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map(span => `${resource.attributes[0]!.value.stringValue}/${span.name}`)),
  )
}
