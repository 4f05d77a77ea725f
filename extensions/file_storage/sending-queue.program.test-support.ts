/**
 * An exporter whose sending queue is in a file, in a process of its own that is going to be killed. Says on standard
 * output, a line each, `ready`, `accepted <n>` once request n is answered, `sent <n>` when the destination has it.
 *
 * Arguments: directory · number of the first request · how many · what the destination does: `down`, `flaky`, `up` ·
 * spans a request. With `up`, ends when everything was sent.
 */
import { writeSync } from 'node:fs'
import { NO_CONTEXT, RetryableError, systemClock } from '#core/component'
import { t } from '#core/config'
import type { Payload } from '#core/data'
import { createDelivery, deliveryFields, type SendContext } from '#core/delivery'
import { aSpan, configure, decodePayload, payloadOf, TestHost, testContext, tracesOf } from '#core/testing'
import { fileStorageConfig } from './config.ts'
import { FileStorage } from './extension.ts'

const [directory, first, count, destination, spans] = process.argv.slice(2) as [string, string, string, string, string]

const say = (line: string) => writeSync(1, `${line}\n`)

const context = testContext({ id: 'test', kind: 'exporter', signals: ['traces'], clock: systemClock })
const storage = new FileStorage(configure(fileStorageConfig, { directory, fsync: true }), context)
await storage.start()

let attempts = 0
async function send(payload: Payload, _: SendContext): Promise<void> {
  if (destination === 'down' || (destination === 'flaky' && attempts++ % 3 === 0)) throw new RetryableError('away')
  await new Promise(resolve => setTimeout(resolve, Math.random() * 3))
  const { resourceSpans } = decodePayload(payload) as { resourceSpans: { schemaUrl: string }[] }
  for (const { schemaUrl } of resourceSpans) say(`sent ${schemaUrl}`)
}

const written = {
  retry_on_failure: { initial_interval: '5ms' },
  sending_queue: {
    storage: 'file_storage',
    queue_size: 1_000_000,
    ...(destination === 'flaky' ? { batch: { min_size: 20 } } : {}),
  },
}
const config = configure(t.section(deliveryFields()), written)
const delivery = createDelivery({ config, context, send })
await delivery.start!(new TestHost({ file_storage: storage }))
say('ready')

const body = Array.from({ length: Number(spans) }, (_, n) => aSpan({}, n))
const offers = Array.from({ length: Number(count) }, async (_, i) => {
  const n = Number(first) + i
  await new Promise(resolve => setTimeout(resolve, Math.random() * 300))
  await delivery.consume(payloadOf('traces', tracesOf(body, { resourceSchemaUrl: String(n) })), NO_CONTEXT)
  say(`accepted ${n}`)
})
await Promise.all(offers)
if (destination === 'up') {
  while (context.meter.value('otelcol_exporter_queue_size', { data_type: 'traces' }) > 0) {
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  await delivery.shutdown!()
  await storage.shutdown()
} else {
  say('done')
  setInterval(() => {}, 1000)
}
