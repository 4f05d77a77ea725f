import { expect, test } from 'vitest'
import { NO_CONTEXT, PermanentError } from '#core/component'
import { Sink, testRouter, traces } from '#core/testing'
import { ForwardConnector } from './connector.ts'

test('the very payload and context go on', async () => {
  const sink = new Sink()
  const payload = traces(3)
  const context = { metadata: new Map([['tenant', ['a']]]) }
  await new ForwardConnector(testRouter(sink)).consume(payload, context)
  expect(sink.payloads[0]).toBe(payload)
  expect(sink.contexts[0]).toBe(context)
})

test('a refusal goes back to the sender', async () => {
  const sink = new Sink()
  sink.refuse(new PermanentError('too late'))
  await expect(new ForwardConnector(testRouter(sink)).consume(traces(1), NO_CONTEXT)).rejects.toThrow('too late')
})
