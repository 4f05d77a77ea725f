import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PermanentError, RetryableError } from '#core/component'
import { settle, traces } from '#core/testing'
import { Rig } from './lab.test-support.ts'
import { usual, yaml } from './reload.test-support.ts'

test('under random reloads and failing consumers nothing that was acknowledged is lost and every ledger balances', async () => {
  const some = <T>(...of: T[]) => fc.constantFrom(...of)
  const config = fc
    .record({
      exporter: some('a', 'b'),
      queue: some('a', 'b'),
      transform: some(0, 2, 3),
      receiver: some('a', 'b'),
      pass: some('a', 'b'),
      more: fc.boolean(),
    })
    .map(({ exporter, queue, transform, receiver, pass, more }) =>
      yaml({
        receivers: `probe: { tag: ${receiver} }, probe/2: `,
        processors: `probe: { tag: ${pass} }, queue: { tag: ${queue} }, transform: { drop: ${transform} }`,
        exporters: `probe: { tag: ${exporter} }, probe/2: { tag: ${queue} }`,
        pipelines: more
          ? `${usual.pipelines}\n    logs: { receivers: [probe/2], exporters: [probe/2] }`
          : usual.pipelines,
      }),
    )
  const step = fc.oneof(
    fc.record({ feed: some('probe', 'probe/2'), items: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ reload: config }),
    fc.record({ refuse: some('probe', 'probe/2'), how: some('retryable', 'permanent', 'accept') }),
    fc.record({ flush: some(true) }),
  )
  await fc.assert(
    fc.asyncProperty(config, fc.array(step, { maxLength: 12 }), async (first, steps) => {
      const rig = await Rig.start(first)
      const pending: Promise<unknown>[] = []
      const errors: unknown[] = []
      let reloads: Promise<unknown> = Promise.resolve()
      for (const one of steps) {
        if ('feed' in one) pending.push(rig.lab.feed(one.feed, traces(one.items)).catch(error => errors.push(error)))
        else if ('reload' in one) reloads = reloads.then(() => rig.reload(one.reload))
        else if ('flush' in one) pending.push(...[...rig.lab.queues.values()].map(queue => queue.flush()))
        else {
          const sink = rig.lab.sinks.get(one.refuse)!
          if (one.how === 'accept') sink.accept()
          else sink.refuse(one.how === 'permanent' ? new PermanentError('no') : new RetryableError('not now'))
        }
        if ('refuse' in one) await settle()
      }
      await reloads
      await Promise.all(pending)
      if (!steps.some(one => 'refuse' in one)) expect(errors).toEqual([])
      expect(await rig.graph.shutdown()).toEqual({ errors: [], givenUp: [] })
      const { pipelines, exporters } = rig.services.ledger.report()
      const sum = (dropped: Readonly<Record<string, number>>) => Object.values(dropped).reduce((a, b) => a + b, 0)
      for (const one of Object.values(pipelines)) {
        expect(one.queued).toBe(0)
        expect(one.received + one.created).toBe(one.refused + sum(one.dropped) + one.queued + one.delivered)
      }
      for (const one of Object.values(exporters)) {
        expect(one.received).toBe(one.refused + one.sent + one.queued + sum(one.dropped))
      }
    }),
    { numRuns: 100 },
  )
})
