import { expect, test } from 'vitest'
import { forwardConnector } from '../../connectors/forward/index.ts'
import { nopExporter } from '../../exporters/nop/index.ts'
import { healthCheckExtension } from '../../extensions/health_check/index.ts'
import { attributesProcessor } from '../../processors/attributes/index.ts'
import { batchProcessor } from '../../processors/batch/index.ts'
import { memoryReceiver } from '../../receivers/memory/index.ts'
import { runConnector, runExporter, runExtension, runProcessor, runReceiver, traces } from './index.ts'

test('a processor that edits runs alone', async () => {
  const actions = [{ key: 'tenant', action: 'insert', value: 'a' }]
  await using subject = await runProcessor(attributesProcessor, 'traces', { actions })
  await subject.consume(traces(2))
  expect(subject.records()).toMatchObject([
    { attributes: { n: 0, tenant: 'a' } },
    { attributes: { n: 1, tenant: 'a' } },
  ])
})

test('a processor that keeps runs alone, on a clock that the test moves', async () => {
  await using subject = await runProcessor(batchProcessor, 'traces', { timeout: '1s' })
  await subject.consume(traces(1))
  await subject.consume(traces(1))
  expect(subject.sink.calls).toBe(0)
  await subject.context.fakeClock.advance(1_000)
  expect(subject.sink.payloads.map(({ items }) => items)).toEqual([2])
})

test('a receiver, an exporter, a connector and an extension run alone', async () => {
  const input = memoryReceiver()
  await using receiver = await runReceiver(input)
  await input.push('traces', traces(1))
  expect(receiver.sink.items).toBe(1)

  await using exporter = await runExporter(nopExporter)
  await exporter.consume(traces(3))
  expect(exporter.context.ledger.total('sent')).toBe(3)

  await using connector = await runConnector(forwardConnector, 'traces', 'traces')
  await connector.consume(traces(1))
  expect(connector.records()).toHaveLength(1)

  await using extension = await runExtension(healthCheckExtension, { endpoint: '127.0.0.1:0' })
  expect(extension.context.logger.messages()).toContain('Health check listens')
})

test('a configuration that the collector would refuse is refused', async () => {
  await expect(runProcessor(attributesProcessor, 'traces', {})).rejects.toThrow('missing required field "actions"')
})
