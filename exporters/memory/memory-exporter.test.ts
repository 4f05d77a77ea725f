import { expect, test } from 'vitest'
import { RetryableError } from '#core/component'
import { logs, metrics, runExporter, traces } from '#core/testing'
import { memoryExporter } from './index.ts'

test('keeps what arrives, by signal and by exporter', async () => {
  const output = memoryExporter()
  await using a = await runExporter(output, {}, { id: 'memory/a' })
  await using b = await runExporter(output, {}, { id: 'memory/b' })
  await a.consume(traces(2))
  await b.consume(traces(1))
  await a.consume(metrics(1))
  await a.consume(logs(1))
  expect(output.items).toBe(5)
  expect(output.spans().map(({ name }) => name)).toEqual(['span 0', 'span 1', 'span 0'])
  expect(output.spans('memory/b')).toHaveLength(1)
  expect(output.payloads('memory/a').map(({ signal }) => signal)).toEqual(['traces', 'metrics', 'logs'])
  expect(output.dataPoints()).toMatchObject([
    { metric: { name: 'requests', unit: '{request}', kind: 'sum' }, attributes: { n: 0 }, asInt: '0' },
  ])
  expect(output.logRecords()).toMatchObject([
    { body: 'log 0', resource: { 'service.name': 'test' }, scope: { name: 'test' } },
  ])
  expect(a.context.ledger.total('sent')).toBe(4)
  output.clear()
  expect([output.items, output.spans()]).toEqual([0, []])
})

test('refuses when it is told to', async () => {
  const output = memoryExporter()
  await using exporter = await runExporter(output)
  output.refuse(new RetryableError('away'))
  await expect(exporter.consume(traces(1))).rejects.toThrow('away')
  output.refuse(undefined)
  await exporter.consume(traces(1))
  expect(output.items).toBe(1)
  expect(exporter.context.ledger.total('sent')).toBe(1)
})

test('tells when enough is there, and when it is not', async () => {
  const output = memoryExporter()
  await using exporter = await runExporter(output)
  const enough = output.received(2)
  await exporter.consume(traces(1))
  await exporter.consume(logs(1))
  await enough
  await expect(output.received(3, 5)).rejects.toThrow('Waited 5 ms for 3 items, 2 came')
})

test('hands each payload to a function, which may refuse', async () => {
  const taken: number[] = []
  const output = memoryExporter(async payload => {
    if (payload.items > 1) throw new RetryableError('one at a time')
    taken.push(payload.items)
  })
  await using exporter = await runExporter(output)
  await exporter.consume(traces(1))
  await expect(exporter.consume(traces(2))).rejects.toThrow('one at a time')
  expect([taken, output.items]).toEqual([[1], 0])
})
