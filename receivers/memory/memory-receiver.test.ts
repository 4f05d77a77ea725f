import { expect, test } from 'vitest'
import { PartialError, PermanentError } from '#core/component'
import { build, toJson } from '#core/data'
import { runReceiver, Sink, testContext, traces } from '#core/testing'
import { memoryReceiver } from './index.ts'

const REQUEST = {
  resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a', traceId: '0102030405060708090a0b0c0d0e0f10' }] }] }],
}
const PAYLOAD = build('traces', REQUEST)
const ACCEPTED = { transport: 'memory' }

test.each([
  ['an object', REQUEST],
  ['OTLP/JSON', toJson(PAYLOAD)],
  ['protobuf', new Uint8Array(PAYLOAD.flat())],
  ['a payload', PAYLOAD],
])('takes %s', async (_, data) => {
  const input = memoryReceiver()
  await using receiver = await runReceiver(input)
  await input.traces(data)
  expect(receiver.sink.payloads.map(payload => payload.flat())).toEqual([PAYLOAD.flat()])
  expect(receiver.context.meter.value('otelcol_receiver_accepted_spans', ACCEPTED)).toBe(1)
})

test('bytes may be used again at once', async () => {
  const input = memoryReceiver()
  await using receiver = await runReceiver(input)
  const bytes = Buffer.from(PAYLOAD.flat())
  await input.traces(bytes)
  bytes.fill(0)
  expect(receiver.sink.payloads[0]!.flat()).toEqual(PAYLOAD.flat())
})

test('refuses what is not telemetry, and what is of another signal', async () => {
  const input = memoryReceiver()
  await using _ = await runReceiver(input)
  await expect(input.traces(Buffer.from([0xff]))).rejects.toThrow()
  await expect(input.traces('{')).rejects.toThrow()
  await expect(input.push('logs', PAYLOAD as never)).rejects.toThrow('Cannot take traces as logs')
  await expect(
    input.traces({ resourceSpans: [{ scopeSpans: [{ spans: [{ kind: 'x' as never }] }] }] }),
  ).rejects.toThrow()
})

test('tells the program what the pipeline says, and counts it', async () => {
  const input = memoryReceiver()
  await using receiver = await runReceiver(input)
  receiver.sink.refuse(new PartialError(1, 'one is too old'))
  await expect(input.traces(traces(3))).rejects.toThrow('one is too old')
  const { meter } = receiver.context
  expect(meter.value('otelcol_receiver_accepted_spans', ACCEPTED)).toBe(2)
  expect(meter.value('otelcol_receiver_refused_spans', ACCEPTED)).toBe(1)
})

test('hands on metadata in lower case and the signal that ends waiting', async () => {
  const input = memoryReceiver()
  await using receiver = await runReceiver(input)
  const { signal } = new AbortController()
  await input.traces(REQUEST, { metadata: { 'X-Tenant': 'a', roles: ['b', 'c'] }, signal })
  const [context] = receiver.sink.contexts
  expect([...context!.metadata]).toEqual([
    ['x-tenant', ['a']],
    ['roles', ['b', 'c']],
  ])
  expect(context!.signal).toBe(signal)
})

test('several receivers are told apart by their ids', async () => {
  const input = memoryReceiver()
  await expect(input.traces(REQUEST)).rejects.toThrow('no memory receiver "memory" runs, running: none')
  await using a = await runReceiver(input, {}, { id: 'memory/a' })
  await input.traces(REQUEST)
  await using b = await runReceiver(input, {}, { id: 'memory/b' })
  await input.traces(REQUEST, { id: 'memory/b' })
  expect([a.sink.items, b.sink.items]).toEqual([1, 1])
  await expect(input.traces(REQUEST)).rejects.toThrow('running: memory/a, memory/b')
})

test('says so when no pipeline takes the signal', async () => {
  const input = memoryReceiver()
  const component = input.create({}, { logs: new Sink() }, testContext({ id: 'memory', kind: 'receiver' }))
  await component.start?.(undefined as never)
  const refused = input.traces(REQUEST)
  await expect(refused).rejects.toThrow(PermanentError)
  await expect(refused).rejects.toThrow('no pipeline of traces receives from "memory"')
})

test('a shutdown waits for what is under way', async () => {
  const input = memoryReceiver()
  const receiver = await runReceiver(input)
  receiver.sink.hold()
  const pushed = input.traces(REQUEST)
  let closed = false
  const closing = receiver.component.shutdown!().then(() => {
    closed = true
  })
  await Promise.resolve()
  expect(closed).toBe(false)
  receiver.sink.release()
  await Promise.all([pushed, closing])
  expect(receiver.sink.items).toBe(1)
})
