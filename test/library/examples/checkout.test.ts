import { createCollector } from 'millrace'
import { plainAttributes } from 'millrace/core/data'
import { memory as memoryExporter } from 'millrace/exporters/memory'
import { attributes } from 'millrace/processors/attributes'
import { batch } from 'millrace/processors/batch'
import { memory as memoryReceiver } from 'millrace/receivers/memory'
import { runProcessor, traces } from 'millrace/testing'
import { expect, test } from 'vitest'
import { checkOut } from './checkout.ts'

/** The part of the production configuration that is under test, as it stands in its file. */
const PIPELINE = `
receivers:
  memory:
processors:
  attributes:
    actions:
      - {key: card.number, action: delete}
exporters:
  memory:
service:
  pipelines:
    logs: {receivers: [memory], processors: [attributes], exporters: [memory]}
`

test('no card number leaves the application', async () => {
  const input = memoryReceiver()
  const output = memoryExporter()
  await using _ = await createCollector({ components: [input, attributes, output], config: PIPELINE }).start()
  await checkOut({ id: '17', card: '4111111111111111', total: 9.5 }, (text, values) => {
    const record = { body: { stringValue: text }, attributes: plainAttributes(values) }
    return input.logs({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
  })
  expect(output.logRecords()).toMatchObject([
    { body: 'order placed', attributes: { 'order.id': '17', 'order.total': 9.5 } },
  ])
  expect(output.logRecords()[0]?.attributes).not.toHaveProperty('card.number')
})

test('a component alone: spans wait for the batch, on a clock that the test moves', async () => {
  await using subject = await runProcessor(batch, 'traces', { timeout: '1s' })
  await subject.consume(traces(2))
  expect(subject.records()).toEqual([])
  await subject.context.fakeClock.advance(1_000)
  expect(subject.records()).toMatchObject([{ name: 'span 0' }, { name: 'span 1' }])
})
