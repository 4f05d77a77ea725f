import { expect, test } from 'vitest'
import { SIGNALS } from '#core/data'
import { payloadFor, testContext } from '#core/testing'
import { NopExporter } from './exporter.ts'

test('everything counts as sent', async () => {
  const context = testContext({ id: 'nop', kind: 'exporter', signals: SIGNALS })
  const exporter = new NopExporter(context)
  for (const signal of SIGNALS) await exporter.consume(payloadFor(signal))
  expect(context.ledger.total('sent')).toBe(3)
})
