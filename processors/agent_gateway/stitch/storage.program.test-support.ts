/**
 * A processor whose spans wait in a file, in a process of its own that is going to be killed. Says on standard output, a
 * line each, `ready`, `accepted <n>` once request n is answered, `sent <n>` when the next component has taken it.
 *
 * Arguments: directory · number of the first request · how many; with 0, ends when everything has left.
 */
import { writeSync } from 'node:fs'
import { NO_CONTEXT, RetryableError, systemClock } from '#core/component'
import { openDraft, type Payload } from '#core/data'
import { configure, TestHost, testContext } from '#core/testing'
import { fileStorageExtension } from '../../../extensions/file_storage/index.ts'
import { agentGatewayProcessor } from '../index.ts'
import { gatewaySpans } from '../rig.test-support.ts'

const [directory, first, count] = process.argv.slice(2) as [string, string, string]
const say = (line: string) => writeSync(1, `${line}\n`)

const context = testContext({ id: 'agent_gateway', signals: ['traces'], pipelines: ['traces'], clock: systemClock })
const storage = fileStorageExtension.create(configure(fileStorageExtension.config, { directory, fsync: true }), context)
await storage.start!(new TestHost())

let calls = 0
const next = {
  async consume(payload: Payload): Promise<void> {
    if (calls++ < 30 && calls % 3 === 0) throw new RetryableError('away')
    for (const span of openDraft(payload as Payload<'traces'>).spans()) say(`sent ${span.attributes.get('n')}`)
  },
}
const config = configure(agentGatewayProcessor.config, { stitch: { window: '1s', storage: 'file_storage' } })
const processor = agentGatewayProcessor.create(config, 'traces', next, context)
if (!('consume' in processor)) throw new Error('Traces are not stitched')
await processor.start!(new TestHost({ file_storage: storage }))
say('ready')

const offers = Array.from({ length: Number(count) }, async (_, i) => {
  const n = Number(first) + i
  await new Promise(resolve => setTimeout(resolve, Math.random() * 400))
  await processor.consume(gatewaySpans([{ trace: n, id: n, parent: 1, attributes: { n } }]), NO_CONTEXT)
  say(`accepted ${n}`)
})
await Promise.all(offers)
if (offers.length === 0) {
  while (context.ledger.total('queued') > 0) await new Promise(resolve => setTimeout(resolve, 5))
  await processor.shutdown!()
  await storage.shutdown!()
} else {
  setInterval(() => {}, 1000)
}
